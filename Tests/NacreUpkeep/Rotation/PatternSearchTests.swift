import NacreCore
import NacreUpkeep
import Testing

/// Patterns in a stream of blocks.
@Suite struct PatternSearchTests {
  private static let pattern: [UInt8] = [1, 9, 8, 7, 200]

  private func count(_ bytes: [UInt8], blocksOf size: Int, _ patterns: [[UInt8]]) -> Int {
    var search = PatternSearch(patterns)
    for start in stride(from: 0, to: bytes.count, by: size) {
      Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBytes { search.feed($0) }
    }
    return search.count
  }

  @Test(arguments: 1...20)
  func `a pattern is found once wherever blocks divide it`(_ size: Int) {
    let noise: [UInt8] = [1, 9, 8, 1, 9, 8, 7, 1, 200, 0, 200]
    for offset in 0..<16 {
      let bytes = Array(repeating: UInt8(1), count: offset) + Self.pattern + noise + Self.pattern
      #expect(count(bytes, blocksOf: size, [Self.pattern]) == 2)
      #expect(count(bytes, blocksOf: size, [Self.pattern, [1, 1, 1, 9, 9]]) == 2)
    }
  }

  @Test(arguments: [1, 3, 64])
  func `a pattern of common bytes is found`(_ size: Int) {
    let bytes: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0]
    #expect(count(bytes, blocksOf: size, [[1, 0, 0, 0, 1]]) == 2)
    #expect(count(bytes, blocksOf: size, [[1, 0, 0, 0, 2]]) == 0)
  }

  @Test func `a pattern is not found across two streams`() {
    var search = PatternSearch([Self.pattern])
    Self.pattern.prefix(3).withUnsafeBytes { search.feed($0) }
    search.begin()
    Self.pattern.suffix(2).withUnsafeBytes { search.feed($0) }
    #expect(search.count == 0)
  }
}
