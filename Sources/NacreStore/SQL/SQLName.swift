/// The name of a table or column as SQLite tells it from others: by its bytes, in which only the letters of ASCII have a case.
///
/// Swift takes “É” and “é” for one when it compares in small letters, and both forms of “é” in Unicode always; to SQLite
/// each is a name of its own.
package struct SQLName: Hashable {
  private let bytes: [UInt8]

  package init(_ name: String) {
    bytes = name.utf8.map(SQLName.lowercased)
  }

  /// The name, with small letters for those of ASCII.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// A byte of a name, with a letter of ASCII as a small one.
  static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

extension String {
  /// Whether it is the same text to SQLite, which does not know that Unicode writes some in several ways.
  package func hasSameBytes(as other: String) -> Bool {
    self == other && utf8.elementsEqual(other.utf8)
  }
}
