import Foundation
import NacreEngine
import NacreStore
import NacreCrypto

/// Writes one line of JSON (RFC 8259), with values that read back exactly as they were, to the last bit.
///
/// An INTEGER is a number without fraction and exponent, and a REAL is a number with either. Values that JSON has no
/// form for are an object of one member: `{"base64":…}` is a BLOB, `{"real":"inf"}` and `{"real":"-inf"}` are the
/// infinities, and `{"real":"nan:…"}` is a NaN with the 16 hex digits of its bits.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Removes the written bytes and keeps the memory.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  // MARK: Structure

  mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
    try nest("{", "}", body)
  }

  mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows {
    try nest("[", "]", body)
  }

  private mutating func nest(
    _ start: Unicode.Scalar,
    _ end: Unicode.Scalar,
    _ body: (inout JSONWriter) throws -> Void
  ) rethrows {
    begin()
    bytes.append(UInt8(ascii: start))
    needsComma = false
    try body(&self)
    bytes.append(UInt8(ascii: end))
    needsComma = true
  }

  /// The name of the member whose value is written next.
  mutating func key(_ name: String) {
    begin()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// A member of the present object.
  mutating func member(_ name: String, _ text: String) {
    key(name)
    string(text)
  }

  mutating func member(_ name: String, _ number: Int64) {
    key(name)
    self.number(number)
  }

  mutating func member(_ name: String, _ value: Bool) {
    key(name)
    word(value ? "true" : "false")
  }

  /// A member of the present object that is an array of objects.
  mutating func objects<T>(
    _ name: String,
    _ items: [T],
    _ body: (T, inout JSONWriter) -> Void
  ) {
    key(name)
    array { line in
      for item in items { line.object { body(item, &$0) } }
    }
  }

  private mutating func begin() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  // MARK: Values

  mutating func string(_ text: String) {
    begin()
    quote(text)
  }

  mutating func number(_ number: Int64) { word(String(number)) }

  mutating func null() { word("null") }

  mutating func value(_ value: Value) {
    switch value {
    case .null: null()
    case .integer(let value): number(value)
    case .real(let value): real(value)
    case .text(let value): string(value)
    case .blob(let value): tagged("base64", value.base64EncodedString())
    }
  }

  /// An object of one member, whose name says what its text is.
  mutating func tagged(_ name: String, _ text: String) { object { $0.member(name, text) } }

  private mutating func real(_ value: Double) {
    if value.isFinite { return word("\(value)") }
    if value.isNaN {
      let bits = withUnsafeBytes(of: value.bitPattern.bigEndian) { $0.hex }
      return tagged("real", "nan:" + bits)
    }
    tagged("real", value < 0 ? "-inf" : "inf")
  }

  private mutating func word(_ word: String) {
    begin()
    bytes.append(contentsOf: word.utf8)
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20:
        bytes.append(contentsOf: "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension PreparedStatement {
  /// Whether a column of the current row holds text that is not UTF-8, which reading it as text would change.
  func isBrokenText(at column: Int32) -> Bool {
    guard storageClass(at: column) == .text else { return false }
    // Take the bytes first, because reading the text may convert it.
    let bytes = Array(blob(at: column))
    return !Array(text(at: column).utf8).elementsEqual(bytes)
  }
}
