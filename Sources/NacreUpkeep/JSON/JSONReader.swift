import Foundation
import NacreEngine
import NacreStore

/// Reads one JSON text strictly, because its author may be an attacker.
///
/// The spelling of a number decides whether it is an INTEGER or a REAL, as it does when an export writes it.
///
/// These are errors: a member that comes twice, text that is not UTF-8, a lone surrogate, a number that no INTEGER or
/// REAL can hold, nesting deeper than an export has, and anything after the text.
struct JSONReader {
  /// Deeper than what an export writes.
  private static let depthLimit = 8

  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0
  private var depth = 0

  /// The place and the reason why a text is not JSON; never its content.
  struct Failure: Error {
    let byte: Int
    let reason: String
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Reads a whole text.
  static func read(_ data: Data) throws(Failure) -> JSONValue {
    let result = data.withUnsafeBytes { raw -> Result<JSONValue, Failure> in
      var reader = JSONReader(raw.bindMemory(to: UInt8.self))
      do throws(Failure) {
        let value = try reader.value()
        reader.skipBlanks()
        if reader.index < reader.bytes.count { throw reader.failure("something follows the text") }
        return .success(value)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func failure(_ reason: String) -> Failure { Failure(byte: index + 1, reason: reason) }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      index += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  private mutating func expect(_ scalar: Unicode.Scalar) throws(Failure) {
    skipBlanks()
    guard take(UInt8(ascii: scalar)) else { throw failure("'\(scalar)' is missing") }
  }

  // MARK: Values

  private mutating func value() throws(Failure) -> JSONValue {
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return try nested { (reader) throws(Failure) in try reader.object() }
    case UInt8(ascii: "["): return try nested { (reader) throws(Failure) in try reader.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case let byte? where byte == UInt8(ascii: "-") || JSONReader.isDigit(byte): return try number()
    case nil: throw failure("the text ends too early")
    default: throw failure("no value begins like this")
    }
  }

  private mutating func nested(
    _ body: (inout JSONReader) throws(Failure) -> JSONValue
  ) throws(Failure) -> JSONValue {
    guard depth < JSONReader.depthLimit else { throw failure("the text is nested too deep") }
    depth += 1
    index += 1
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Failure) -> JSONValue
  {
    let count = word.utf8CodeUnitCount
    let matches = word.withUTF8Buffer { word in
      index + count <= bytes.count && bytes[index..<index + count].elementsEqual(word)
    }
    guard matches else { throw failure("no value begins like this") }
    index += count
    return value
  }

  private mutating func object() throws(Failure) -> JSONValue {
    var members: [String: JSONValue] = [:]
    skipBlanks()
    if take(UInt8(ascii: "}")) { return .object(members) }
    while true {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw failure("the name of a member is missing") }
      let name = try string()
      try expect(":")
      let value = try value()
      guard members.updateValue(value, forKey: name) == nil else {
        throw failure("a member comes twice")
      }
      skipBlanks()
      if take(UInt8(ascii: ",")) { continue }
      try expect("}")
      return .object(members)
    }
  }

  private mutating func array() throws(Failure) -> JSONValue {
    var elements: [JSONValue] = []
    skipBlanks()
    if take(UInt8(ascii: "]")) { return .array(elements) }
    while true {
      elements.append(try value())
      skipBlanks()
      if take(UInt8(ascii: ",")) { continue }
      try expect("]")
      return .array(elements)
    }
  }

  private mutating func number() throws(Failure) -> JSONValue {
    let start = index
    _ = take(UInt8(ascii: "-"))
    let first = index
    try digits()
    if index > first + 1, bytes[first] == UInt8(ascii: "0") {
      throw failure("a number begins with 0")
    }
    var isReal = false
    if take(UInt8(ascii: ".")) {
      isReal = true
      try digits()
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isReal = true
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isReal, let real = Double(text), real.isFinite { return .number(real) }
    if !isReal, let integer = Int64(text) { return .integer(integer) }
    throw failure("a number is too large")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private mutating func digits() throws(Failure) {
    let start = index
    while let byte = next, JSONReader.isDigit(byte) { index += 1 }
    if index == start { throw failure("a digit is missing") }
  }

  // MARK: Strings

  private mutating func string() throws(Failure) -> String {
    index += 1
    let start = index
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      index += 1
    }
    if next == UInt8(ascii: "\"") {
      defer { index += 1 }
      return try text(bytes[start..<index])
    }
    var unescaped = Array(bytes[start..<index])
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return try text(unescaped)
      case UInt8(ascii: "\\"): try escape(into: &unescaped)
      case 0..<0x20: throw failure("a text contains a control character")
      default:
        unescaped.append(byte)
        index += 1
      }
    }
    throw failure("a text has no end")
  }

  private func text(_ utf8: some Collection<UInt8>) throws(Failure) -> String {
    guard let text = String(validating: utf8, as: UTF8.self) else {
      throw failure("a text is not UTF-8")
    }
    return text
  }

  private mutating func escape(into text: inout [UInt8]) throws(Failure) {
    index += 1
    guard let byte = next else { throw failure("a text has no end") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      var code = try unit()
      if (0xD800..<0xDC00).contains(code), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
        let low = try unit()
        guard (0xDC00..<0xE000).contains(low) else { throw failure("a surrogate has no partner") }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw failure("a surrogate has no partner") }
      text.append(contentsOf: Character(scalar).utf8)
    default: throw failure("an escape is unknown")
    }
  }

  private mutating func unit() throws(Failure) -> UInt32 {
    guard index + 4 <= bytes.count else { throw failure("a text has no end") }
    var code: UInt32 = 0
    for byte in bytes[index..<index + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw failure("four hex digits are missing")
      }
      code = code << 4 | UInt32(digit)
    }
    index += 4
    return code
  }
}
