import Foundation
import Nacre
import NacreDAO
@testable import TestSupport
import Testing

@Suite(.sqliteOnly("a DAO keeps its tables in a file")) struct DAOMacroTests {
  private let directory: TemporaryDirectory
  private let center: DataCenter

  init() throws {
    directory = try TemporaryDirectory()
    center = DataCenter(directory: directory.file("center"))
    center.currentUser = "ada"
  }

  private static let configuration = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "chat.xml")

  private func chat() throws -> any ChatDAO {
    try center.dao((any ChatDAO).self, config: Self.configuration, userDependent: true)
  }

  private static func message(_ id: Int, _ content: String?, by author: String) -> ChatMessage {
    let message = ChatMessage.create()
    (message.msgId, message.content, message.author) = (id, content, author)
    return message
  }

  private func filled() throws -> any ChatDAO {
    let chat = try chat()
    let messages = [
      Self.message(1, "hello", by: "ada"), Self.message(2, nil, by: "bob"),
      Self.message(3, "bye", by: "ada"),
    ]
    #expect(chat.addMessages(messages).succeeded)
    return chat
  }

  @Test func `methods of the protocol run those of the configuration`() throws {
    let chat = try filled()
    #expect(try chat.count() == 3)
    #expect(try chat.ids() == [1, 2, 3])
    #expect(try chat.find(nil, nil).map(\.content) == ["hello", nil, "bye"])
    chat.markRead(2)
    #expect(try chat.find(nil, true).map(\.msgId) == [2])
    #expect(try chat.find(3, false).map(\.content) == ["bye"])
    #expect(try chat.message(withID: 1)?.author == "ada")
    #expect(try chat.message(withID: 9) == nil)
    #expect(try chat.rows().map { $0["author"] as? String } == ["ada", "bob", "ada"])
    #expect(
      try chat.summaries() == [
        ChatSummary(author: "ada", messages: 2), ChatSummary(author: "bob", messages: 1),
      ]
    )
  }

  @Test func `a sealed value opens only into an object of its class`() throws {
    let chat = try filled()
    #expect(try chat.find(1, nil).first?.content == "hello")
    let error = #expect(throws: NacreError.self) { try chat.content(of: 1) }
    #expect(error?.code == .valueMismatch)
    #expect(try chat.contents(of: [2]) == [nil])
  }

  @Test func `a name with more arguments is another method`() throws {
    let chat = try chat()
    try chat.add(id: 1, content: nil)
    try chat.add(id: 2, content: nil, author: "bob")
    #expect(chat.lastInsertRowID == 2)
    #expect(try chat.summaries().map(\.author) == ["", "bob"])
  }

  @Test func `a call that fails throws, or returns the error, and changes nothing`() throws {
    let chat = try filled()
    let error = #expect(throws: NacreError.self) { try chat.add(id: 1, content: "again") }
    #expect(error?.code == .constraint && error?.entity == "Chat" && error?.property == "add")
    let again = [Self.message(4, "new", by: "ada"), Self.message(3, "old", by: "ada")]
    let result = chat.addMessages(again)
    #expect((result.error as? NacreError)?.code == .constraint)
    #expect(try chat.count() == 3)
  }

  @Test func `the same protocol is called from a task`() async throws {
    let chat = try chat()
    let messages = [Self.message(1, "hello", by: "ada"), Self.message(2, nil, by: "bob")]
    #expect(await chat.addMessages(messages).succeeded)
    try await chat.markRead(1)
    #expect(try await chat.find(nil, true).map(\.content) == ["hello"])
    #expect(try await chat.summaries().map(\.messages) == [1, 1])
    center.currentUser = nil
    let error = await #expect(throws: NacreError.self) { try await chat.markRead(1) }
    #expect(error?.code == .noUser)
  }

  @Test func `a DAO follows the user, and its own table name`() throws {
    let chat = try filled()
    center.currentUser = "bob"
    #expect(try chat.count() == 0)
    center.currentUser = "ada"
    #expect(try chat.count() == 3)
    chat.tableName = "chat_7"
    #expect(try chat.count() == 0)
    #expect(chat.deleteTable().succeeded)
    let count = try center.dao(
      (any Chats.CountDAO).self,
      config: Self.configuration,
      userDependent: true,
      models: [ChatMessage.self, ChatSummary.self]
    )
    #expect(try count.count() == 3)
    try center.close()
  }

  @Test func `one error lists all that does not match the configuration`() throws {
    let error = #expect(throws: ConfigurationError.self) {
      try center.commonStore.dao(
        (any Chats.MistakenDAO).self,
        config: Self.configuration,
        models: [ChatMessage.self]
      )
    }
    let issues = error?.issues ?? []
    #expect(issues.map(\.line) == [0, 12, 32, 35])
    let place = /ChatDAO\.swift:\d+/
    #expect(issues.allSatisfy { $0.message.contains(place) })
    #expect(issues.first?.message.contains("ChatDAO.swift:49") == true)
    try center.close()
  }

  @Test func `a protocol that is not marked has no DAO`() throws {
    let error = #expect(throws: NacreError.self) {
      try center.commonStore.dao((any Chats.Unmarked).self, config: "<module/>")
    }
    #expect(error?.code == .noProxy)
    try center.close()
  }
}
