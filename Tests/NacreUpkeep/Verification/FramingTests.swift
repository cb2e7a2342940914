import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
import Testing
@testable import TestSupport

/// What a sealed file shows from outside, without a secret and with one.
@Suite struct FramingTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private func open() throws -> Store {
    try scene.open(Scene.unlock) { $0.seals = .file }
  }

  private func save(_ count: Int, in store: Store) throws {
    try store.write { _ in
      for number in 0..<count {
        let vault = Vault.create()
        vault.secret = "\(Marker.text)-\(number)"
        try vault.save()
      }
    }
  }

  private func fill() throws {
    let store = try open()
    try save(100, in: store)
    try store.close()
  }

  private func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: scene.path)) }

  private func write(_ bytes: [UInt8], at offset: Int, ending: String = "") throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: scene.path + ending))
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: bytes)
    try file.close()
  }

  private func truncate(to size: Int) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: scene.path))
    try file.truncate(atOffset: UInt64(size))
    try file.close()
  }

  /// Where the id of a page's key lies.
  private func keyID(ofPage number: Int) -> Int { 65_536 + number * 4_096 - 16 }

  @Test func `a sound file shows its header, its pages and their keys`() throws {
    let store = try open()
    let storeID = try store.inspect().storeID
    try save(100, in: store)
    let used = try Store.framing(of: scene.path)
    #expect(used.isSound)
    let log = try #require(used.log)
    #expect(log.frameCount > 10)
    #expect(log.storeID == "\(storeID)")
    #expect(used.keys.map(\.frameCount) == [log.frameCount])
    try store.close()
    let report = try Store.framing(of: scene.path)
    #expect(report.isSound)
    #expect(report.faults == [])
    #expect(!report.isAuthenticated)
    #expect(report.storeID == storeID)
    #expect(report.pageByteCount == 4_096)
    #expect(report.pageCount == (try bytes().count - 65_536) / 4_096)
    #expect(report.copies.map(\.sequence) == [1, 1])
    #expect(report.copies.map(\.isLikeOther) == [true, true])
    #expect(report.slots.map(\.kind) == ["secret"])
    #expect(report.keys.map(\.pageCount) == [report.pageCount])
    #expect(report.keys.map(\.key.state) == [.primary])
    #expect(report.log == nil)
    #expect(report.journalByteCount == 0)
    let opened = try Store.framing(of: scene.path, unlock: Scene.unlock)
    #expect(opened.isSound)
    #expect(opened.isAuthenticated)
  }

  @Test
  func `a file that is not sealed or not there has no framing, and a wrong secret opens none`()
    throws
  {
    expectError(.cannotOpen) { _ = try Store.framing(of: scene.path) }
    try scene.open().close()
    expectError(.notSealed) { _ = try Store.framing(of: scene.path) }
    let sealed = try FramingTests()
    try sealed.fill()
    expectError(.wrongSecret) {
      _ = try Store.framing(of: sealed.scene.path, unlock: Scene.wrong)
    }
    withExtendedLifetime(sealed.scene) {}
  }

  @Test func `after a change of the file's key, no page names the former one`() throws {
    try fill()
    let store = try open()
    var options = RotationOptions()
    options.purposes = [.file]
    #expect(try store.rotate(options).outcome == .finished)
    try store.close()
    let report = try Store.framing(of: scene.path)
    #expect(report.isSound)
    for use in report.keys {
      #expect(use.pageCount == (use.key.state == .primary ? report.pageCount : 0))
    }
    #expect(Set(report.keys.map(\.key.state)) == [.primary, .disabled])
  }

  // MARK: The header

  @Test(arguments: [0, 1])
  func `a damaged copy of the header is a fault, and with both nothing can be read`(copy: Int)
    throws
  {
    try fill()
    try write([0xff, 0xff], at: copy * 32_768 + 100)
    let report = try Store.framing(of: scene.path)
    #expect(report.faults.map(\.kind) == [.badHeader])
    #expect(report.faults.first?.detail.hasPrefix("copy \(copy + 1) of the header") == true)
    #expect(report.copies.map { $0.sequence == nil } == [copy == 0, copy == 1])
    #expect(!report.isSound)
    try write([0xff, 0xff], at: (1 - copy) * 32_768 + 100)
    expectError(.headerDamaged) { _ = try Store.framing(of: scene.path) }
  }

  @Test func `a change that reached one copy of the header is unfinished work`() throws {
    try fill()
    let former = try bytes()[..<32_768]
    let store = try open()
    try store.addSlot(RingScene.unlock(2))
    try store.close()
    try write(Array(former), at: 32_768)
    let report = try Store.framing(of: scene.path)
    #expect(report.copies.map(\.sequence) == [2, 1])
    #expect(report.faults.map(\.kind) == [.unfinished])
    #expect(report.isSound)
    #expect(report.slots.map(\.id) == [1, 2])
  }

  // MARK: Pages

  @Test func `pages that name no key of the header, and a page that was cut, are named`() throws {
    try fill()
    let count = try Store.framing(of: scene.path).pageCount
    try write([0, 0, 0, 0], at: keyID(ofPage: 5))
    try write([1, 2, 3, 4], at: keyID(ofPage: 7))
    try write([1], at: keyID(ofPage: 9) + 15)
    try truncate(to: 65_536 + (count - 1) * 4_096 + 100)
    let report = try Store.framing(of: scene.path)
    #expect(report.badPages.map(\.number) == [5, 7, 9, UInt32(count)])
    #expect(report.badPages.map(\.fault) == [.changed, .unknownKey, .changed, .missing])
    #expect(report.badPageCount == 4)
    #expect(!report.isSound)
    #expect(report.keys.map(\.pageCount) == [count - 4])
  }

  @Test func `with a secret every page is opened, also where the store itself can't be`() throws {
    try fill()
    let count = try Store.framing(of: scene.path).pageCount
    try write([1, 2, 3], at: 65_536 + 20)
    try write([1, 2, 3], at: 65_536 + 10 * 4_096)
    expectError(.pageTampered) { _ = try open() }
    // From outside, both pages look like any other.
    #expect(try Store.framing(of: scene.path).isSound)
    let report = try Store.framing(of: scene.path, unlock: Scene.unlock)
    #expect(report.badPages.map(\.number) == [1, 11])
    #expect(report.badPages.map(\.fault) == [.changed, .changed])
    #expect(report.badPageCount == 2)
    let cut = try FramingTests()
    try cut.fill()
    try cut.truncate(to: 65_536 + (count - 2) * 4_096)
    // Nothing but the first page says how many there should be.
    #expect(try Store.framing(of: cut.scene.path).isSound)
    #expect(
      try Store.framing(of: cut.scene.path, unlock: Scene.unlock).badPages.map(\.fault)
        == [.missing, .missing]
    )
    withExtendedLifetime(cut.scene) {}
  }

  // MARK: Log and journal

  @Test func `frames under an unknown key are named, unless the log is that of another store`()
    throws
  {
    let store = try open()
    try save(100, in: store)
    // A copy as a crash would leave it.
    let copy = scene.path + ".crashed"
    for ending in ["", "-nlog"] {
      try FileManager.default.copyItem(atPath: scene.path + ending, toPath: copy + ending)
    }
    try store.close()
    let sound = try Store.framing(of: copy)
    #expect(sound.isSound)
    let log = try FileHandle(forUpdating: URL(fileURLWithPath: copy + "-nlog"))
    try log.seek(toOffset: 128 + 3 * (24 + 4_096) - 16)
    try log.write(contentsOf: [1, 2, 3, 4])
    let report = try Store.framing(of: copy)
    #expect(report.badPages.map(\.frame) == [3])
    #expect(report.badPages.map(\.fault) == [.unknownKey])
    try log.seek(toOffset: 24)
    try log.write(contentsOf: [1, 2, 3, 4])
    try log.close()
    #expect(try Store.framing(of: copy).faults.map(\.kind) == [.badLog])
  }

  @Test func `a page that the log replaces may name any key`() throws {
    let store = try open()
    try save(100, in: store)
    try store.close()
    let again = try open()
    let vault = try #require(try again.read { _ in try Vault.fetchAll().first })
    vault.note = "changed"
    try again.write { _ in try vault.save() }
    let log = try Data(contentsOf: URL(fileURLWithPath: scene.path + "-nlog"))
    let number = log[128..<132].reduce(0) { $0 << 8 | Int($1) }
    let copy = scene.path + ".crashed"
    for ending in ["", "-nlog"] {
      try FileManager.default.copyItem(atPath: scene.path + ending, toPath: copy + ending)
    }
    try again.close()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: copy))
    try file.seek(toOffset: UInt64(keyID(ofPage: number)))
    try file.write(contentsOf: [0, 0, 0, 0])
    try file.close()
    #expect(try Store.framing(of: copy).badPages == [])
    #expect(try Store.framing(of: copy, unlock: Scene.unlock).badPages == [])
    try FileManager.default.removeItem(atPath: copy + "-nlog")
    #expect(try Store.framing(of: copy).badPages.map(\.number) == [UInt32(number)])
  }

  @Test func `a rollback journal, and that of a change of the key, show that they are there`()
    throws
  {
    try fill()
    let file = URL(fileURLWithPath: scene.path)
    try Data(count: 512).write(to: URL(fileURLWithPath: file.path + "-njournal"))
    let journal = URL(fileURLWithPath: file.path + "-nrekey")
    try Data(repeating: 1, count: 128).write(to: journal)
    let report = try Store.framing(of: scene.path)
    #expect(report.journalByteCount == 512)
    #expect(report.faults.map(\.kind) == [.unfinished])
    #expect(report.isSound)
    // As it is between two batches.
    try Data(count: 4_096).write(to: journal)
    #expect(try Store.framing(of: scene.path).faults == [])
  }
}
