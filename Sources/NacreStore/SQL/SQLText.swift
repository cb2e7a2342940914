import Foundation

/// The words of SQLite's dialect that take a name or a value.
package enum SQLText {
  /// A name in double quotes, embedded quotes doubled.
  package static func name(_ name: String) -> String {
    "\"" + name.doubling(UInt8(ascii: "\"")) + "\""
  }

  /// A table of the store's file: a bare name is that of a temporary table, where there is one.
  package static func main(_ table: String) -> String { "main." + name(table) }

  /// Whether a name is one of SQL's own words, in any case, so that it needs quotes.
  package static func isKeyword(_ name: String) -> Bool { Connection.isKeyword(name) }

  /// Whether a table's name is one of those that the store or SQLite keeps for its own.
  package static func isReserved(table: String) -> Bool {
    let name = table.lowercased()
    return name.hasPrefix("nacre_") || name.hasPrefix("sqlite_")
  }

  /// An order that the caller wrote, ended so that a comment left open in it swallows nothing that follows; in a condition,
  /// the parentheses around it make that an error.
  package static func order(_ text: String) -> String { text + "\n/**/" }

  /// Whether a text has a join by the names of columns, of which SQLite's authorizer is not told.
  package static func joinsByName(_ text: String?) -> Bool {
    guard let text else { return false }
    var scanner = SQLScanner(text)
    while let token = scanner.next() {
      guard case .word(let range) = token else { continue }
      if ["USING", "NATURAL"].contains(scanner.text(range).uppercased()) { return true }
    }
    return false
  }

  /// The same for texts of any statements, such as `CREATE VIRTUAL TABLE … USING`, in which a module's name follows.
  static func joinsByColumns(_ text: String) -> Bool {
    var scanner = SQLScanner(text)
    while let token = scanner.next() {
      guard case .word(let range) = token else { continue }
      let word = scanner.text(range).uppercased()
      if word == "NATURAL" { return true }
      guard word == "USING" else { continue }
      // Behind the word stand the names' parenthesis, a comment, or a module.
      let next = scanner.bytes[range.upperBound...].first { $0 > 0x20 }
      if let next, "(-/".utf8.contains(next) { return true }
    }
    return false
  }

  /// A value as a literal, for places where no parameter can stand, such as a column's default.
  package static func literal(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value): value.isFinite ? String(value) : (value < 0 ? "-9e999" : "9e999")
    case .text(let value): text(value)
    case .blob(let value): "x'" + value.map { hex($0) }.joined() + "'"
    }
  }

  /// A text literal; text with a NUL byte can't stand in SQL as it is and goes as a cast blob.
  private static func text(_ text: String) -> String {
    if text.utf8.contains(0) {
      return "(CAST(" + literal(.blob(Data(text.utf8))) + " AS TEXT))"
    }
    return "'" + text.doubling(UInt8(ascii: "'")) + "'"
  }

  private static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}

extension String {
  /// The text with each of these quotes twice.
  ///
  /// Byte by byte: with an accent behind it a quote is another character, and still a quote to SQLite.
  package func doubling(_ quote: UInt8) -> String {
    // Nearly no name has one.
    guard utf8.contains(quote) else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count + 8)
    for byte in utf8 {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
