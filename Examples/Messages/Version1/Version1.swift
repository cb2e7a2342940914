import Foundation
import Nacre
import NacreDAO

/// The first release: it wrote the file in `Resources`.
enum Version1 {
  /// A message as the first release had it.
  struct Message: Codable, Sendable {
    var number: Int
    var author: String
    var content: String?
    var sent: String
  }

  private static let conversations = [
    "chat_garden": [
      Message(number: 1, author: "ada", content: "Shall we plant today?", sent: "2026-03-01"),
      Message(number: 2, author: "bob", content: "Bring the spade", sent: "2026-03-02"),
      Message(number: 3, author: "cleo", content: nil, sent: "2026-03-03"),
    ],
    "chat_reading": [
      Message(number: 1, author: "cleo", content: "Chapter four is long", sent: "2026-02-20")
    ],
  ]

  /// Writes Ada's file as the first release did, whose calls had no protocol.
  ///
  /// - Parameter directory: where it is made.
  /// - Throws: `ConfigurationError` and `NacreError`.
  static func write(to directory: String) throws {
    let center = History.center(in: directory)
    center.currentUser = "ada"
    let dao = try center.dao(
      config: History.resource("chat-1.0.xml"),
      userDependent: true,
      models: [Message.self]
    )
    for (table, messages) in conversations {
      dao.tableName = table
      if let error = dao.call("add", [messages]).error { throw error }
    }
    try center.close()
  }
}
