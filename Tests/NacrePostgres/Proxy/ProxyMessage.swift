#if PostgreSQL
import Foundation

/// A message between a client and the server, as it goes through a proxy.
struct ProxyMessage: Sendable {
  /// The side to which a message goes.
  enum Direction: Sendable { case toServer, toClient }

  let direction: Direction
  /// Its place among the messages that have gone to that side, from 1.
  let number: Int
  /// The message with its letter and its length; the first of a connection has no letter.
  let bytes: ArraySlice<UInt8>
  /// The texts of the statements that it asks the server to run or to prepare.
  let texts: [String]
  /// The text of the statement after which it ends a pipeline; nil if it ends none.
  let synced: String?
  /// Their numbers among those of all connections, from 1.
  let statements: Range<Int>

  /// Reads a message.
  ///
  /// - Parameters:
  ///   - direction: The side to which it goes.
  ///   - number: Its place among the messages that have gone to that side, from 1.
  ///   - bytes: The message.
  ///   - statementCount: How many statements clients have sent before it.
  ///   - session: What its client has prepared, which learns of the message.
  init(
    _ direction: Direction,
    number: Int,
    _ bytes: ArraySlice<UInt8>,
    after statementCount: Int,
    in session: inout ProxiedStatements
  ) {
    (self.direction, self.number, self.bytes) = (direction, number, bytes)
    let isSync = direction == .toServer && bytes.first == UInt8(ascii: "S")
    synced = isSync ? session.last : nil
    texts = direction == .toServer ? Self.texts(of: bytes, &session) : []
    statements = (statementCount + 1)..<(statementCount + 1 + texts.count)
  }

  /// Returns the texts of a client's message: of a Query or a Parse, or of a Bind's statement if it has a name.
  ///
  /// A statement without a name is counted by its Parse. The statements of this package stand in a Query with a
  /// semicolon and a blank between them.
  private static func texts(
    of bytes: ArraySlice<UInt8>,
    _ session: inout ProxiedStatements
  ) -> [String] {
    // The values behind the names are left alone: they may be megabytes, which would take seconds to read as a text.
    let fields = { (count: Int) in
      bytes.dropFirst(5).split(separator: 0, maxSplits: count, omittingEmptySubsequences: false)
        .prefix(count).map { String(decoding: $0, as: UTF8.self) }
    }
    switch bytes.first {
    case UInt8(ascii: "Q"): return fields(1)[0].components(separatedBy: "; ")
    case UInt8(ascii: "P"):
      let fields = fields(2)
      let (name, text) = (fields[0], fields[1])
      if !name.isEmpty { session.prepared[name] = text }
      session.last = name.isEmpty ? text : ""
      return [text]
    case UInt8(ascii: "B"):
      let name = fields(2)[1]
      guard !name.isEmpty else { return [] }
      session.last = session.prepared[name] ?? name
      return [session.last]
    default: return []
    }
  }

  /// Whether the message contains a text.
  func contains(_ text: String) -> Bool { Data(bytes).range(of: Data(text.utf8)) != nil }

  /// Whether it asks the server to cancel what another connection runs (CancelRequest).
  var isCancelRequest: Bool {
    direction == .toServer && bytes.count == 16
      && bytes.dropFirst(4).starts(with: [4, 210, 22, 46])
  }

  /// Whether it tells the end of a statement with a tag.
  func isEnd(of tag: String) -> Bool {
    direction == .toClient && bytes.first == UInt8(ascii: "C") && contains(tag)
  }

  /// Whether it asks the server to run a statement, which it does when the next messages have come.
  func runs(_ text: String) -> Bool {
    guard direction == .toServer, texts.contains(text) else { return false }
    // A statement with a name is prepared by its Parse, and runs by a Bind.
    return bytes.first != UInt8(ascii: "P") || bytes.dropFirst(5).first == 0
  }

  /// Whether the server has all that it needs to run a statement when this has come.
  func completes(_ text: String) -> Bool {
    direction == .toServer && (bytes.first == UInt8(ascii: "Q") && runs(text) || synced == text)
  }

  /// Returns the message with another statement in the place of one.
  ///
  /// - Parameters:
  ///   - number: The number of the one.
  ///   - sql: The other one.
  /// - Returns: The bytes of the message.
  func replacing(_ number: Int, by sql: String) -> [UInt8] {
    switch bytes.first {
    case UInt8(ascii: "Q"):
      var texts = texts
      texts[number - statements.lowerBound] = sql
      return Self.message("Q", Array(texts.joined(separator: "; ").utf8) + [0])
    case UInt8(ascii: "P"):
      let fields = bytes.dropFirst(5)
        .split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
      return Self.message(
        "P",
        Array([fields[0], ArraySlice(sql.utf8), fields[2]].joined(separator: [0]))
      )
    default:
      // No names, no types and no values of parameters; the result is a text.
      return Self.message("P", [0] + Array(sql.utf8) + [0, 0, 0])
        + Self.message("B", [0, 0, 0, 0, 0, 0, 0, 0])
    }
  }

  /// Returns the message with another statement in the place of the one that has a text.
  func replacing(_ text: String, by sql: String) -> [UInt8] {
    guard let place = texts.firstIndex(of: text) else { return Array(bytes) }
    return replacing(statements.lowerBound + place, by: sql)
  }

  /// Returns a message with its letter and its length.
  static func message(_ letter: Unicode.Scalar, _ body: [UInt8]) -> [UInt8] {
    [UInt8(ascii: letter)] + bigEndian(UInt32(body.count + 4)) + body
  }

  /// Returns a number as the protocol writes it.
  static func bigEndian(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}

/// The statements of one connection.
struct ProxiedStatements {
  /// The texts of those that have a name.
  var prepared: [String: String] = [:]
  /// The text of the one that is to run last; empty if the last message has prepared one.
  var last = ""
}

/// Divides the bytes of one direction of a connection into messages.
struct MessageDivider {
  /// A slice, whose first bytes are taken without a move of the others.
  private var bytes: ArraySlice<UInt8> = []
  /// The bytes before the length: none in a client's first message, and a letter in every other one.
  private var letterCount: Int

  init(_ direction: ProxyMessage.Direction) { letterCount = direction == .toServer ? 0 : 1 }

  mutating func append(_ more: UnsafeRawBufferPointer) { bytes += more }

  /// Takes the next message; nil while a part of it is missing.
  mutating func next() -> ArraySlice<UInt8>? {
    guard bytes.count >= letterCount + 4 else { return nil }
    let length = bytes.dropFirst(letterCount).prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let count = letterCount + length
    guard bytes.count >= count else { return nil }
    defer {
      bytes.removeFirst(count)
      letterCount = 1
    }
    return bytes.prefix(count)
  }
}
#endif
