import Foundation
import NacreCore
import NacreOpen
import Synchronization
import TestSupport
import Testing

@testable import NacreDAO

/// One file under several paths.
@Suite struct OneFileTests {
  private let directory: TemporaryDirectory
  private let center: DataCenter
  private let models: [any Any.Type] = [Message.self, Letter.self]

  init() throws {
    directory = try TemporaryDirectory()
    center = DataCenter(directory: directory.file("center"))
    try FileManager.default.createDirectory(
      atPath: directory.file("center/sub"),
      withIntermediateDirectories: true
    )
    try link("link", to: "sub")
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: directory.file("center/" + name),
      withDestinationPath: target
    )
  }

  private func dao(_ path: String, table: String = "notes") throws -> DAO {
    let dao = try center.dao(config: Desk.module(""), databasePath: path, models: models)
    dao.tableName = table
    return dao
  }

  @Test func `a file is one store, whatever it is called`() throws {
    let store = try center.store(at: .file("link/own.db"))
    #expect(try center.store(at: .file("sub/own.db")) === store)
    try link("alias.db", to: "sub/own.db")
    try FileManager.default.linkItem(
      atPath: directory.file("center/sub/own.db"),
      toPath: directory.file("center/hard.db")
    )
    let whole = directory.file("center/sub/own.db")
    for path in [
      "./sub/own.db", "sub//own.db", "sub/./own.db", "sub/../link/own.db", "alias.db", "hard.db",
      whole, directory.file("center/link/../sub/own.db"),
    ] {
      #expect(try center.store(at: .file(path)) === store, "\(path)")
    }
    try center.close()
    #expect(try center.store(at: .file("alias.db")) !== store)
    try center.close()
  }

  @Test func `a file of its own can be the common store or a user's`() throws {
    let common = try center.commonStore
    #expect(try center.store(at: .file("common.db")) === common)
    let user = try center.store(at: .file("user-ada.db"))
    #expect(try center.store(at: .user("ada")) === user)
    try center.close()
    let slashed = DataCenter(directory: directory.file("center/"))
    #expect(try slashed.store(at: .file("common.db")) === slashed.commonStore)
    try slashed.close()
  }

  @Test func `DAOs of one file under two paths share a transaction`() throws {
    let (first, second) = (try dao("sub/own.db"), try dao("link/own.db", table: "others"))
    #expect(first.daoTransaction(.begin).succeeded)
    #expect(first.call("add", [1, "a"]).succeeded)
    #expect(second.call("add", [1, "b"]).succeeded)
    #expect(second.daoTransaction(.rollback).succeeded)
    for dao in [first, second] {
      #expect(try !dao.tableExists(dao.tableName))
      #expect(try dao.call("count").get() == 0)
      #expect(try dao.tableExists(dao.tableName))
    }
    first.daoTransaction(.begin)
    first.call("add", [1, "a"])
    second.call("add", [1, "b"])
    #expect(first.daoTransaction(.commit).succeeded)
    #expect(try first.call("contents").get() == ["a"])
    #expect(try second.call("contents").get() == ["b"])
    try center.close()
  }

  @Test func `a file that is removed under one path is gone under all`() throws {
    let first = try dao("sub/own.db")
    #expect(first.call("add", [1, "a"]).succeeded)
    try link("alias.db", to: "sub/own.db")
    try center.removeFile(of: .file("alias.db"))
    #expect(!Store.exists(at: directory.file("center/sub/own.db")))
    #expect(try first.call("count").get() == 0)
    try center.removeFile(of: .file("link/own.db"))
    #expect(!Store.exists(at: directory.file("center/sub/own.db")))
    try center.close()
  }

  @Test func `a link that leads elsewhere later does not mix two files`() throws {
    try link("current.db", to: "user1.db")
    for (name, id) in [("user1.db", 1), ("user2.db", 2)] {
      #expect(try dao(name).call("add", [id, name]).succeeded)
    }
    try center.close()
    let first = try dao("current.db")
    #expect(try first.call("contents").get() == ["user1.db"])
    try FileManager.default.removeItem(atPath: directory.file("center/current.db"))
    try link("current.db", to: "user2.db")
    let second = try dao("user2.db")
    #expect(try first.store !== second.store)
    #expect(try first.store === center.store(at: .file("user1.db")))
    // Nested reads take a reader each, which are opened now.
    let found = try second.store.write { _ in
      try Thread.elsewhere { try second.call("contents").get(as: [String].self) }
    }
    #expect(found == ["user2.db"])
    let other = try first.store.read { _ in
      try Thread.elsewhere { try first.call("contents").get(as: [String].self) }
    }
    #expect(other == ["user1.db"])
    try center.close()
  }

  @Test func `a link to a file that is not there yet is that file's store`() throws {
    try link("ahead.db", to: "sub/later.db")
    let store = try center.store(at: .file("ahead.db"))
    #expect(try center.store(at: .file("link/later.db")) === store)
    try center.close()
  }

  @Test func `a file that is replaced under an open store is an error, not a mixture`() throws {
    let first = try dao("sub/own.db")
    #expect(first.call("add", [1, "a"]).succeeded)
    #expect(try dao("other.db").call("add", [1, "b"]).succeeded)
    let store = try first.store
    try store.read { _ in
      #expect(rename(directory.file("center/other.db"), directory.file("center/sub/own.db")) == 0)
      // The reader that this needs would be opened on another file.
      let code = try Thread.elsewhere { first.call("contents").code }
      #expect(code == .cannotOpen)
    }
    let error = #expect(throws: NacreError.self) { try center.store(at: .file("link/own.db")) }
    #expect(error?.code == .cannotOpen)
    try center.close()
  }
}

extension Thread {
  /// What `body` gives on a thread of its own.
  fileprivate static func elsewhere<T: Sendable>(
    _ body: @escaping @Sendable () throws -> T
  ) throws -> T {
    let end = DispatchSemaphore(value: 0)
    let result = Mutex<Result<T, any Error>?>(nil)
    Thread.detachNewThread {
      let value = Result { try body() }
      result.withLock { $0 = value }
      end.signal()
    }
    end.wait()
    return try #require(result.withLock { $0 }).get()
  }
}
