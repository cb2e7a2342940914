/// The name of a table or column, compared as SQLite does: by its bytes, ignoring the case of ASCII
/// letters alone.
///
/// Swift's strings differ from this in two ways. After `lowercased()`, “É” and “é” are equal. The
/// two Unicode forms of “é” are always equal. SQLite takes each of them for a name of its own.
package struct SQLName: Hashable {
  private let bytes: [UInt8]

  package init(_ name: String) {
    bytes = name.utf8.map(SQLName.lowercased)
  }

  /// Returns whether a name begins with a text, in any case.
  package func hasPrefix(_ prefix: String) -> Bool { bytes.starts(with: SQLName(prefix).bytes) }

  /// The name, with its ASCII letters in lower case.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Returns a byte of a name; an ASCII letter becomes lower case.
  static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

extension String {
  /// Returns whether both are the same text to SQLite, which does not treat different Unicode forms
  /// as equal.
  package func hasSameBytes(as other: String) -> Bool {
    self == other && utf8.elementsEqual(other.utf8)
  }
}
