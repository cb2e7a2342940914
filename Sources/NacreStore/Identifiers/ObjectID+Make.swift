import Foundation
package import NacreEngine
import Synchronization

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
