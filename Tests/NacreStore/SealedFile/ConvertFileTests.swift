import Foundation
import NacreCore
import NacreOpen
@testable import NacreSQLite
import NacreStore
import NacreUpkeep
import TestFaults
import Testing
@testable import TestSupport

/// A plain store that becomes a sealed file, and a sealed file that becomes a plain store.
@Suite struct ConvertFileTests {
  private let scene: Scene
  private var draft: String { scene.path + "-nconvert" }

  init() throws { scene = try Scene() }

  private func open(_ seals: StoreOptions.Seals, _ unlock: Unlock = Scene.unlock) throws -> Store {
    try scene.open(unlock) { $0.seals = seals }
  }

  private func fill(_ seals: StoreOptions.Seals = .properties) throws {
    let store = try open(seals)
    try saveVaults(0..<50, labelled: "label-in-a-plain-column", in: store)
    try store.close()
  }

  private func convert(
    to seals: StoreOptions.Seals,
    _ unlock: Unlock = Scene.unlock
  ) throws -> FileConversionReport {
    try Store.convertFile(at: scene.path, to: seals, unlock: unlock)
  }

  private func expectVaults(_ seals: StoreOptions.Seals, _ unlock: Unlock = Scene.unlock) throws {
    let store = try open(seals, unlock)
    try TestSupport.expectVaults(50, in: store)
    #expect(try store.check() == [])
    try store.close()
  }

