import Foundation
import NacreCore
import NacreOpen
import NacreSQLite
import Testing
@testable import TestSupport

/// Paths and files that are not what a store needs.
@Suite struct FileTests {
  private func expectUnchanged(
    _ code: NacreError.Code,
    _ bytes: Data,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let scene = try Scene()
    try bytes.write(to: URL(fileURLWithPath: scene.path))
    expectError(code, sourceLocation: sourceLocation) { _ = try scene.open() }
    #expect(try scene.fileBytes() == ["store.db": bytes], sourceLocation: sourceLocation)
  }

  @Test func `a file that is no database stays as it is`() throws {
    try expectUnchanged(.notAStore, Data("hello, world\n".utf8))
    // SQLite would take it for an empty database.
    try expectUnchanged(.notAStore, Data("R".utf8))
    try expectUnchanged(.notAStore, Data(repeating: 0xFF, count: 10_000))
    try expectUnchanged(.notAStore, Data("SQLite format 3\0".utf8) + Data(count: 4096))
  }

  @Test func `another program's database stays as it is`() throws {
    let scene = try Scene()
    try Data().write(to: URL(fileURLWithPath: scene.path))
    try scene.edit("CREATE TABLE theirs (a)")
    try scene.edit("INSERT INTO theirs VALUES (1)")
    let before = try scene.fileBytes()
    for unlock in [Scene.unlock, nil] {
      expectError(.notAStore) { _ = try scene.open(unlock) }
      #expect(try scene.fileBytes() == before)
    }
  }

  @Test func `a table of our name in another program's database makes it no store`() throws {
    let scene = try Scene()
    try Data().write(to: URL(fileURLWithPath: scene.path))
    try scene.edit("CREATE TABLE nacre_store (other)")
    let before = try scene.fileBytes()
    #expect(throws: NacreError.self) { _ = try scene.open() }
    #expect(try scene.fileBytes() == before)
  }

  @Test func `a store of a later format is refused and stays as it is`() throws {
    let scene = try Scene()
    try scene.open().close()
    try scene.edit("UPDATE nacre_store SET value = 3 WHERE name = 'format'")
    let before = try scene.fileBytes()
    expectError(.newerFormat) { _ = try scene.open() }
    expectError(.newerFormat) { _ = try scene.open(nil) }
    #expect(try scene.fileBytes() == before)
  }

  @Test func `an empty file becomes a store`() throws {
    let scene = try Scene()
    try Data().write(to: URL(fileURLWithPath: scene.path))
    try scene.open().close()
    try scene.open().close()
  }

