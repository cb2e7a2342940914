import Foundation
import Nacre
import NacreDAO

/// The conversations of the current user: one configuration, a file for each user, a table for each
/// conversation.
struct History {
  private let center: DataCenter
  private let chats: any MessageDAO

  /// Opens the conversations of a directory; copies the first release's file there if there is
  /// none.
  ///
  /// - Throws: `ConfigurationError`, `NacreError`, and what copying a file throws.
  init(in directory: String) throws {
    center = History.center(in: directory)
    try History.putFile(at: center.path(of: .user("ada")))
    chats = try center.dao(
      (any MessageDAO).self,
      config: History.resource("chat.xml"),
      userDependent: true
    )
    chats.eventHandler = { _, event in
      switch event {
      case .shouldUpgrade(let table, let old, let new):
        print("upgrade    \(table) from \(old?.description ?? "nothing") to \(new)")
      case .upgradeFailed(let table, let error): print("failed     \(table): \(error)")
      case .tableCreated(let table): print("created    \(table)")
      case .tableDeleted(let table): print("deleted    \(table)")
      }
    }
  }

  /// Returns the data center, which knows where each user's file is and how it is unlocked.
  static func center(in directory: String) -> DataCenter {
    DataCenter(directory: directory) { place in
      // An application asks its user.
      guard case .user(let name) = place else { return DataCenter.Opening() }
      return DataCenter.Opening(unlock: .passphrase("the passphrase of \(name)"))
    }
  }

  /// Returns the URL of a file that belongs to the program.
  ///
  /// - Throws: `CocoaError` where it is missing.
  static func resource(_ name: String) throws -> URL {
    guard let file = Bundle.module.url(forResource: name, withExtension: nil) else {
      throw CocoaError(.fileNoSuchFile)
    }
    return file
  }

  private static func putFile(at path: String) throws {
    if Store.exists(at: path) { return }
    let target = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try FileManager.default.copyItem(at: resource("ada-1.0.db"), to: target)
  }

  /// Upgrades the conversations of the first release, adds messages to them, and prints them.
  ///
  /// - Throws: `NacreError`.
  func run() throws {
    center.currentUser = "ada"
    // The first call of a method upgrades its table.
    for table in try chats.schema().keys.sorted() {
      print("\(table): \(try chats.forTable(table).unread()) unread")
    }
    let garden = chats.forTable("chat_garden")
    try store(
      [
        Message(number: 4, author: "bob", content: "Seeds arrived", sent: "2026-03-04"),
        Message(number: 2, author: "bob", content: "Bring the spade!", sent: "2026-03-02"),
        Message(number: 5, author: "cleo", content: "a photo", sent: "2026-03-05", kind: "image"),
      ],
      in: garden
    )
    try search(garden)

    // The same DAO, and another user's file.
    center.currentUser = "bob"
    try store([Message(number: 1, author: "ada", content: "Hello", sent: "2026-03-06")], in: garden)
    print("bob        \(try garden.unread()) unread")

    center.currentUser = nil
    if let error = garden.put([]).error { print("nobody     \(error)") }
    try center.close()
  }

  private func store(_ messages: [Message], in chat: any MessageDAO) throws {
    let result = chat.put(messages)
    if let error = result.error { throw error }
    let changed = result.flags.count { $0 == .excepted }
    print("stored     \(result.flags.count - changed) new, \(changed) changed")
  }

  private func search(_ chat: any MessageDAO) throws {
    let all = try chat.search(authors: [], from: nil, before: nil, onlyUnread: false)
    print("all        \(all.map(\.number))")
    let found = try chat.search(
      authors: ["bob", "cleo"],
      from: "2026-03-02",
      before: "2026-03-05",
      onlyUnread: false
    )
    for message in found {
      print("found      \(message.number) \(message.author): \(message.content ?? "nothing")")
    }
    try chat.markRead(found.map(\.number))
    print("read       \(chat.lastChangedRowCount)")
    let unread = try chat.search(authors: [], from: nil, before: nil, onlyUnread: true)
    print("unread     \(unread.map { "\($0.number) \($0.kind)" }.joined(separator: ", "))")
  }
}
