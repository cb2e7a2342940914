import Foundation
import NacreCore

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for the same seed, on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Makes what follows depend on another number as well.
  mutating func stir(_ number: UInt64) { state = next() ^ number }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// An objectID of version 4, so that new objects lie anywhere among the old ones.
  mutating func objectID() -> UUID {
    let (high, low) = (next(), next())
    return ObjectID(
      high: high & ~0xF000 | 0x4000,
      low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    ).uuid
  }
}
