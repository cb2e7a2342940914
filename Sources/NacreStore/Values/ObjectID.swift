import NacreCrypto
import Synchronization

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

/// How an entity's identifiers are made.
public enum IdentifierVersion: Sendable {
  /// RFC 9562 section 5.7: begins with the time in milliseconds, so that rows arrive in key order.
  case v7
  /// RFC 9562 section 5.4: all random, for entities that must not show when they were made.
  case v4
}

/// The last `milliseconds << 12 | fraction` that was given out, so that identifiers of one process never go back.
private let lastTick = Atomic<UInt64>(0)

extension ObjectID {
  /// Makes a fresh identifier.
  package static func make(_ version: IdentifierVersion) -> ObjectID {
    let random = IdentifierRandom.next()
    let low = (random.low & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
    switch version {
    case .v4:
      return ObjectID(high: (random.high & ~0xF000) | 0x4000, low: low)
    case .v7:
      let tick = nextTick()
      return ObjectID(high: (tick >> 12) << 16 | 0x7000 | (tick & 0xFFF), low: low)
    }
  }

  /// Milliseconds in the upper bits, 1/4096 of a millisecond in the lower 12 (RFC 9562 section 6.2, method 3).
  private static func nextTick() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let nanoseconds = UInt64(now.tv_sec) &* 1_000_000_000 &+ UInt64(now.tv_nsec)
    let milliseconds = nanoseconds / 1_000_000
    let fraction = (nanoseconds % 1_000_000) * 4096 / 1_000_000
    let tick = milliseconds << 12 | fraction
    var last = lastTick.load(ordering: .relaxed)
    while true {
      let next = max(tick, last &+ 1)
      let (exchanged, original) = lastTick.weakCompareExchange(
        expected: last,
        desired: next,
        ordering: .relaxed
      )
      if exchanged { return next }
      last = original
    }
  }
}
