/// SplitMix64 (Steele, Lea and Flood, 2014): the same numbers from the same seed, everywhere.
struct SeededGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to `limit`; so far below 2^64 the remainder is as good as even.
  mutating func number(below limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// One of some elements, of which there is at least one.
  mutating func pick<T>(_ elements: [T]) -> T { elements[number(below: elements.count)] }
}
