import TestFaults

/// What becomes of one of a store's files.
enum FileMutation: CaseIterable {
  /// Nothing but random bytes.
  case noise
  /// Random bytes behind the magic of the file.
  case noiseBehindMagic
  /// A few other bits.
  case bits
  /// A part of the file, from anywhere, as random bytes.
  case part
  case cut
  /// A part of the file in place of another one.
  case moved
  /// The same file of another store.
  case otherStore
  case longer

  func apply(
    to bytes: inout [UInt8],
    other: [UInt8]?,
    _ generator: inout SeededGenerator
  ) {
    switch self {
    case .noise: bytes = generator.bytes(Int.random(in: 0..<200_000, using: &generator))
    case .noiseBehindMagic:
      bytes = bytes.prefix(16) + generator.bytes(max(0, bytes.count - 16))
    case .bits:
      for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
        let place = place(in: bytes, &generator)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      }
    case .part:
      guard !bytes.isEmpty else { return }
      let start = place(in: bytes, &generator)
      let end = min(bytes.count, start + Int.random(in: 1...5_000, using: &generator))
      bytes.replaceSubrange(start..<end, with: generator.bytes(end - start))
    case .cut:
      bytes.removeLast(bytes.count - Int.random(in: 0...bytes.count, using: &generator))
    case .moved: move(in: &bytes, &generator)
    case .otherStore: bytes = other ?? []
    case .longer: bytes += generator.bytes(Int.random(in: 1...9_000, using: &generator))
    }
  }

  /// Exchanges two parts, mostly where pages are.
  private func move(in bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    let size = Bool.random(using: &generator) ? 4_096 : 4_120
    guard bytes.count >= 3 * size else { return }
    let start = bytes.count % size
    let count = (bytes.count - start) / size
    let places = (0..<2).map { _ in start + Int.random(in: 0..<count, using: &generator) * size }
    let parts = places.map { Array(bytes[$0..<$0 + size]) }
    bytes.replaceSubrange(places[0]..<places[0] + size, with: parts[1])
    bytes.replaceSubrange(places[1]..<places[1] + size, with: parts[0])
  }

  private func place(in bytes: [UInt8], _ generator: inout SeededGenerator) -> Int {
    // The beginning of a file decides most.
    let end = Bool.random(using: &generator) ? min(bytes.count, 600) : bytes.count
    return Int.random(in: 0..<end, using: &generator)
  }
}
