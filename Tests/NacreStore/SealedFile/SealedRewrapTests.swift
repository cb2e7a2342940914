import Foundation
import NacreCore
import NacreCrypto
@testable import NacreOpen
import NacreSQLite
@testable import NacreStore
import NacreUpkeep
import Testing
@testable import TestSupport

/// New store keys for sealed files, whose header and tables have to follow each other.
@Suite struct SealedRewrapTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private func open(_ unlock: Unlock = Scene.unlock) throws -> Store {
    try scene.open(unlock) { $0.seals = .file }
  }

  /// Opens the store over an engine some of whose calls fail.
  private func open(_ faults: EngineFaults) throws -> Store {
    var options = StoreOptions.patient
    options.seals = .file
    let (home, sealer) = try SQLiteHome.ofStore(
      scene.path,
      unlock: Scene.unlock,
      options: options,
      creates: true
    )
    let faulty = FaultyHome(home, faults)
    return try Store.open(faulty, unlock: Scene.unlock, options: options, sealedBy: sealer)
  }

  private func saveVaults(_ numbers: Range<Int>, in store: Store) throws {
    try store.write { _ in
      for number in numbers {
        let vault = Vault.create()
        vault.label = "label-\(number)"
        vault.secret = "\(Marker.text)-\(number)"
        vault.number = number
        try vault.save()
      }
    }
  }

  private func expectVaults(_ count: Int, in store: Store) throws {
    let found = try store.read { _ in try Vault.fetchAll() }
    #expect(found.count == count)
    #expect(found.allSatisfy { $0.secret == "\(Marker.text)-\($0.number)" })
    #expect(try store.verify().isSound)
  }

  private func header() throws -> FileHeader {
    try FileSealer.header(SealedHeaderFile(path: scene.path).read(at:into:))
  }

  @Test func `a rewrap shuts out the former secrets, and keeps every page and value`() throws {
    let store = try open()
    try saveVaults(0..<50, in: store)
    _ = try store.addSlot(Scene.wrong)
    let keys = try store.inspect().fileKeys.map(\.id)
    let report = try store.rewrap(keeping: [Scene.wrong], dropsOthers: true)
    #expect(report.kept == [2])
    #expect(report.dropped.map(\.id) == [1])
    try saveVaults(50..<60, in: store)
    try store.close()
    expectError(.wrongSecret) { _ = try open() }
    let again = try open(Scene.wrong)
    try expectVaults(60, in: again)
    #expect(try again.inspect().fileKeys.map(\.id) == keys)
    #expect(try again.slots().map(\.id) == [2])
    try again.close()
    let header = try header()
    #expect(header.formerStoreKey == nil)
    #expect(header.slots.map(\.id) == [2])
  }

  @Test func `secrets that would be lost, or that open nothing, change nothing`() throws {
    let store = try open()
    try saveVaults(0..<5, in: store)
    _ = try store.addSlot(Scene.wrong)
    let before = try header()
    expectError(.slotsWouldBeLost) { _ = try store.rewrap(keeping: [Scene.unlock]) }
    expectError(.lastSlot) { _ = try store.rewrap(keeping: [], dropsOthers: true) }
    let other = Unlock.callback { try SecretBytes(random: 32) }
    expectError(.wrongSecret) { _ = try store.rewrap(keeping: [other], dropsOthers: true) }
    #expect(try header() == before)
    try store.close()
  }

  @Test func `another process follows a rewrap, or is shut out by it`() throws {
    let store = try open()
    try saveVaults(0..<10, in: store)
    _ = try store.addSlot(Scene.wrong)
    let (kept, dropped) = (try open(Scene.wrong), try open())
    try expectVaults(10, in: kept)
    try expectVaults(10, in: dropped)
    _ = try store.rewrap(keeping: [Scene.wrong], dropsOthers: true)
    try saveVaults(10..<20, in: kept)
    expectError(.wrongSecret) { try saveVaults(20..<21, in: dropped) }
    try saveVaults(20..<30, in: store)
    try expectVaults(30, in: kept)
    #expect(try kept.rotate().outcome == .finished)
    try expectVaults(30, in: store)
    for one in [store, kept, dropped] { try one.close() }
  }

  @Test func `a rewrap whose commit fails is finished by the next opening`() throws {
    let faults = EngineFaults()
    let store = try open(faults)
    try saveVaults(0..<10, in: store)
    let anchor = try store.anchor()
    faults.arm(.failure(.full), after: 0) { $0 == .commit }
    expectError(.diskFull) { _ = try store.rewrap(keeping: [Scene.unlock]) }
    #expect(faults.disarm() == .commit)
    #expect(try header().formerStoreKey != nil)
    // The store goes on, in this process and for one that only reads.
    try saveVaults(10..<20, in: store)
    try expectVaults(20, in: store)
    let reader = try StoreInspection(path: scene.path, unlock: Scene.unlock)
    #expect(try reader.describe().ring?.isVerified == true)
    try store.close()
    let again = try Store.open(scene.path, unlock: Scene.unlock, expecting: anchor)
    #expect(try header().formerStoreKey == nil)
    try expectVaults(20, in: again)
    try saveVaults(20..<30, in: again)
    #expect(try again.rotate().outcome == .finished)
    try again.close()
    let last = try Store.open(scene.path, unlock: Scene.unlock, expecting: anchor)
    try expectVaults(30, in: last)
    try last.close()
  }

  @Test func `a rewrap that ends before its last header is finished by the next change of keys`()
    throws
  {
    let faults = EngineFaults()
    let store = try open(faults)
    try saveVaults(0..<10, in: store)
    // The rewrap's own transaction passes; that of the header which drops the former key does not.
    faults.arm(.failure(.busy), after: 1) { $0 == .begin(.immediate) }
    _ = try store.rewrap(keeping: [Scene.unlock])
    #expect(faults.disarm() == .begin(.immediate))
    #expect(try header().formerStoreKey != nil)
    let other = try open()
    #expect(try header().formerStoreKey == nil)
    try saveVaults(10..<20, in: other)
    try saveVaults(20..<30, in: store)
    _ = try store.addSlot(Scene.wrong)
    try expectVaults(30, in: store)
    try store.close()
    try other.close()
  }

  @Test(arguments: [0, 1])
  func `a slot that was removed is in neither copy after a crash between them`(_ copy: Int) throws {
    let store = try open()
    try saveVaults(0..<5, in: store)
    _ = try store.addSlot(Scene.wrong)
    let before = try Data(contentsOf: URL(fileURLWithPath: scene.path)).prefix(32_768)
    try store.removeSlot(2)
    try store.close()
    // The copy that the crash kept from being written.
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: scene.path))
    try file.seek(toOffset: UInt64(copy * 32_768))
    try file.write(contentsOf: before)
    try file.close()
    let again = try open()
    try expectVaults(5, in: again)
    try again.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: scene.path))
    #expect(bytes.prefix(32_768) == bytes[32_768..<65_536])
    #expect(bytes.prefix(32_768) != before)
    expectError(.wrongSecret) { _ = try open(Scene.wrong) }
  }

  @Test func `while the key of the file changes, the store key stays`() throws {
    let store = try open()
    try saveVaults(0..<200, in: store)
    var options = RotationOptions()
    options.purposes = [.file]
    _ = try store.rotate(options) { $0.phase == .scanning ? .stop : .goOn }
    let before = try header()
    expectError(.rotationUnfinished) { _ = try store.rewrap(keeping: [Scene.unlock]) }
    #expect(try header() == before)
    #expect(try store.rotate(options).outcome == .finished)
    _ = try store.rewrap(keeping: [Scene.unlock])
    try expectVaults(200, in: store)
    try store.close()
  }
}
