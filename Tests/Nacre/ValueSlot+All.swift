import Foundation
import Nacre

// Every property type with values that are hard to keep.
extension ValueSlot {
  private static let megabyte = 1 << 20
  private static let uuids = [
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    UUID(uuid: (255, 254, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
  ]
  private static let texts = [
    "", "plain", "it's \"quoted\"; --", "\u{0}a\u{0}b\u{0}", "👩🏽‍🚀🇪🇺 e\u{301} é", "1.0", "NULL",
    "\r\n\t\u{FEFF}\u{FFFD}\u{10FFFF}", String(repeating: "mégabyte", count: megabyte / 8),
  ]
  private static let blobs = [
    Data(), Data([0]), Data(0...255), Data("text".utf8), Data(repeating: 0xA5, count: megabyte),
    Data([1, 2, 3, 4]).dropFirst(2),
  ]
  private static let doubles: [Double] = [
    0, -0.0, 1, 0.1 + 0.2, .pi, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude / 2,
    .leastNormalMagnitude, .infinity, -.infinity, 9_007_199_254_740_993, 1e300,
  ]
  private static let floats: [Float] = [
    0, -1.5, 0.1, .pi, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    .leastNonzeroMagnitude, .leastNormalMagnitude, .infinity, -.infinity, 16_777_217,
  ]
  /// Dates that seconds since 1970 hold exactly.
  private static let dates: [Date] = [
    Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: -0.5),
    Date(timeIntervalSince1970: 1_732_183_456.125), Date(timeIntervalSince1970: 253_402_300_799),
    .distantPast, .distantFuture,
  ]
  private static let decimals: [Decimal] = [
    0, -1, 1.5, Decimal(sign: .minus, exponent: -38, significand: 1),
    Decimal(string: "12345678901234567890123456789012345678"),
    Decimal(string: "-0.98765432109876543210987654321098765432"),
    Decimal(sign: .plus, exponent: 127, significand: 1), .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
  ].compactMap(\.self)
  private static let urls = [
    URL(string: "https://example.org:8443/a%20b/?q=1&r=ü#frag"), URL(string: "mailto:a@b.c"),
    URL(string: "relative/path"), URL(filePath: "/a dir/file.txt"),
  ].compactMap(\.self)

  private static func limits<I: FixedWidthInteger>(_: I.Type) -> [I] {
    // SQLite's integers have 64 signed bits; what they can't hold is refused (see below).
    [.min, 0, 1, I(clamping: Int64.max)]
  }

  private static let positions = [
    Position(), Position(x: 0.1 + 0.2, y: -.greatestFiniteMagnitude),
    Position(x: .leastNonzeroMagnitude, y: 1e22),
  ]
  private static let prices = [Money(), Money(cents: .min), Money(cents: .max)]
  private static let stringLists = [[], [""], ["a\"b\\/", "\u{0}", "👩🏽‍🚀", "null"]]
  private static let numberTables = [[:], ["": Int.min, "ключ": .max, "a.b": 0]]

  static let all: [ValueSlot] = numbers + scalars + composites

  private static let numbers: [ValueSlot] = [
    ValueSlot(
      "bool",
      storedAs: "integer",
      [false, true],
      \.bool,
      \.bool,
      \.bool,
      \.bool
    ),
    ValueSlot(
      "int",
      storedAs: "integer",
      limits(Int.self),
      \.int,
      \.int,
      \.int,
      \.int
    ),
    ValueSlot(
      "int8",
      storedAs: "integer",
      limits(Int8.self),
      \.int8,
      \.int8,
      \.int8,
      \.int8
    ),
    ValueSlot(
      "int16",
      storedAs: "integer",
      limits(Int16.self),
      \.int16,
      \.int16,
      \.int16,
      \.int16
    ),
    ValueSlot(
      "int32",
      storedAs: "integer",
      limits(Int32.self),
      \.int32,
      \.int32,
      \.int32,
      \.int32
    ),
    ValueSlot(
      "int64",
      storedAs: "integer",
      limits(Int64.self),
      \.int64,
      \.int64,
      \.int64,
      \.int64
    ),
    ValueSlot(
      "uint",
      storedAs: "integer",
      limits(UInt.self),
      \.uint,
      \.uint,
      \.uint,
      \.uint
    ),
    ValueSlot(
      "uint8",
      storedAs: "integer",
      limits(UInt8.self),
      \.uint8,
      \.uint8,
      \.uint8,
      \.uint8
    ),
    ValueSlot(
      "uint16",
      storedAs: "integer",
      limits(UInt16.self),
      \.uint16,
      \.uint16,
      \.uint16,
      \.uint16
    ),
    ValueSlot(
      "uint32",
      storedAs: "integer",
      limits(UInt32.self),
      \.uint32,
      \.uint32,
      \.uint32,
      \.uint32
    ),
    ValueSlot(
      "uint64",
      storedAs: "integer",
      limits(UInt64.self),
      \.uint64,
      \.uint64,
      \.uint64,
      \.uint64
    ),
    ValueSlot(
      "float",
      storedAs: "real",
      floats,
      \.float,
      \.float,
      \.float,
      \.float
    ),
    ValueSlot(
      "double",
      storedAs: "real",
      doubles,
      \.double,
      \.double,
      \.double,
      \.double
    ),
    ValueSlot(
      "date",
      storedAs: "real",
      dates,
      \.date,
      \.date,
      \.date,
      \.date
    ),
  ]

  private static let scalars: [ValueSlot] = [
    ValueSlot(
      "string",
      storedAs: "text",
      texts,
      \.string,
      \.string,
      \.string,
      \.string
    ),
    ValueSlot(
      "data",
      storedAs: "blob",
      blobs,
      \.data,
      \.data,
      \.data,
      \.data
    ),
    ValueSlot(
      "uuid",
      storedAs: "blob",
      uuids,
      \.uuid,
      \.uuid,
      \.uuid,
      \.uuid
    ),
    ValueSlot(
      "url",
      storedAs: "text",
      urls,
      \.url,
      \.url,
      \.url,
      \.url
    ),
    ValueSlot(
      "decimal",
      storedAs: "text",
      decimals,
      \.decimal,
      \.decimal,
      \.decimal,
      \.decimal
    ),
  ]

  private static let composites: [ValueSlot] = [
    ValueSlot(
      "fuel",
      storedAs: "text",
      [Fuel.petrol, .diesel],
      \.fuel,
      \.fuel,
      \.fuel,
      \.fuel
    ),
    ValueSlot(
      "gear",
      storedAs: "integer",
      [Gear.first, .second],
      \.gear,
      \.gear,
      \.gear,
      \.gear
    ),
    ValueSlot(
      "trim",
      storedAs: "text",
      [Trim.base, .luxury],
      \.trim,
      \.trim,
      \.trim,
      \.trim
    ),
    ValueSlot(
      "position",
      storedAs: "text",
      positions,
      \.position,
      \.position,
      \.position,
      \.position
    ),
    ValueSlot(
      "price",
      storedAs: "integer",
      prices,
      \.price,
      \.price,
      \.price,
      \.price
    ),
    ValueSlot(
      "strings",
      storedAs: "text",
      stringLists,
      \.strings,
      \.strings,
      \.strings,
      \.strings
    ),
    ValueSlot(
      "numbers",
      storedAs: "text",
      numberTables,
      \.numbers,
      \.numbers,
      \.numbers,
      \.numbers
    ),
  ]
}
