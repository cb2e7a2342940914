import Foundation
import NacreCore
import NacreOpen
import NacreSQLite
import NacreStore
import NacreUpkeep
import Testing
@testable import TestSupport

/// Stores whose every page is sealed, as an application uses them.
@Suite struct SealedStoreTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private func open(
    _ unlock: Unlock? = Scene.unlock,
    seals: StoreOptions.Seals = .file
  ) throws -> Store {
    try scene.open(unlock) { $0.seals = seals }
  }

  private func saveVaults(_ count: Int, in store: Store) throws {
    try store.write { _ in
      for number in 0..<count {
        let vault = Vault.create()
        vault.label = "label-in-a-plain-column-\(number)"
        vault.secret = "\(Marker.text)-\(number)"
        vault.number = number
        try vault.save()
      }
    }
  }

  /// The names of the files that hold a text, of all files of the scene.
  private func files(holding text: String) throws -> [String] {
    let directory = URL(fileURLWithPath: scene.path).deletingLastPathComponent()
    return try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { name in
      let bytes = try Data(contentsOf: directory.appendingPathComponent(name))
      return bytes.range(of: Data(text.utf8)) != nil
    }
  }

  @Test func `objects come back from a sealed file, which needs no option to be opened again`()
    throws
  {
    let store = try open()
    try saveVaults(200, in: store)
    try store.close()
    let again = try open(seals: .properties)
    let found = try again.read { _ in try Vault.fetchAll(where: "label LIKE ?", "label-in-a-%") }
    #expect(found.count == 200)
    #expect(found.allSatisfy { $0.secret == "\(Marker.text)-\($0.number)" })
    #expect(try again.verify().isSound)
    #expect(try again.check() == [])
    try again.close()
  }

  @Test func `nothing of a sealed file lies open, while it is used and afterwards`() throws {
    let store = try open()
    try saveVaults(200, in: store)
    // Only the term of the full-text index is in lower case.
    for number in 0..<20 { try Article.store("TERMinindex", "number \(number)", in: store) }
    let texts = [
      "label-in-a-plain-column", Marker.text, "Vault", "nacre_store", "SQLite format 3",
      "TERMinindex", "terminindex",
    ]
    for text in texts { #expect(try files(holding: text) == [], "\(text)") }
    try store.close()
    for text in texts { #expect(try files(holding: text) == [], "\(text)") }
  }

  @Test func `a sealed file opens with its secret alone`() throws {
    try open().close()
    expectError(.wrongSecret) { _ = try open(Scene.wrong) }
    expectError(.storeLocked) { _ = try open(nil) }
    expectError(.storeLocked) { _ = try StoreInspection(path: scene.path) }
    let inspection = try StoreInspection(path: scene.path, unlock: Scene.unlock)
    #expect(try inspection.describe().format == 2)
  }

  @Test func `the directories of a sealed file are made`() throws {
    var options = StoreOptions.patient
    options.seals = .file
    let path = scene.path + ".d/deep/store.db"
    let store = try Store.open(path, unlock: Scene.unlock, options: options)
    try saveVaults(1, in: store)
    try store.close()
    #expect(Store.exists(at: path))
  }

  @Test func `memory holds no sealed file, and no copy of one`() throws {
    try open().close()
    expectError(.sealedFileCannot) {
      _ = try Store.inMemory(copyOf: scene.path, unlock: Scene.unlock)
    }
    var options = StoreOptions()
    options.seals = .file
    expectError(.inMemory) { _ = try Store.inMemory(options: options) }
  }

  @Test func `a plain file is refused where a sealed one is wanted`() throws {
    try open(seals: .properties).close()
    expectError(.notSealed) { _ = try open() }
    try open(seals: .properties).close()
  }

  @Test func `a plain file is one, whatever stands where a second header would be`() throws {
    var bytes = Array("SQLite format 3\0".utf8)
    bytes += [UInt8](repeating: 0, count: 32_768 - bytes.count)
    bytes += [0x89] + Array("NACRE\r\n\u{1A}\nfile".utf8) + [0, 0]
    let file = SealedHeaderFile(path: scene.path)
    try Data(bytes).write(to: URL(fileURLWithPath: scene.path))
    #expect(!FileUnlocking.isSealed(file))
    bytes[0] = 0
    try Data(bytes).write(to: URL(fileURLWithPath: scene.path))
    #expect(FileUnlocking.isSealed(file))
  }

  @Test func `slots of a sealed file are added and removed in its header`() throws {
    let store = try open()
    #expect(try store.addSlot(RingScene.unlock(2)) == 2)
    try saveVaults(1, in: store)
    try store.close()
    let again = try open(RingScene.unlock(2))
    try again.removeSlot(1)
    #expect(try again.slots().map(\.id) == [2])
    #expect(try again.read { _ in try Vault.count() } == 1)
    try again.close()
    expectError(.wrongSecret) { _ = try open() }
    try open(RingScene.unlock(2)).close()
  }

  @Test func `an older header before newer pages is refused`() throws {
    try open().close()
    let file = URL(fileURLWithPath: scene.path)
    let older = try Data(contentsOf: file).prefix(65_536)
    let store = try open()
    try store.addSlot(RingScene.unlock(2))
    try store.close()
    let handle = try FileHandle(forUpdating: file)
    try handle.write(contentsOf: older)
    try handle.close()
    expectError(.headerTampered) { _ = try open() }
  }

  @Test func `a file whose pages were all cut off is no new store`() throws {
    let store = try open()
    try store.addSlot(RingScene.unlock(2))
    try store.close()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: scene.path))
    try file.truncate(atOffset: 65_536)
    try file.close()
    expectError(.headerTampered) { _ = try open() }
  }

  @Test func `a backup of a sealed file is one, under a file key of its own`() throws {
    let store = try open()
    try saveVaults(50, in: store)
    let copy = scene.path + ".backup"
    try store.backup(to: copy)
    #expect(try files(holding: "label-in-a-plain-column") == [])
    try store.close()
    let original = try Data(contentsOf: URL(fileURLWithPath: scene.path))
    let copied = try Data(contentsOf: URL(fileURLWithPath: copy))
    // The last bytes of a page: the key's id, and zeros.
    #expect(original[65_536 + 4080..<65_536 + 4084] != copied[65_536 + 4080..<65_536 + 4084])
    var options = StoreOptions.patient
    options.seals = .file
    let opened = try Store.open(copy, unlock: Scene.unlock, options: options)
    #expect(try opened.read { _ in try Vault.count() } == 50)
    #expect(try opened.verify().isSound)
    try opened.close()
  }

  @Test func `the keys of values rotate in a sealed file`() throws {
    let store = try open()
    try saveVaults(100, in: store)
    #expect(try store.rotate().outcome == .finished)
    #expect(try store.verify().isSound)
    try store.close()
    let again = try open()
    #expect(
      try again.read { _ in try Vault.fetchAll().count { $0.secret.hasPrefix(Marker.text) } } == 100
    )
    try again.close()
  }

  @Test func `a changed page is refused by its number`() throws {
    let store = try open()
    try saveVaults(500, in: store)
    try store.close()
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: scene.path))
    let pages = (try handle.seekToEnd() - 65_536) / 4096
    // The last page holds rows.
    try handle.seek(toOffset: 65_536 + (pages - 1) * 4096 + 10)
    try handle.write(contentsOf: [0, 0, 0, 0])
    try handle.close()
    let again = try open()
    let error = #expect(throws: NacreError.self) {
      try again.read { _ in _ = try Vault.fetchAll() }
    }
    #expect(error?.code == .pageTampered)
    #expect(error?.description.contains("page \(pages) ") == true)
    try again.close()
  }

  @Test(arguments: [0, 32_768])
  func `a damaged copy of the header harms nothing, and both are an error`(offset: UInt64) throws {
    let store = try open()
    try saveVaults(3, in: store)
    try store.close()
    let file = URL(fileURLWithPath: scene.path)
    let handle = try FileHandle(forUpdating: file)
    try handle.seek(toOffset: offset + 100)
    try handle.write(contentsOf: [UInt8](repeating: 0xff, count: 100))
    let again = try open()
    #expect(try again.read { _ in try Vault.count() } == 3)
    try again.close()
    // Opening has written the whole copy over the damaged one; now both are damaged.
    for place in [offset, 32_768 - offset] {
      try handle.seek(toOffset: place + 100)
      try handle.write(contentsOf: [UInt8](repeating: 0xff, count: 100))
    }
    try handle.close()
    expectError(.headerDamaged) { _ = try open() }
  }
}
