import Foundation
import Nacre
@testable import TestSupport

// Values that are hard to keep.
extension ValueSlot {
  static let megabyte = 1 << 20
  static let uuids = [
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    UUID(uuid: (255, 254, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
  ]
  static let texts = [
    "", "plain", "it's \"quoted\"; --", "\(TestPlace.nul)a\(TestPlace.nul)b\(TestPlace.nul)",
    "👩🏽‍🚀🇪🇺 e\u{301} é", "1.0", "NULL",
    "\r\n\t\u{FEFF}\u{FFFD}\u{10FFFF}", String(repeating: "mégabyte", count: megabyte / 8),
  ]
  static let blobs = [
    Data(), Data([0]), Data(0...255), Data("text".utf8), Data(repeating: 0xA5, count: megabyte),
    Data([1, 2, 3, 4]).dropFirst(2),
  ]
  static let doubles: [Double] = [
    0, -0.0, 1, 0.1 + 0.2, .pi, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude / 2,
    .leastNormalMagnitude, .infinity, -.infinity, 9_007_199_254_740_992, 1e300,
  ]
  static let floats: [Float] = [
    0, -1.5, 0.1, .pi, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    .leastNonzeroMagnitude, .leastNormalMagnitude, .infinity, -.infinity, 16_777_216,
  ]
  /// Dates that seconds since 1970 hold exactly.
  static let dates: [Date] = [
    Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: -0.5),
    Date(timeIntervalSince1970: 1_732_183_456.125), Date(timeIntervalSince1970: 253_402_300_799),
    .distantPast, .distantFuture,
  ]
  static let decimals: [Decimal] = [
    0, -1, 1.5, Decimal(sign: .minus, exponent: -38, significand: 1),
    Decimal(string: "12345678901234567890123456789012345678"),
    Decimal(string: "-0.98765432109876543210987654321098765432"),
    Decimal(sign: .plus, exponent: 127, significand: 1), .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
  ].compactMap(\.self)
  static let urls = [
    URL(string: "https://example.org:8443/a%20b/?q=1&r=ü#frag"), URL(string: "mailto:a@b.c"),
    URL(string: "relative/path"), URL(filePath: "/a dir/file.txt"),
  ].compactMap(\.self)

  static func limits<I: FixedWidthInteger>(_: I.Type) -> [I] {
    // SQLite's integers have 64 signed bits; what they can't hold is refused (see below).
    [.min, 0, 1, I(clamping: Int64.max)]
  }

  static let positions = [
    Position(), Position(x: 0.1 + 0.2, y: -.greatestFiniteMagnitude),
    Position(x: .leastNonzeroMagnitude, y: 1e22),
  ]
  static let prices = [Money(), Money(cents: .min), Money(cents: .max)]
  static let stringLists = [[], [""], ["a\"b\\/", "\u{0}", "👩🏽‍🚀", "null"]]
  static let numberTables = [[:], ["": Int.min, "ключ": .max, "a.b": 0]]
}
