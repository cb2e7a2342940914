#if PostgreSQL
import Foundation
import NacreEngine
import Testing
@testable import NacrePostgres

/// The functions in a store's schema, compared with Swift.
@Suite struct ServerFunctionTests {
  private let connection: PostgresConnection

  init() throws {
    connection = try TestServer.connect()
    for statement in ServerFunctions.create { try connection.execute(statement) }
  }

  private func call(_ function: EngineFunction, _ arguments: String...) throws -> Value {
    let name = try connection.provide(function)
    let parameters = arguments.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let values = try connection.values("SELECT \(name)(\(parameters))", arguments.map { .text($0) })
    return try #require(values.first)
  }

  // MARK: Texts

  /// Pieces that make one character with their neighbours, or do not.
  private static let pieces = [
    "a", "e", "\u{301}", "\u{E9}", "\u{200D}", "\r", "\n", "\u{1}", "ß", "\u{1F1E9}", "\u{1F1EA}",
    "👩", "👧", "\u{FE0F}",
    "\u{1F3FD}", "\u{1100}", "\u{1161}", "\u{11A8}", "각", "\u{915}", "\u{94D}", "\u{93F}",
    "\u{E33}", "\u{600}", "\u{AD}",
    "日", "\u{FB01}", "\u{212B}", "\u{323}", "\u{307}", "\\", "%",
  ]

  /// Texts of a few pieces, the same in each run.
  private static func texts(_ count: Int) -> [String] {
    var state: UInt64 = 17
    func number(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
    return (0..<count).map { _ in
      (0..<number(below: 7)).map { _ in pieces[number(below: pieces.count)] }.joined()
    }
  }

  @Test func `characters are counted as in Swift`() throws {
    for text in Self.texts(2000) + Self.pieces {
      let count = try call(.characterCount, text)
      #expect(count == .integer(Int64(text.count)), "\(text.unicodeScalars.map(\.value))")
    }
  }

  @Test func `a text begins with another and contains it as in Swift`() throws {
    let (texts, parts) = (
      Self.texts(400), Self.texts(60).filter { $0.count < 3 } + Self.pieces + [""]
    )
    var found = 0
    for (number, text) in texts.enumerated() {
      for part in [
        parts[number % parts.count], String(text.dropFirst().prefix(2)), String(text.prefix(1)),
      ] {
        let (starts, contains) = (text.starts(with: part), Self.has(Array(part), Array(text)))
        let words = Comment(
          rawValue: "\(text.unicodeScalars.map(\.value)) \(part.unicodeScalars.map(\.value))"
        )
        #expect(try call(.starts, text, part) == .integer(starts ? 1 : 0), words)
        #expect(try call(.contains, text, part) == .integer(contains ? 1 : 0), words)
        found += contains ? 1 : 0
      }
    }
    #expect(found > 400 && found < texts.count * 3)
  }

  private static func has(_ part: [Character], _ text: [Character]) -> Bool {
    part.isEmpty
      || text.indices.contains { text[$0...].starts(with: part) }
  }

  @Test func `no function stands for what the server does otherwise`() {
    for function: EngineFunction in [.fold, .compareIgnoringCase, .compareLocalized, .listItem] {
      #expect(!PostgresDialect.shared.calls(function))
      #expect(throws: PostgresError.self) { _ = try connection.provide(function) }
    }
  }

  // MARK: Decimals

  private static let decimals = [
    "0", "-0", "1", "-1", "10", "9", "0.1", "-0.10", "1.50", "12345678901234567890.123456789",
    "1e3", "1E-5", "+7", ".5",
    "5.", "340282366920938463463374607431768211455", "0.000000000000000000000000000000000001",
  ]

  @Test func `decimals are compared as in Swift, and texts that are none with nothing`() throws {
    for a in Self.decimals {
      for b in Self.decimals {
        let (one, other) = (try Decimal(storedValue: .text(a)), try Decimal(storedValue: .text(b)))
        #expect(
          try call(.compareDecimals, a, b) == .integer(one < other ? -1 : one == other ? 0 : 1)
        )
      }
      for text in ["", "x", "1 ", "NaN", "1e", "Infinity"] {
        #expect(try call(.compareDecimals, a, text) == .null)
        #expect(try call(.addDecimals, text, a) == .null)
      }
    }
  }

  @Test func `decimals are added exactly, or not at all`() throws {
    for a in Self.decimals {
      for b in Self.decimals {
        let (one, other) = (try Decimal(storedValue: .text(a)), try Decimal(storedValue: .text(b)))
        let sum = one + other
        let isExact = !sum.isNaN && sum - one == other && sum - other == one
        #expect(
          try call(.addDecimals, a, b) == (isExact ? .text(sum.description) : .null),
          "\(a) + \(b)"
        )
      }
    }
  }
}
#endif
