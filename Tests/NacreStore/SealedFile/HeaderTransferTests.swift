import Foundation
import NacreCore
import NacreCrypto
import NacreOpen
import NacreSQLite
import NacreStore
import Testing
@testable import TestSupport

/// The header of a sealed file, saved elsewhere and put back.
@Suite struct HeaderTransferTests {
  private let scene: Scene
  private var saved: String { scene.path + ".header" }

  init() throws { scene = try Scene() }

  private func open(_ unlock: Unlock = Scene.unlock) throws -> Store {
    try scene.open(unlock) { $0.seals = .file }
  }

  private func fill() throws {
    let store = try open()
    try store.write { _ in
      for number in 0..<20 {
        let vault = Vault.create()
        vault.secret = "\(Marker.text)-\(number)"
        try vault.save()
      }
    }
    try store.close()
  }

  private func expectVaults(_ unlock: Unlock = Scene.unlock) throws {
    let store = try open(unlock)
    #expect(try store.read { _ in try Vault.fetchAll().count } == 20)
    try store.close()
  }

  private func header(_ path: String? = nil) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path ?? scene.path)).prefix(65_536)
  }

  private func damage(_ path: String? = nil, at offsets: [Int] = [100, 32_868]) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path ?? scene.path))
    for offset in offsets {
      try file.seek(toOffset: UInt64(offset))
      try file.write(contentsOf: [0xff, 0xff, 0xff])
    }
    try file.close()
  }

  /// Gives the file a header that the pages know nothing of, as a crash leaves it.
  private func changeHeader() throws {
    let file = SealedHeaderFile(path: scene.path)
    let secret = SlotSecret.raw(try Scene.secret(Scene.keyHex))
    let keys = try FileKeys.unlock(FileSealer.header(file.read(at:into:)), with: secret)
    let next = try keys.replacing(
      slots: keys.header.slots + [keys.makeSlot(NewSlot(id: 9, secret: secret))]
    )
    try FileSealer(keys: keys).write(next, to: file)
  }

  // MARK: Saving

  @Test func `a header is saved for its owner alone, and never over another file`() throws {
    try fill()
    let store = try open()
    let report = try Store.exportHeader(of: scene.path, to: saved)
    #expect(report.storeID == (try store.inspect().storeID))
    #expect(report.sequence == 1)
    #expect(!report.isAuthenticated)
    #expect(try Data(contentsOf: URL(fileURLWithPath: saved)) == header())
    let attributes = try FileManager.default.attributesOfItem(atPath: saved)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    expectError(.cannotOpen) { _ = try Store.exportHeader(of: scene.path, to: saved) }
    let other = saved + ".2"
    expectError(.wrongSecret) {
      _ = try Store.exportHeader(of: scene.path, to: other, unlock: Scene.wrong)
    }
    #expect(!Store.exists(at: other))
    #expect(
      try Store.exportHeader(of: scene.path, to: other, unlock: Scene.unlock).isAuthenticated
    )
    expectError(.cannotOpen) { _ = try Store.exportHeader(of: saved + "x", to: saved + "y") }
    try store.close()
  }

  @Test func `the copy that counts is saved twice, so that no removed slot is in it`() throws {
    try fill()
    let former = try header().prefix(32_768)
    try changeHeader()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: scene.path))
    try file.write(contentsOf: former)
    try file.close()
    try Store.exportHeader(of: scene.path, to: saved)
    let copy = try header().suffix(32_768)
    #expect(try Data(contentsOf: URL(fileURLWithPath: saved)) == copy + copy)
  }

  // MARK: Putting back

  @Test(arguments: [false, true])
  func `a header brings a store back whose own was lost`(hasSecret: Bool) throws {
    try fill()
    try Store.exportHeader(of: scene.path, to: saved)
    let before = try header()
    let unlock = hasSecret ? Scene.unlock : nil
    try damage()
    expectError(.headerDamaged) { _ = try open() }
    let report = try Store.importHeader(from: saved, into: scene.path, unlock: unlock)
    #expect(report.isWritten)
    #expect(report.isAuthenticated == hasSecret)
    #expect(report.strangePageCount == 0)
    #expect(try header() == before)
    try expectVaults()
    // Not even the first bytes need be there.
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: scene.path))
    try file.write(contentsOf: Data(count: 65_536))
    try file.close()
    try Store.importHeader(from: saved, into: scene.path, unlock: unlock)
    try expectVaults()
  }

  @Test func `a store that has the header keeps it, and gets back a copy that was damaged`() throws
  {
    try fill()
    try Store.exportHeader(of: scene.path, to: saved)
    let before = try header()
    #expect(try !Store.importHeader(from: saved, into: scene.path).isWritten)
    try damage(at: [100])
    #expect(try Store.importHeader(from: saved, into: scene.path).isWritten)
    #expect(try header() == before)
    // One whole copy is enough in the saved file, too.
    try damage(saved, at: [100])
    try damage()
    #expect(try Store.importHeader(from: saved, into: scene.path).isWritten)
    #expect(try header() == before)
  }

  @Test func `nobody may have the store open`() throws {
    try fill()
    try Store.exportHeader(of: scene.path, to: saved)
    let store = try open()
    try damage()
    let before = try header()
    expectError(.storeIsOpen) { _ = try Store.importHeader(from: saved, into: scene.path) }
    #expect(try header() == before)
    try store.close()
    try Store.importHeader(from: saved, into: scene.path)
    try expectVaults()
  }

  // MARK: What is refused

  @Test func `the header of another store is refused, whether the own one is whole or not`() throws
  {
    try fill()
    let other = try HeaderTransferTests()
    try other.fill()
    try Store.exportHeader(of: other.scene.path, to: other.saved)
    for _ in 0..<2 {
      let before = try header()
      for unlock in [nil, Scene.unlock] {
        expectError(.otherStore) {
          _ = try Store.importHeader(from: other.saved, into: scene.path, unlock: unlock)
        }
      }
      #expect(try header() == before)
      try damage()
    }
    expectError(.notSealed) {
      let plain = try Scene()
      try plain.open().close()
      _ = try Store.importHeader(from: other.saved, into: plain.path)
    }
    withExtendedLifetime(other.scene) {}
  }

  @Test func `a newer header is replaced only where the pages allow it, and only on demand`() throws
  {
    try fill()
    try Store.exportHeader(of: scene.path, to: saved)
    let before = try header()
    try changeHeader()
    let newer = try header()
    expectError(.olderHeader) { _ = try Store.importHeader(from: saved, into: scene.path) }
    expectError(.olderHeader) {
      _ = try Store.importHeader(from: saved, into: scene.path, unlock: Scene.unlock)
    }
    expectError(.storeLocked) {
      _ = try Store.importHeader(from: saved, into: scene.path, replacesNewer: true)
    }
    #expect(try header() == newer)
    let report = try Store.importHeader(
      from: saved,
      into: scene.path,
      unlock: Scene.unlock,
      replacesNewer: true
    )
    #expect(report.isWritten)
    #expect(try header() == before)
    try expectVaults()
  }

  @Test func `a header that is older than the pages is refused with a secret`() throws {
    try fill()
    try Store.exportHeader(of: scene.path, to: saved)
    let store = try open()
    try store.addSlot(RingScene.unlock(2))
    try store.close()
    for _ in 0..<2 {
      let present = try header()
      expectError(.olderHeader) {
        _ = try Store.importHeader(
          from: saved,
          into: scene.path,
          unlock: Scene.unlock,
          replacesNewer: true
        )
      }
      #expect(try header() == present)
      try damage()
    }
    // Without a secret nobody can know it before the store is opened.
    #expect(try Store.importHeader(from: saved, into: scene.path).isWritten)
    expectError(.headerTampered) { _ = try open() }
  }

  @Test func `another header under the same number is refused`() throws {
    try fill()
    let before = try header()
    try changeHeader()
    try Store.exportHeader(of: scene.path, to: saved)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: scene.path))
    try file.write(contentsOf: before)
    try file.close()
    // It has random bytes of its own.
    try changeHeader()
    expectError(.headerTampered) {
      _ = try Store.importHeader(from: saved, into: scene.path, unlock: Scene.unlock)
    }
  }

  @Test func `what is no whole header is refused before anything is changed`() throws {
    try fill()
    try Store.exportHeader(of: scene.path, to: saved)
    try damage()
    let before = try header()
    expectError(.headerDamaged) {
      _ = try Store.importHeader(from: scene.path, into: scene.path)
    }
    expectError(.cannotOpen) {
      _ = try Store.importHeader(from: saved + "x", into: scene.path)
    }
    expectError(.wrongSecret) {
      _ = try Store.importHeader(from: saved, into: scene.path, unlock: Scene.wrong)
    }
    try damage(saved)
    expectError(.headerDamaged) { _ = try Store.importHeader(from: saved, into: scene.path) }
    try Data(count: 100).write(to: URL(fileURLWithPath: saved))
    expectError(.headerDamaged) { _ = try Store.importHeader(from: saved, into: scene.path) }
    #expect(try header() == before)
  }
}
