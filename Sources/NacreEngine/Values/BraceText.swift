import Foundation

/// Numbers in braces, such as `{1, 2.5}`: the texts that `NSStringFromCGPoint` and similar functions make.
///
/// Each number is written with the fewest digits that read back to the same number, the same on every platform.
struct BraceText {
  private var rest: Substring.UTF8View

  private init(_ text: String) { rest = text[...].utf8 }

  // MARK: Writing

  /// `{a, b, …}`.
  ///
  /// - Throws: ``ValueError/outOfRange(type:)`` for a NaN, as `Double` does.
  static func text(_ numbers: CGFloat..., type: String) throws -> String {
    let words = try numbers.map { number in
      if number.isNaN { throw ValueError.outOfRange(type: type) }
      let word = Double(number).description
      return word.hasSuffix(".0") ? String(word.dropLast(2)) : word
    }
    return "{\(words.joined(separator: ", "))}"
  }

  // MARK: Reading

  /// The `count` numbers of a stored `{a, b, …}`.
  ///
  /// - Throws: ``ValueError`` when the value is not a text of that form.
  static func numbers(_ value: Value, _ count: Int, type: String) throws -> [CGFloat] {
    var reader = BraceText(try String(storedValue: value))
    guard let numbers = reader.list(count, Self.number), reader.isAtEnd else {
      throw ValueError.malformed(type: type)
    }
    return numbers
  }

  /// The two pairs of numbers of a stored `{{a, b}, {c, d}}`.
  ///
  /// - Throws: ``ValueError`` when the value is not a text of that form.
  static func pairs(_ value: Value, type: String) throws -> [CGFloat] {
    var reader = BraceText(try String(storedValue: value))
    guard reader.take("{"), let first = reader.list(2, Self.number), reader.take(","),
      let second = reader.list(2, Self.number), reader.take("}"), reader.isAtEnd
    else { throw ValueError.malformed(type: type) }
    return first + second
  }

  /// The location and the length of a stored `{location, length}`.
  ///
  /// - Throws: ``ValueError`` when the value is not a text of that form, or the length is negative.
  static func extent(_ value: Value, type: String) throws -> (location: Int, length: Int) {
    var reader = BraceText(try String(storedValue: value))
    guard let numbers = reader.list(2, { Int($0) }), reader.isAtEnd, numbers[1] >= 0 else {
      throw ValueError.malformed(type: type)
    }
    return (numbers[0], numbers[1])
  }

  private mutating func list<N>(_ count: Int, _ make: (Substring) -> N?) -> [N]? {
    guard take("{") else { return nil }
    var numbers: [N] = []
    while numbers.count < count {
      if !numbers.isEmpty, !take(",") { return nil }
      guard let number = make(word()) else { return nil }
      numbers.append(number)
    }
    return take("}") ? numbers : nil
  }

  private var isAtEnd: Bool { rest.isEmpty }

  private mutating func skipBlanks() { rest = rest.drop { $0 == UInt8(ascii: " ") } }

  private mutating func take(_ mark: StaticString) -> Bool {
    skipBlanks()
    return rest.take(mark)
  }

  private mutating func word() -> Substring {
    skipBlanks()
    let word = rest.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "}") }
    rest = rest[word.endIndex...]
    return Substring(word)
  }

  private static func number(_ word: Substring) -> CGFloat? {
    if word == "inf" { return .infinity }
    if word == "-inf" { return -.infinity }
    // `Double(_:)` would also accept "nan" and hexadecimal digits, and would read a number that is too large as
    // infinity.
    let isDecimal = word.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
    }
    guard isDecimal, let number = Double(word), number.isFinite else { return nil }
    return CGFloat(number)
  }
}
