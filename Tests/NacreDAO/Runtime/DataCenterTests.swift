import Foundation
import NacreCore
import TestSupport
import Testing

@testable import NacreDAO

@Suite struct DataCenterTests {
  private let directory: TemporaryDirectory
  private let center: DataCenter
  private let models: [any Any.Type] = [Message.self, Letter.self]

  init() throws {
    directory = try TemporaryDirectory()
    center = DataCenter(directory: directory.file("center"))
  }

  @Test func `a DAO of the users follows a switch, and fails without a user`() throws {
    let dao = try center.dao(config: Desk.module(""), userDependent: true, models: models)
    #expect(dao.call("add", [1, "a"]).code == .noUser)
    #expect(dao.daoTransaction(.begin).code == .noUser)
    center.currentUser = "ada"
    #expect(dao.call("add", [1, "of Ada"]).succeeded)
    center.currentUser = "bob"
    #expect(try dao.call("count").get() == 0)
    #expect(dao.call("add", [1, "of Bob"]).succeeded)
    center.currentUser = "ada"
    #expect(try dao.call("contents").get() == ["of Ada"])
    center.currentUser = ""
    #expect(dao.call("contents").code == .noUser)
    #expect(throws: NacreError.self) { try dao.databasePath }
    try center.close()
  }

  @Test func `a common DAO takes no notice of users`() throws {
    let dao = try center.dao(
      config: Data(Desk.module("").utf8),
      userDependent: false,
      models: models
    )
    dao.call("add", [1, "common"])
    center.currentUser = "ada"
    #expect(try dao.call("contents").get() == ["common"])
    #expect(try dao.databasePath == directory.file("center/common.db"))
    try center.close()
    #expect(try dao.call("contents").get() == ["common"])
    try center.close()
  }

  @Test func `users whose names look alike have files of their own`() throws {
    let users = ["ada", "Ada", "a/da", "../ada", "a da", "ädä", "%41da", ".", "user"]
    let paths = try users.map { try center.path(of: .user($0)).lowercased() }
    #expect(Set(paths).count == users.count)
    for path in paths {
      #expect((path as NSString).deletingLastPathComponent == center.directory.lowercased())
    }
    let error = #expect(throws: NacreError.self) {
      try center.path(of: .user(String(repeating: "x", count: 300)))
    }
    #expect(error?.code == .cannotOpen)
  }

  @Test func `a user switch in the middle of a transaction is an error and changes nothing`() throws
  {
    let dao = try center.dao(config: Desk.module(""), userDependent: true, models: models)
    center.currentUser = "ada"
    #expect(dao.call("count").succeeded)
    dao.daoTransaction(.begin)
    dao.call("add", [1, "a"])
    center.currentUser = "bob"
    #expect(dao.call("add", [2, "b"]).code == .transactionState)
    #expect(dao.daoTransaction(.commit).code == .transactionState)
    #expect(try dao.call("count").get() == 0)
    center.currentUser = "ada"
    #expect(try dao.call("count").get() == 0)
    #expect(dao.call("add", [1, "a"]).succeeded)
    try center.close()
  }

  @Test func `a user switch in the middle of a transaction says to end that first`() throws {
    let dao = try center.dao(config: Desk.module(""), userDependent: true, models: models)
    func advice(_ result: DAOResult) -> String { result.error.map { "\($0)" } ?? "" }
    center.currentUser = "ada"
    dao.daoTransaction(.begin)
    center.currentUser = "bob"
    let call = advice(dao.call("add", [1, "b"]))
    #expect(call.hasSuffix("End the transaction first, or go back to its user."))
    let commit = advice(dao.daoTransaction(.commit))
    #expect(commit.hasSuffix("The transaction was rolled back; end it before you switch the user."))
    try center.close()
  }

  @Test func `DAOs of one file share its store and its transaction`() throws {
    let first = try center.dao(config: Desk.module(""), databasePath: "sub/own.db", models: models)
    let second = try center.dao(
      config: Desk.module(""),
      databasePath: center.directory + "/sub/../sub/own.db",
      models: models
    )
    second.tableName = "others"
    #expect(try first.store === second.store)
    first.daoTransaction(.begin)
    first.call("add", [1, "a"])
    second.call("add", [1, "a"])
    second.daoTransaction(.rollback)
    #expect(try first.call("count").get() == 0)
    try center.close()
  }

  @Test func `a configuration is read from a file, and a missing one is an error`() throws {
    let url = URL(fileURLWithPath: directory.file("notes.xml"))
    try Data(Desk.module("").utf8).write(to: url)
    let dao = try center.dao(config: url, userDependent: false, models: models)
    #expect(dao.allMethodsList.contains("add"))
    let missing = URL(fileURLWithPath: directory.file("missing.xml"))
    let error = #expect(throws: NacreError.self) {
      try center.dao(config: missing, userDependent: false)
    }
    #expect(error?.code == .cannotOpen)
  }

  @Test func `the data center's closure says how its stores are opened`() throws {
    let center = DataCenter(directory: directory.file("other")) { place in
      if case .user("locked") = place { return .init() }
      return .init(unlock: .keyFile(self.directory.file("my.key"), createIfMissing: true))
    }
    center.currentUser = "ada"
    try center.userValues.set("a", forKey: "k")
    center.currentUser = "locked"
    let error = #expect(throws: NacreError.self) { try center.userValues.set("a", forKey: "k") }
    #expect(error?.code == .noKeyRing)
    try center.close()
  }
}
