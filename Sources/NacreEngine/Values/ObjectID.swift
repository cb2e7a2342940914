public import Foundation

/// The 16 bytes of an object's UUID as two big-endian halves: what is compared, hashed, bound and sealed.
///
/// Foundation's `UUID` is the public face; in the hot paths two integers hash and copy several times faster.
public struct ObjectID: Hashable, Comparable, Sendable {
  /// Bytes 0 to 7.
  public let high: UInt64
  /// Bytes 8 to 15.
  public let low: UInt64

  /// Makes an identifier from its two halves.
  @inlinable
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Makes an identifier from a UUID.
  public init(_ uuid: UUID) {
    self = withUnsafeBytes(of: uuid.uuid) { ObjectID(bytes: $0) }
  }

  /// Makes an identifier from 16 bytes in the order of RFC 9562; `bytes` must hold at least 16.
  package init(bytes: UnsafeRawBufferPointer) {
    high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// The identifier as a UUID.
  public var uuid: UUID {
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) {
      $0.storeBytes(of: high.bigEndian, as: UInt64.self)
      $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    return UUID(uuid: bytes)
  }

  /// The 16 bytes, in order.
  func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { try body($0) }
  }

  /// The 16 bytes, as they are bound where an argument is a value.
  package var data: Data { withBytes { Data($0) } }

  /// Identifiers are ordered as their bytes are.
  public static func < (a: ObjectID, b: ObjectID) -> Bool {
    a.high != b.high ? a.high < b.high : a.low < b.low
  }

  /// Both halves are taken as they are: the low half of every version of UUID that we make is random.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(low ^ high)
  }
}

extension ObjectID: CustomStringConvertible {
  /// The usual text of a UUID.
  public var description: String { uuid.uuidString }
}