  private func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: scene.path)) }

  private func names() throws -> [String] {
    let directory = URL(fileURLWithPath: scene.path).deletingLastPathComponent().path
    return try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
  }

  // MARK: Both ways

  @Test func `a plain store becomes a sealed file, and a plain one again`() throws {
    try fill()
    let store = try open(.properties)
    let storeID = try store.inspect().storeID
    try store.addSlot(RingScene.unlock(2))
    try store.close()
    let before = try names()
    let report = try convert(to: .file)
    #expect(report.wasConverted)
    #expect(report.storeID == storeID)
    #expect(report.anchor == nil)
    #expect(try bytes().range(of: Data("label-in-a-plain-column".utf8)) == nil)
    #expect(try names() == before)
    let framing = try Store.framing(of: scene.path, unlock: Scene.unlock)
    #expect(framing.isSound)
    #expect(framing.slots.map(\.id) == [1, 2])
    #expect(framing.keys.count == 1)
    try expectVaults(.file)
    try expectVaults(.file, RingScene.unlock(2))
    // The header has the slots now.
    let kept = try open(.file).read { try $0.query("SELECT count(*) FROM nacre_slot") }
    #expect(kept == [[0]])
    #expect(try convert(to: .properties, RingScene.unlock(2)).wasConverted)
    #expect(try bytes().starts(with: Data("SQLite format 3\0".utf8)))
    expectError(.notSealed) { _ = try open(.file) }
    try expectVaults(.properties)
    try expectVaults(.properties, RingScene.unlock(2))
    #expect(try open(.properties).slots().map(\.id) == [1, 2])
    #expect(try bytes().range(of: Data(Marker.text.utf8)) == nil)
    // A second time, from what the first two have made.
    #expect(try convert(to: .file).wasConverted)
    try expectVaults(.file)
  }

  @Test func `a store that has the format already stays as it is`() throws {
    try fill(.file)
    let before = try bytes()
    #expect(try !convert(to: .file).wasConverted)
    #expect(try bytes() == before)
  }

  @Test func `the other file has the mode of the former one`() throws {
    try fill()
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: NSNumber(value: 0o640)]
    try FileManager.default.setAttributes(attributes, ofItemAtPath: scene.path)
    _ = try convert(to: .file)
    let found = try FileManager.default.attributesOfItem(atPath: scene.path)[.posixPermissions]
    #expect((found as? NSNumber)?.intValue == 0o640)
  }

  @Test(arguments: [512, 8_192])
  func `pages keep their size, unless a seal needs larger ones`(byteCount: Int) throws {
    try fill()
    try scene.edit("PRAGMA journal_mode = DELETE")
    let connection = try Connection(path: scene.path, mode: .readWrite)
    _ = try connection.pragma("journal_mode = DELETE")
    _ = try connection.pragma("page_size = \(byteCount)")
    try connection.define(DecimalFunctions.collation)
    try connection.execute("VACUUM")
    try connection.close()
    _ = try convert(to: .file)
    #expect(try Store.framing(of: scene.path).pageByteCount == max(1_024, byteCount))
    try expectVaults(.file)
  }

  @Test func `a store that had an anchor gets a new one, which refuses copies from before`() throws
  {
    try fill()
    let store = try open(.properties)
    let former = try store.anchor()
    try store.close()
    let copy = try bytes()
    let report = try Store.convertFile(
      at: scene.path,
      to: .file,
      unlock: Scene.unlock,
      expecting: former
    )
    let anchor = try #require(report.anchor)
    #expect(anchor.counter > former.counter)
    try Store.open(scene.path, unlock: Scene.unlock, expecting: anchor).close()
    try copy.write(to: URL(fileURLWithPath: scene.path))
    expectError(.olderThanAnchor) {
      _ = try Store.open(scene.path, unlock: Scene.unlock, expecting: anchor)
    }
  }

  @Test func `a killed conversion leaves no file that the next one does not delete`() throws {
    try fill()
    let directory = URL(fileURLWithPath: scene.path).deletingLastPathComponent().path
    let disk = try FaultyDisk(at: directory)
    #expect(try convert(to: .file).wasConverted)
    let made = disk.history.compactMap { change -> String? in
      switch change {
      case .create(_, let name), .found(_, let name, _), .link(_, let name): name
      default: nil
      }
    }
    let drafts = Set(made.filter { $0.contains("-nconvert") })
    #expect(drafts.isSuperset(of: ["store.db-nconvert", "store.db-nconvert-njournal"]))
    // Each of them alone, as a kill can leave it.
    for name in drafts {
      try Data().write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
      #expect(try !convert(to: .file).wasConverted)
      try expectNoDraft()
    }
  }

  // MARK: What is refused

  @Test(arguments: [StoreOptions.Seals.properties, .file])
  func `nobody else may have the store open`(seals: StoreOptions.Seals) throws {
    try fill(seals)
    let other: StoreOptions.Seals = seals == .file ? .properties : .file
    let store = try open(seals)
    expectError(.storeIsOpen) { _ = try convert(to: other) }
    try store.close()
    guard seals == .properties else { return }
    // Another process, as far as the library can see.
    let connection = try Connection(path: scene.path, mode: .readWrite)
    _ = try connection.pragma("journal_mode = WAL")
    expectError(.storeIsOpen) { _ = try convert(to: other) }
    try connection.close()
    try expectVaults(seals)
    #expect(try convert(to: other).wasConverted)
  }

  @Test func `a store of this process is seen although it holds no lock`() throws {
    try fill()
    let store = try scene.open { $0.pragmas.journalMode = .delete }
    expectError(.storeIsOpen) { _ = try convert(to: .file) }
    try store.close()
    #expect(try convert(to: .file).wasConverted)
  }

  @Test func `work that was begun has to be finished first`() throws {
    try fill()
    let store = try open(.properties)
    #expect(try store.rotate(progress: { _ in .stop }).outcome == .stopped)
    try store.close()
    expectError(.rotationUnfinished) { _ = try convert(to: .file) }
    try expectNoDraft()
    let again = try open(.properties)
    #expect(try again.rotate().outcome == .finished)
    try again.close()
    #expect(try convert(to: .file).wasConverted)
    let sealed = try open(.file)
    var options = RotationOptions()
    options.purposes = [.file]
    var calls = 0
    let stopped = try sealed.rotate(options) { _ in
      calls += 1
      return calls > 1 ? .stop : .goOn
    }
    #expect(stopped.outcome == .stopped)
    try sealed.close()
    expectError(.rotationUnfinished) { _ = try convert(to: .properties) }
    try expectVaults(.file)
  }

  private func expectNoDraft() throws {
    #expect(try names().filter { $0.contains("nconvert") } == [])
  }

  @Test func `a file with another name, a wrong secret and a missing ring are refused`() throws {
    expectError(.cannotOpen) { _ = try convert(to: .file) }
    try scene.open(nil).close()
    expectError(.noKeyRing) { _ = try convert(to: .file) }
    try fill()
    let before = try bytes()
    expectError(.wrongSecret) { _ = try convert(to: .file, Scene.wrong) }
    try FileManager.default.linkItem(atPath: scene.path, toPath: scene.path + ".link")
    expectError(.cannotOpen) { _ = try convert(to: .file) }
    #expect(try bytes().count == before.count)
    try expectVaults(.properties)
    try FileManager.default.removeItem(atPath: scene.path + ".link")
    #expect(try convert(to: .file).wasConverted)
  }

  @Test func `a store with a bad cell stays as it is`() throws {
    try fill()
    try scene.edit("UPDATE Vault SET secret = 'plain'")
    expectError(.unsound) { _ = try convert(to: .file) }
    try expectNoDraft()
    #expect(try bytes().starts(with: Data("SQLite format 3\0".utf8)))
  }

  // MARK: Crashes, and who comes late

  @Test func `what a conversion that was killed has left is deleted by the next one`() throws {
    try fill()
    for ending in ["", "-wal", "-nlog", "-shm", "-journal"] {
      try Data("label-in-a-plain-column".utf8).write(to: URL(fileURLWithPath: draft + ending))
    }
    #expect(try convert(to: .file).wasConverted)
    try expectNoDraft()
    try expectVaults(.file)
    try Data("label-in-a-plain-column".utf8).write(to: URL(fileURLWithPath: draft))
    #expect(try Store.framing(of: scene.path).faults.map(\.kind) == [.unfinished])
    #expect(try !convert(to: .file).wasConverted)
    try expectNoDraft()
    try Data("label-in-a-plain-column".utf8).write(to: URL(fileURLWithPath: draft))
    try Store.delete(at: scene.path)
    try expectNoDraft()
  }

  @Test func `whoever opened the file before the exchange gets an error, and writes nothing`()
    throws
  {
    try fill()
    try scene.edit("PRAGMA journal_mode = DELETE")
    var configuration = ConnectionConfiguration()
    configuration.setsJournalMode = false
    // Without a log it holds no lock, so nobody sees that it has the file open.
    let late = try Connection(path: scene.path, mode: .readWrite, configuration: configuration)
    _ = try late.scalar("SELECT count(*) FROM Vault")
    let exchange = try FileExchange(scene.path, sealedBy: nil)
    try exchange.deleteDraft()
    try exchange.makeDraft(sealedBy: nil, header: [])
    try exchange.exchange()
    exchange.close()
    let after = try bytes()
    #expect(throws: SQLiteError.self) { try late.execute("DELETE FROM Vault") }
    #expect(throws: SQLiteError.self) { _ = try late.scalar("SELECT count(*) FROM Vault") }
    try? late.close()
    #expect(try bytes() == after)
    try expectVaults(.properties)
  }

  @Test func `whoever opened a sealed file before the exchange gets an error, too`() throws {
    try fill(.file)
    let late = try scene.open {
      $0.seals = .file
      $0.pragmas.journalMode = .delete
    }
    let sealer = try #require(late.engine.fileHeader?.sealer)
    let exchange = try FileExchange(scene.path, sealedBy: sealer)
    try exchange.makeDraft(sealedBy: nil, header: [])
    try exchange.exchange()
    exchange.close()
    let after = try bytes()
    #expect(throws: NacreError.self) { try late.write { try $0.execute("DELETE FROM Vault") } }
    #expect(throws: NacreError.self) { _ = try late.read { _ in try Vault.fetchAll() } }
    try? late.close()
    #expect(try bytes() == after)
  }

  @Test func `until the exchange the store is the former one, and nothing beside it counts`() throws
  {
    try fill()
    let exchange = try FileExchange(scene.path, sealedBy: nil)
    try exchange.makeDraft(sealedBy: nil, header: [])
    exchange.close()
    #expect(FileManager.default.fileExists(atPath: draft))
    try expectVaults(.properties)
    #expect(try convert(to: .file).wasConverted)
    try expectNoDraft()
    try expectVaults(.file)
  }
}
