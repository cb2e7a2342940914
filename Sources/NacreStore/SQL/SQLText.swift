import Foundation
import NacreCrypto
import NacreEngine

/// The pieces of SQLite's SQL that hold a name or a value.
package enum SQLText {
  /// Returns a name in double quotes, with its own quotes doubled.
  package static func name(_ name: String) -> String {
    "\"" + name.doubling(UInt8(ascii: "\"")) + "\""
  }

  /// Returns the name of a table in the store's file; a bare name would mean a temporary table of
  /// that name, if there is one.
  package static func main(_ table: String) -> String { "main." + name(table) }

  /// Returns whether a table's name is reserved for the store or an engine.
  ///
  /// The prefixes of all engines are reserved on each, so that a class can be stored on any.
  package static func isReserved(table: String) -> Bool {
    let name = SQLName(table)
    return name.hasPrefix("nacre_") || name.hasPrefix("sqlite_")
  }

  /// Ends an ordering that the caller wrote, so that a comment that it leaves open swallows nothing
  /// after it.
  ///
  /// In a condition, the parentheses around it make such a comment an error.
  package static func order(_ text: String) -> String { text + "\n/**/" }

  /// Returns whether a text has a join by the names of columns, which SQLite does not report to its
  /// authorizer.
  package static func joinsByName(_ text: String?) -> Bool {
    guard let text else { return false }
    var scanner = SQLScanner(text)
    while let token = scanner.next() {
      guard case .word(let range) = token else { continue }
      if ["USING", "NATURAL"].contains(scanner.text(range).uppercased()) { return true }
    }
    return false
  }

  /// Does the same for any statements, such as `CREATE VIRTUAL TABLE … USING`, in which a module's
  /// name follows.
  static func joinsByColumns(_ text: String) -> Bool {
    var scanner = SQLScanner(text)
    while let token = scanner.next() {
      guard case .word(let range) = token else { continue }
      let word = scanner.text(range).uppercased()
      if word == "NATURAL" { return true }
      guard word == "USING" else { continue }
      // After the word comes the parenthesis with the names, a comment, or a module.
      let next = scanner.bytes[range.upperBound...].first { $0 > 0x20 }
      if let next, "(-/".utf8.contains(next) { return true }
    }
    return false
  }

  /// Returns a value as an engine's literal, for places that allow no parameter.
  package static func literal(_ value: Value, _ dialect: any Dialect) -> String {
    switch value {
    case .blob(let value): dialect.blob(hex: value.hex)
    case .real(let value) where value.isInfinite: (value < 0 ? "-" : "") + dialect.infinity
    default: literal(value)
    }
  }

  /// Returns a value as a literal, for places that allow no parameter, such as a column's default.
  package static func literal(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value): value.isFinite ? String(value) : (value < 0 ? "-9e999" : "9e999")
    case .text(let value): text(value)
    case .blob(let value): "x'" + value.hex + "'"
    }
  }

  /// Returns a text literal; a text with a NUL byte can't be written in SQL directly and becomes a
  /// cast blob.
  private static func text(_ text: String) -> String {
    if text.utf8.contains(0) {
      return "(CAST(" + literal(.blob(Data(text.utf8))) + " AS TEXT))"
    }
    return "'" + text.doubling(UInt8(ascii: "'")) + "'"
  }
}
