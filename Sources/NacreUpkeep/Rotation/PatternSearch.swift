import Foundation
import NacreStore

/// Counts short patterns in a stream of blocks, including those that cross the border of two blocks.
package struct PatternSearch {
  /// A pattern, and the index of the byte to look for first: one that is rare in a database file.
  private struct Pattern {
    let bytes: [UInt8]
    let anchor: Int

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      anchor = bytes.lastIndex { $0 > 8 && $0 != 0xFF } ?? bytes.count - 1
    }
  }

  private let patterns: [Pattern]
  private let overlap: Int
  /// The end of the previous block, where a pattern may have begun.
  private var tail: [UInt8] = []
  /// How many patterns were found.
  package private(set) var count = 0

  /// A search for patterns of one length.
  package init(_ patterns: [[UInt8]]) {
    self.patterns = patterns.map(Pattern.init)
    overlap = max(0, (patterns.map(\.count).max() ?? 0) - 1)
  }

  /// Begins another stream and keeps the count.
  package mutating func begin() { tail = [] }

  /// Looks through the next block.
  package mutating func feed(_ block: UnsafeRawBufferPointer) {
    let joined = tail + block.prefix(overlap)
    // A pattern does not fit into either part alone, so every match here crosses the seam.
    count += joined.withUnsafeBytes { seam in
      patterns.reduce(0) { $0 + PatternSearch.count($1, in: seam) }
    }
    count += patterns.reduce(0) { $0 + PatternSearch.count($1, in: block) }
    tail =
      block.count >= overlap ? Array(block.suffix(overlap)) : Array((tail + block).suffix(overlap))
  }

  private static func count(_ pattern: Pattern, in block: UnsafeRawBufferPointer) -> Int {
    guard let base = block.baseAddress, block.count >= pattern.bytes.count else { return 0 }
    var count = 0
    var start = pattern.anchor
    let end = block.count - pattern.bytes.count + pattern.anchor
    pattern.bytes.withUnsafeBytes { bytes in
      guard let wanted = bytes.baseAddress else { return }
      while start <= end {
        let found = memchr(base + start, Int32(bytes[pattern.anchor]), end - start + 1)
        guard let found else { return }
        let at = UnsafeRawPointer(found) - base
        if memcmp(base + (at - pattern.anchor), wanted, bytes.count) == 0 { count += 1 }
        start = at + 1
      }
    }
    return count
  }
}
