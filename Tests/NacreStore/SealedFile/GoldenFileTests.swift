import Foundation
import NacreCore
import NacreOpen
import NacreStore
import NacreUpkeep
import Testing
@testable import TestSupport

/// The sealed files of Tests/Golden, which stay as they are, read by today's Nacre.
///
/// `format-2` was closed. `format-2-killed` was copied while a process had it open: its log has commits that the file
/// lacks, and the rotation of its file key was unfinished.
@Suite struct GoldenFileTests {
  private static let isMaking = ProcessInfo.processInfo.environment["NACRE_MAKE_GOLDEN"] == "1"

  private func unlock(_ scene: Scene) -> Unlock { .keyFile(scene.directory.file("store.key")) }

  private func openCopy(of name: String) throws -> (Scene, Store) {
    let scene = try Scene()
    try GoldenFiles(name).copy(to: scene.directory.path)
    return (scene, try scene.open(unlock(scene)) { $0.seals = .file })
  }

  // MARK: - Making them

  @Test(.enabled(if: isMaking, "NACRE_MAKE_GOLDEN=1 makes the stores, once"))
  func `the sealed files are made`() throws {
    let scene = try Scene()
    let key = Unlock.keyFile(scene.directory.file("store.key"), createIfMissing: true)
    let store = try scene.open(key) { $0.seals = .file }
    try saveVaults(0..<20, in: store)
    try store.addSlot(Scene.wrong)
    _ = try store.rewrap(keeping: [unlock(scene), Scene.wrong])
    var options = RotationOptions()
    options.purposes.insert(.file)
    #expect(try store.rotate(options).outcome == .finished)
    try store.close()
    try keep(scene, as: "format-2")
    let again = try scene.open(unlock(scene))
    try saveVaults(20..<25, in: again)
    options.purposes = [.file]
    #expect(try again.rotate(options) { _ in .stop }.outcome == .stopped)
    try keep(scene, as: "format-2-killed")
    try again.close()
  }

  private func keep(_ scene: Scene, as name: String) throws {
    let golden = GoldenFiles(name)
    // What is golden is made once.
    guard !FileManager.default.fileExists(atPath: golden.directory.path) else { return }
    try golden.keep(scene.directory.path)
  }

  // MARK: - Using them

  @Test(.disabled(if: isMaking)) func `the golden sealed file holds what was stored`() throws {
    let (scene, store) = try openCopy(of: "format-2")
    try expectVaults(20, in: store)
    #expect(try store.slots().map(\.id) == [1, 2])
    #expect(try store.check() == [])
    try saveVaults(20..<30, in: store)
    try store.close()
    try expectVaults(30, in: scene.open(Scene.wrong))
  }

  @Test(.disabled(if: isMaking))
  func `the golden file of a killed process has its log, and its rotation goes on`() throws {
    let (scene, store) = try openCopy(of: "format-2-killed")
    try expectVaults(25, in: store)
    var options = RotationOptions()
    options.purposes = [.file]
    let report = try store.rotate(options)
    #expect(report.outcome == .finished && report.wasResumed && report.resealedPages > 5)
    try expectVaults(25, in: store)
    try store.close()
    try expectVaults(25, in: scene.open(Scene.wrong))
  }
}