  @Test func `a damaged page is corruption and no crash`() throws {
    let scene = try Scene()
    let store = try scene.open()
    let car = Car.create()
    car.wheels = (0..<500).map { _ in Wheel.create() }
    try scene.save(car, in: store)
    try store.close()
    var bytes = try scene.directory.bytes("store.db")
    for index in 4096 * 8..<bytes.count { bytes[index] = 0x5A }
    try bytes.write(to: URL(fileURLWithPath: scene.path))
    let error = #expect(throws: NacreError.self) {
      let store = try scene.open()
      try store.read { _ in
        _ = try Wheel.fetchAll()
        _ = try Car.fetchAll()
      }
    }
    // The copy of the catalog can lie on a damaged page, too.
    #expect([.corrupt, .catalogTampered].contains(error?.code))
  }

  @Test func `a truncated file is corruption or no store, and no crash`() throws {
    let scene = try Scene()
    let store = try scene.open()
    try scene.save(Car.create(), in: store)
    try store.close()
    let bytes = try scene.directory.bytes("store.db")
    for count in [16, 99, 100, 4095, 4096, 8192, bytes.count - 4096] {
      try bytes.prefix(count).write(to: URL(fileURLWithPath: scene.path))
      do {
        let store = try scene.open()
        try store.read { _ in _ = try Car.fetchAll() }
        Issue.record("\(count) bytes opened")
      } catch let error as NacreError {
        #expect([.corrupt, .notAStore].contains(error.code), "\(count): \(error)")
      }
    }
  }

  @Test func `a directory is no store`() throws {
    let scene = try Scene()
    expectError(.cannotOpen) { _ = try Store.open(scene.directory.path, unlock: Scene.unlock) }
  }

  @Test func `missing directories are made`() throws {
    let scene = try Scene("a/b c/d'\"e/store.db")
    let store = try scene.open()
    try scene.save(Node.create(), in: store)
    #expect(FileManager.default.fileExists(atPath: scene.path))
  }

  @Test func `a file in the way of a directory can't be opened`() throws {
    let scene = try Scene("file/store.db")
    try Data("x".utf8).write(to: URL(fileURLWithPath: scene.directory.file("file")))
    expectError(.cannotOpen) { _ = try scene.open() }
    #expect(try scene.directory.bytes("file") == Data("x".utf8))
  }

  @Test(arguments: ["", ":memory:", "a\0b", "\0"])
  func `a path that names no file is refused`(_ path: String) throws {
    expectError(.cannotOpen) { _ = try Store.open(path) }
  }

  @Test func `a path that looks like a URI is a path`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("file:x?mode=memory%20#.db")
    try Store.open(path).close()
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func `a missing file is an error where the options say so`() throws {
    let scene = try Scene("deep/store.db")
    expectError(.cannotOpen) { _ = try scene.open { $0.createIfMissing = false } }
    #expect(!FileManager.default.fileExists(atPath: scene.directory.file("deep")))
  }

  @Test func `a file system that takes no file is an error`() throws {
    expectError(.cannotOpen) { _ = try Store.open("/proc/nacre/store.db") }
    expectError(.cannotOpen) { _ = try Store.open("/proc/store.db") }
  }

  @Test func `a read-only directory and file are refused and stay as they are`() async throws {
    let scene = try Scene()
    try makeStore(scene)
    let directory = scene.directory.path
    // Another process, for the superuser is held by no permission and can't come back from being somebody else.
    await #expect(processExitsWith: .success) { [directory = directory as String] in
      try FileTests.expectReadOnly(directory)
    }
    chmod(directory, 0o755)
  }

  private func makeStore(_ scene: Scene) throws {
    let store = try scene.open()
    try scene.save(Node.create(), in: store)
    try store.close()
  }

  private static func expectReadOnly(_ directory: String) throws {
    let path = directory + "/store.db"
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    chmod(path, 0o444)
    chmod(directory, 0o555)
    if getuid() == 0 { #expect(setuid(65534) == 0) }
    for name in ["store.db", "new.db"] {
      do {
        let store = try Store.open(directory + "/" + name)
        try store.save([Node.create()])
        Issue.record("\(name) was written")
      } catch let error as NacreError {
        #expect([.readOnly, .cannotOpen].contains(error.code), "\(error)")
      }
    }
    expectError(.readOnly) { try Store.delete(at: path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["store.db"])
  }

  @Test func `an open store is not deleted under any name, and a directory never`() throws {
    let scene = try Scene()
    let store = try scene.open()
    let link = scene.directory.file("link.db")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: scene.path)
    let hard = scene.directory.file("hard.db")
    try FileManager.default.linkItem(atPath: scene.path, toPath: hard)
    for path in [
      scene.path, link, hard, scene.directory.path + "/./store.db",
      scene.directory.path + "/../" + URL(fileURLWithPath: scene.directory.path).lastPathComponent
        + "/store.db",
    ] {
      expectError(.busy) { try Store.delete(at: path) }
    }
    try scene.save(Node.create(), in: store)
    try store.close()
    expectError(.readOnly) { try Store.delete(at: scene.directory.path) }
    #expect(Store.exists(at: scene.path))
    try Store.delete(at: scene.path)
    #expect(!Store.exists(at: scene.path))
    try Store.delete(at: scene.path)
  }

  @Test func `a store is deleted with its log by a link to it`() throws {
    let scene = try Scene("data/store.db")
    let store = try scene.open()
    try scene.save(Node.create(), in: store)
    let link = scene.directory.file("link.db")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: scene.path)
    try store.close()
    // Somebody was killed, and left a log.
    try Data([1]).write(to: URL(fileURLWithPath: scene.path + "-wal"))
    try Store.delete(at: link)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: scene.directory.path) == ["data"])
  }

  @Test func `a backup that fails leaves no file`() throws {
    let scene = try Scene()
    let store = try scene.open()
    try scene.save(Node.create(), in: store)
    let path = scene.directory.file("backup.db")
    let before = try FileManager.default.contentsOfDirectory(atPath: scene.directory.path).sorted()
    expectError(.busy) {
      try store.write { _ in
        try Node.create().save()
        try store.backup(to: path)
      }
    }
    let after = try FileManager.default.contentsOfDirectory(atPath: scene.directory.path).sorted()
    #expect(after == before)
    try store.backup(to: path)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    expectError(.cannotOpen) { try store.backup(to: path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == whole)
  }
}
