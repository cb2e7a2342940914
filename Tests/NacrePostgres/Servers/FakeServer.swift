#if PostgreSQL
import Foundation
@testable import TestSupport

/// Speaks as much of the protocol as lets a client in, says which server it is, and hangs up at the first statement.
final class FakeServer: Sendable {
  private let directory: TemporaryDirectory
  private let listener: Int32

  /// Listens on a Unix socket in a directory of its own.
  ///
  /// - Parameter parameters: What it says of itself, such as its version.
  /// - Throws: The error of a call of the system.
  init(_ parameters: [String: String]) throws {
    // A client may have gone before its answer.
    signal(SIGPIPE, SIG_IGN)
    directory = try TemporaryDirectory()
    listener = try UnixSocket.listener(at: directory.file(".s.PGSQL.5432"))
    let greeting = Self.greeting(parameters)
    // The thread keeps this object, so the listener's number is nobody else's while it accepts.
    Thread.detachNewThread { [self] in
      while true {
        let client = accept(listener, nil, nil)
        if client < 0, errno == EINTR || errno == ECONNABORTED { continue }
        guard client >= 0 else { return }
        Self.serve(client, greeting)
        UnixSocket.end(client)
      }
    }
  }

  /// The URL of its database.
  var url: String { "postgresql://nacre@/postgres?host=\(directory.path)" }

  /// Takes no more connections, after which the thread ends.
  func close() { shutdown(listener, Int32(SHUT_RDWR)) }

  deinit { UnixSocket.end(listener) }

  /// Returns the messages by which a client is let in: it is who it says, the parameters, a key to cancel by, and that
  /// the server waits for a statement (PostgreSQL's documentation, section 55.2.1).
  private static func greeting(_ parameters: [String: String]) -> [UInt8] {
    let told = parameters.sorted { $0.key < $1.key }.flatMap { name, value in
      ProxyMessage.message("S", Array("\(name)\0\(value)\0".utf8))
    }
    let key = ProxyMessage.bigEndian(1) + ProxyMessage.bigEndian(2)
    return ProxyMessage.message("R", ProxyMessage.bigEndian(0)) + told
      + ProxyMessage.message("K", key) + ProxyMessage.message("Z", [UInt8(ascii: "I")])
  }

  /// Answers a client's first message, and reads until another one comes or the client ends.
  private static func serve(_ client: Int32, _ greeting: [UInt8]) {
    var messages = MessageDivider(.toServer)
    var buffer = [UInt8](repeating: 0, count: 4096)
    var isGreeted = false
    while true {
      let count = read(client, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      buffer.withUnsafeBytes { messages.append(.init(rebasing: $0[..<count])) }
      while messages.next() != nil {
        if isGreeted { return }
        isGreeted = true
        // The greeting fits into a socket's buffer.
        guard write(client, greeting, greeting.count) == greeting.count else { return }
      }
    }
  }
}
#endif
