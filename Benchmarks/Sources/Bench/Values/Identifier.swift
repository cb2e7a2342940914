import Foundation

/// The 16 bytes of a UUID as two big-endian halves, as the floor keeps them.
struct Identifier: Hashable {
  let high: UInt64
  let low: UInt64

  /// The same identifier as Foundation has it.
  var uuid: UUID {
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) {
      $0.storeBytes(of: high.bigEndian, as: UInt64.self)
      $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    return UUID(uuid: bytes)
  }
}

/// Gives out UUIDs of version 7 (RFC 9562 section 5.7), ascending and the same in every run.
struct IdentifierSequence {
  // 1/4096 ms each; any moment will do that makes the bytes look as they do in life.
  private var tick: UInt64 = 1_770_000_000_000 << 12
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func next() -> Identifier {
    // About 2.4 µs between two objects.
    tick += 10
    return Identifier(
      high: (tick >> 12) << 16 | 0x7000 | (tick & 0xFFF),
      low: (random.next() & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
    )
  }
}

/// SplitMix64: every run measures the same data.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
