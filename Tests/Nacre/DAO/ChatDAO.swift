import Nacre
import NacreDAO

/// A message; the configuration seals its content.
@Entity final class ChatMessage {
  var msgId = 0
  var content: String?
  var author = ""
  var read = false
}

struct ChatSummary: Codable, Sendable, Equatable {
  var author: String
  var messages: Int
}

/// A chat's methods, as its configuration `chat.xml` describes them.
@DAO protocol ChatDAO: DAOProtocol {
  func addMessages(_ messages: [ChatMessage]) -> DAOResult
  func add(id: Int, content: String?) throws
  /// The same name with more arguments is another method.
  func add(id: Int, content: String?, author: String) throws
  func find(_ id: Int?, _ read: Bool?) throws -> [ChatMessage]
  func message(withID msgId: Int) throws -> ChatMessage?
  func content(of `in`: Int) throws -> String?
  func count() throws -> Int64
  func ids() throws -> [Int32]
  func rows() throws -> [[String: Any]]
  func summaries() throws -> [ChatSummary]
  func contents(of ids: Set<Int>) throws -> [String?]
  func markRead(_ id: Int)
  // The same methods, called from a task.
  func summaries() async throws -> [ChatSummary]
  func addMessages(_ messages: sending [ChatMessage]) async -> DAOResult
  func find(_ id: Int?, _ read: Bool?) async throws -> sending [ChatMessage]
  func markRead(_ id: Int) async throws
}

enum Chats {
  /// A public one that stands in a type.
  @DAO public protocol CountDAO: DAOProtocol {
    func count() throws -> Int
  }

  @DAO protocol MistakenDAO: DAOProtocol {
    func count() throws -> String
    func add(_ id: Int) throws
    func summaries() throws -> ChatSummary
    func missing() -> DAOResult
  }

  protocol Unmarked: DAOProtocol {}
}
