import Foundation
import NacreCore
import NacreCrypto
@testable import NacreOpen
import NacreSQLite
@testable import NacreStore
import NacreUpkeep
@testable import TestFaults
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
    let home = try SQLiteHome.ofStore(
      scene.path,
      unlock: Scene.unlock,
      options: options,
      creates: true
    )
    let faulty = FaultyHome(home, faults)
    return try Store.open(faulty, unlock: Scene.unlock, options: options)
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
    expectError(.headerChangeUnfinished) { _ = try store.rewrap(keeping: [Scene.unlock]) }
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

  @Test func `a header that a crash has left in two states keeps nobody out while another writes`()
    throws
  {
    let store = try open()
    try saveVaults(0..<5, in: store)
    _ = try store.addSlot(Scene.wrong)
    let file = SealedHeaderFile(path: scene.path)
    let before = try Array(Data(contentsOf: URL(fileURLWithPath: scene.path)).prefix(32_768))
    try store.removeSlot(2)
    try file.write(before, at: 0)
    try store.write { _ in
      let other = try scene.open { $0.busyTimeout = 0.05 }
      #expect(try other.read { _ in try Vault.count() } == 5)
      try other.close()
    }
    #expect(!FileSealer.hasEqualCopies(file))
    try open().close()
    #expect(FileSealer.hasEqualCopies(file))
    try store.close()
  }

  @Test func `a new store key that finds a rotation unfinished waits for its end`() throws {
    let store = try open()
    try saveVaults(0..<50, in: store)
    let stopped = try store.rotate(RotationOptions()) { $0.phase == .scanning ? .stop : .goOn }
    #expect(stopped.outcome == .stopped)
    // As after a rewrap in another process whose commit failed just before the rotation began.
    let slots = try #require(store.engine.slotKeeper as? HeaderSlots)
    let slot = NewSlot(id: 1, secret: .raw(try Scene.secret(Scene.keyHex)))
    try store.write { database in
      try slots.change(on: database.connection) { try $0.rewrapped(slots: [slot]) }
    }
    // A slot of the tables' ring would hold the former store key, which opens no header.
    expectError(.rotationUnfinished) { _ = try store.addSlot(Scene.wrong) }
    expectError(.rotationUnfinished) { try store.changeSlot(1, to: Scene.wrong) }
    try store.close()
    let again = try open()
    #expect(try header().formerStoreKey != nil)
    try expectVaults(50, in: again)
    #expect(try again.rotate().outcome == .finished)
    _ = try again.addSlot(Scene.wrong)
    #expect(try header().formerStoreKey == nil)
    try again.close()
    let last = try open(Scene.wrong)
    try expectVaults(50, in: last)
    try last.close()
  }

  @Test func `the power fails at any point of a rewrap, and the kept secret opens the store`()
    throws
  {
    let disk = try FaultyDisk(at: scene.directory.path)
    let store = try scene.open {
      $0.seals = .file
      $0.durability = .full
    }
    try saveVaults(0..<5, in: store)
    _ = try store.addSlot(Scene.wrong)
    let begin = disk.changeCount
    _ = try store.rewrap(keeping: [Scene.wrong], dropsOthers: true)
    let history = disk.history
    try store.close()
    var slots: Set<[UInt32]> = []
    for count in begin...history.count {
      for seed in [nil, 1] as [UInt64?] {
        let cut = try Scene()
        try PowerCut(of: history, after: count, seed: seed).write(to: cut.directory.path)
        let opened = try cut.open(Scene.wrong)
        let secrets = try opened.read { _ in try Vault.fetchAll().map(\.secret) }
        #expect(secrets.count == 5, "after \(count) changes")
        #expect(secrets.allSatisfy { $0.hasPrefix(Marker.text) })
        try opened.close()
        let file = SealedHeaderFile(path: cut.path)
        let header = try FileSealer.header(file.read(at:into:))
        #expect(header.formerStoreKey == nil)
        #expect(FileSealer.hasEqualCopies(file))
        slots.insert(header.slots.map(\.id))
        if header.slots.count == 1 { expectError(.wrongSecret) { _ = try cut.open() } }
      }
    }
    #expect(slots == [[1, 2], [2]])
  }

  @Test func `the log is on the disk before the header drops the former store key`() throws {
    let disk = try FaultyDisk(at: scene.directory.path)
    let faults = EngineFaults()
    let store = try open(faults)
    try saveVaults(0..<5, in: store)
    faults.arm(.failure(.busy), after: 1) { $0 == .begin(.immediate) }
    _ = try store.rewrap(keeping: [Scene.unlock])
    #expect(faults.disarm() == .begin(.immediate))
    // Frames of which nobody knows whether they have reached the disk.
    try saveVaults(5..<6, in: store)
    let before = disk.history
    _ = try store.addSlot(Scene.wrong)
    let history = disk.history.dropFirst(before.count)
    var files: [String: Int] = [:]
    for change in before { change.apply(to: &files) }
    let (main, log) = (try #require(files["store.db"]), try #require(files["store.db-nlog"]))
    let header = try #require(
      history.firstIndex {
        if case .write(main, let offset, _) = $0 { offset < 65_536 } else { false }
      }
    )
    let sync = try #require(history.firstIndex { $0 == .sync(file: log) })
    #expect(sync < header)
    try store.close()
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
