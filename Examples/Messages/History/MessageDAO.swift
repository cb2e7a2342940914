import Nacre
import NacreDAO

/// A message of a conversation; the configuration seals its content.
struct Message: Codable, Sendable {
  var number: Int
  var author: String
  var content: String?
  /// The day, such as `2026-03-01`.
  var sent: String
  var kind = "text"
  var isRead = false
}

/// The methods that `chat.xml` describes; each conversation is a table of its own.
@DAO protocol MessageDAO: DAOProtocol {
  func put(_ messages: [Message]) -> DAOResult
  func search(authors: [String], from: String?, before: String?, onlyUnread: Bool) throws
    -> [Message]
  func markRead(_ numbers: [Int]) throws
  func unread() throws -> Int
}
