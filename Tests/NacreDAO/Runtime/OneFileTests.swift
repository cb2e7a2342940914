import Foundation
import NacreCore
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
}
