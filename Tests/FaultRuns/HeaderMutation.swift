import NacreCrypto
import TestFaults

/// What becomes of the 65,536 bytes before the first page of a sealed file, so that nothing opens.
enum HeaderMutation: CaseIterable {
  /// Nothing but random bytes.
  case noise
  /// Random bytes behind the magic of a sealed file.
  case noiseBehindMagic
  /// Random bytes behind the beginning of a plain SQLite file.
  case noiseBehindSQLite
  /// Another byte in each copy.
  case byte
  /// The same, with digests as if somebody had written them.
  case byteUnderDigest
  /// A part of both copies as random bytes, with digests as if somebody had written them.
  case partUnderDigest
  /// A file that ends within the first copy.
  case cut
  /// The beginning of each copy of this store, and the rest of another one's, with digests.
  case spliced

  static let copyByteCount = 32_768
  private static let digestOffset = 32_736

  func apply(to bytes: inout [UInt8], other: [UInt8], _ generator: inout SeededGenerator) {
    switch self {
    case .noise: bytes = generator.bytes(length(&generator))
    case .noiseBehindMagic: bytes = bytes.prefix(16) + generator.bytes(length(&generator))
    case .noiseBehindSQLite:
      bytes = Array("SQLite format 3\0".utf8) + generator.bytes(length(&generator))
    case .byte: eachCopy(&bytes) { change(in: &$0, &generator) }
    case .byteUnderDigest:
      eachCopy(&bytes) { copy in
        change(in: &copy, &generator)
        Self.setDigest(&copy)
      }
    case .partUnderDigest:
      // Behind magic and version, so that it is a header by its digest.
      let start = Int.random(in: 20..<700, using: &generator)
      let part = generator.bytes(Int.random(in: 1..<200, using: &generator))
      eachCopy(&bytes) { copy in
        copy.replaceSubrange(start..<start + part.count, with: part)
        Self.setDigest(&copy)
      }
    case .cut:
      bytes.removeLast(bytes.count - Int.random(in: 0..<Self.copyByteCount, using: &generator))
    case .spliced:
      let middle = Int.random(in: 24..<500, using: &generator)
      guard other.count >= 2 * Self.copyByteCount else { return bytes.removeAll() }
      eachCopy(&bytes) { copy in
        copy.replaceSubrange(middle..<Self.digestOffset, with: other[middle..<Self.digestOffset])
        Self.setDigest(&copy)
      }
    }
  }

  /// Mostly short, as what follows the beginning of a file that is refused is not read.
  private func length(_ generator: inout SeededGenerator) -> Int {
    let isLong = Int.random(in: 0..<16, using: &generator) == 0
    return Int.random(in: 0..<(isLong ? 80_000 : 3_000), using: &generator)
  }

  private func eachCopy(_ bytes: inout [UInt8], _ body: (inout [UInt8]) -> Void) {
    for start in [0, Self.copyByteCount] where bytes.count >= start + Self.copyByteCount {
      var copy = Array(bytes[start..<start + Self.copyByteCount])
      body(&copy)
      bytes.replaceSubrange(start..<start + Self.copyByteCount, with: copy)
    }
  }

  /// Changes a byte, mostly where the fields are.
  private func change(in copy: inout [UInt8], _ generator: inout SeededGenerator) {
    let isInFields = Int.random(in: 0..<4, using: &generator) > 0
    let place = Int.random(in: 0..<(isInFields ? 500 : Self.digestOffset), using: &generator)
    copy[place] ^= UInt8.random(in: 1...255, using: &generator)
  }

  private static func setDigest(_ copy: inout [UInt8]) {
    // Without a digest the copy does not count, which is another case.
    guard let digest = try? SHA256.digest(Array(copy[..<digestOffset])) else { return }
    copy.replaceSubrange(digestOffset..., with: digest)
  }
}

extension SeededGenerator {
  /// Draws bytes.
  mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      withUnsafeBytes(of: next()) { bytes += $0 }
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
