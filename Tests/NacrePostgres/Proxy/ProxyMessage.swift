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

  /// Whether it is a query of the simple protocol that contains a text.
  func isQuery(_ text: String) -> Bool {
    direction == .toServer && bytes.first == UInt8(ascii: "Q") && contains(text)
  }
}

/// Divides the bytes of one direction of a connection into messages.
struct MessageDivider {
  private var bytes: [UInt8] = []
  /// The bytes before the length: none in a client's first message, and a letter in every other one.
  private var letterCount: Int

  init(_ direction: ProxyMessage.Direction) { letterCount = direction == .toServer ? 0 : 1 }

  mutating func append(_ more: UnsafeRawBufferPointer) { bytes += more }

  /// Takes the next message; nil while a part of it is missing.
  mutating func next() -> ArraySlice<UInt8>? {
    guard bytes.count >= letterCount + 4 else { return nil }
    let length = bytes[letterCount..<(letterCount + 4)].reduce(0) { $0 << 8 | Int($1) }
    let count = letterCount + length
    guard bytes.count >= count else { return nil }
    defer {
      bytes.removeFirst(count)
      letterCount = 1
    }
    return bytes[..<count]
  }
}
#endif
