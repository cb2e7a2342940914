import Foundation
import NacreCore
import NacreOpen
import NacreStore
import NacreUpkeep
import TestFaults
import Testing
@testable import TestSupport

/// Sealed files whose maker was interrupted before the store was in them.
@Suite struct HalfMadeFileTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private func open(_ change: (inout StoreOptions) -> Void = { _ in }) throws -> Store {
    try scene.open {
      $0.seals = .file
      change(&$0)
    }
  }

  /// Cuts off all pages, as if the maker had been killed before the first one.
  private func cutPages() throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: scene.path))
    try file.truncate(atOffset: 65_536)
    try file.close()
  }

  private func expectUsable(_ store: Store) throws {
    try scene.save(Vault.create(), in: store)
    #expect(try store.verify().isSound)
    try store.close()
  }

  @Test func `a sealed file without pages is named, and is made to its end by an opening alone`()
    throws
  {
    try open().close()
    try cutPages()
    expectError(.halfMade) {
      _ = try StoreInspection(path: scene.path, unlock: Scene.unlock)
    }
    expectError(.halfMade) { _ = try open { $0.isOnlyLookedAt = true } }
    expectError(.halfMade) { _ = try open { $0.createIfMissing = false } }
    expectError(.wrongSecret) { _ = try scene.open(Scene.wrong) { $0.seals = .file } }
    let size = try FileManager.default.attributesOfItem(atPath: scene.path)[.size] as? NSNumber
    #expect(size?.intValue == 65_536)
    try expectUsable(open())
    try expectUsable(open { $0.createIfMissing = false })
  }

  @Test func `a header that was changed once had pages, whoever asks`() throws {
    let store = try open()
    try store.addSlot(RingScene.unlock(2))
    try store.close()
    try cutPages()
    expectError(.headerTampered) {
      _ = try StoreInspection(path: scene.path, unlock: Scene.unlock)
    }
    expectError(.headerTampered) { _ = try open { $0.isOnlyLookedAt = true } }
    expectError(.headerTampered) { _ = try open { $0.createIfMissing = false } }
    expectError(.headerTampered) { _ = try open() }
  }

  @Test
  func `the power fails at any point while a sealed file is made, and the next opening ends it`()
    throws
  {
    let disk = try FaultyDisk(at: scene.directory.path)
    try open().close()
    let history = disk.history
    var codes: Set<NacreError.Code?> = []
    for count in 0...history.count {
      for seed in [nil, 1, 2] as [UInt64?] {
        let cut = try Scene()
        try PowerCut(of: history, after: count, seed: seed).write(to: cut.directory.path)
        do {
          _ = try StoreInspection(path: cut.path, unlock: Scene.unlock)
          codes.insert(nil)
        } catch let error as NacreError {
          codes.insert(error.code)
        }
        let store = try cut.open { $0.seals = .file }
        try cut.save(Vault.create(), in: store)
        #expect(try store.read { _ in try Vault.count() } == 1, "after \(count) changes")
        try store.close()
      }
    }
    #expect(codes.isSuperset(of: [nil, .cannotOpen, .halfMade]))
    // Who only reads can't roll the maker's transaction back.
    #expect(codes.isSubset(of: [nil, .cannotOpen, .halfMade, .readOnly]), "\(codes)")
  }
}
