import Testing

@testable import NacreDAO

@Suite struct ExpressionTests {
  private static let values: [String: Operand] = [
    "a": .integer(7), "b": .integer(2), "x": .real(2.5), "s": .text("it's"), "n": .null,
    "t": .flag(true), "f": .flag(false), "m": .object, "authors.count": .integer(2),
    "title": .text("Swift"), "year": .integer(2014), "m.read": .flag(false),
  ]

  private func value(_ text: String) throws -> Operand {
    try ExpressionParser.parse(text).evaluated { try #require(Self.values[$0.description]) }
  }

  @Test(arguments: [
    ("1 + 2 * 3", Operand.integer(7)), ("(1 + 2) * 3", .integer(9)), ("7 - 2 - 1", .integer(4)),
    ("a / b", .real(3.5)), ("8 / b", .integer(4)), ("a \\ b", .integer(3)), ("a % b", .integer(1)),
    ("-a \\ b", .integer(-3)), ("- -a", .integer(7)), ("+x", .real(2.5)), ("-2 * -3", .integer(6)),
    ("a > b", .flag(true)), ("a <= 7", .flag(true)), ("a == 7.0", .flag(true)),
    ("a != b", .flag(true)), ("a ! = b", .flag(true)), ("s == 'it\\'s'", .flag(true)),
    ("s == 7", .flag(false)), ("'7' == 7", .flag(false)), ("'a' < 'b'", .flag(true)),
    ("n == nil", .flag(true)), ("a == nil", .flag(false)), ("nil == a", .flag(false)),
    ("m != NULL", .flag(true)),
    ("n < 1", .flag(false)), ("n >= 1", .flag(false)), ("t == 1", .flag(true)),
    ("not a == 8", .flag(true)), ("not f and f", .flag(false)), ("not (f and f)", .flag(true)),
    ("t or t and f", .flag(true)), ("t xor t or f", .flag(false)), ("t xor f and f", .flag(true)),
    ("t XOR t Or YES", .flag(true)), ("TRUE and not No", .flag(true)), ("not not t", .flag(true)),
    ("t and not f", .flag(true)), ("1 < 2 == true", .flag(true)), ("a + b * x", .real(12)),
    ("(title != nil and year > 2010) or authors.count >= 2", .flag(true)),
    ("m.read or (not f)", .flag(true)), ("9223372036854775807", .integer(.max)),
    ("9007199254740993 > 9007199254740992", .flag(true)), ("0.5", .real(0.5)), ("m", .object),
  ])
  func `an expression has its value`(text: String, value: Operand) throws {
    #expect(try self.value(text) == value)
  }

  @Test(arguments: [
    (Operand.null, false), (.flag(false), false), (.integer(0), false), (.real(0), false),
    (.integer(-1), true), (.text(""), true), (.object, true), (.flag(true), true),
  ])
  func `only nil, 0 and false are false`(operand: Operand, isTrue: Bool) {
    #expect(operand.isTrue == isTrue)
  }

  @Test func `logical operators stop at the operand that decides`() throws {
    #expect(try value("f and 1 / 0 == 1") == .flag(false))
    #expect(try value("t or 1 / 0 == 1") == .flag(true))
  }

  @Test(arguments: [
    "1 / 0", "1 \\ 0", "1 % 0", "1.5 / 0.0", "9223372036854775807 + 1", "'a' + 1", "nil + 1",
    "-s", "m < 1", "'a' < 1", "-9223372036854775807 - 2", "m + 1", "1 / f",
  ])
  func `an expression without a value fails`(text: String) {
    #expect(throws: EvaluationError.self) { try value(text) }
  }

  @Test(arguments: [
    ("", 0), ("  ", 0), ("a +", 3), ("(a", 2), ("a)", 1), ("a = b", 2), ("a ! b", 2), ("'abc", 0),
    ("a b", 2), ("and a", 0), ("a.", 2), ("a.1", 2), ("1a", 0), ("#{a}", 0), ("a == not b", 5),
    ("a && b", 2), ("99999999999999999999", 0), ("()", 1), ("not", 3), ("a ? b", 2), ("a.not b", 6),
  ])
  func `an error says where it is`(text: String, offset: Int) {
    let error = #expect(throws: ExpressionError.self) { try ExpressionParser.parse(text) }
    #expect(error?.offset == offset, "\(error?.message ?? "")")
  }

  @Test(arguments: ["(", "-", "not ", "1 + ", "a.b and "])
  func `an expression that is nested too deep is an error and no crash`(piece: String) {
    let text = String(repeating: piece, count: 100_000) + "1"
    let error = #expect(throws: ExpressionError.self) { try ExpressionParser.parse(text) }
    #expect(error?.message.contains("levels") == true)
  }
}
