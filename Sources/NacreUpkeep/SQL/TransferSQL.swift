import Foundation
import NacreCrypto
import NacreEngine
import NacreStore

/// The statements of export and import, and the definitions of tables that an import makes.
///
/// The names come from a file. So each name is written in double quotes, and a column that is read
/// is named through an alias.
enum TransferSQL {
  // MARK: Export

  /// Selects the objectID and these columns of every row, in the order of objectIDs.
  static func rows(table: String, columns: [String]) -> String {
    let columns = (["objectID"] + columns).map { "r.\(SQLText.name($0))" }.joined(separator: ", ")
    return "SELECT \(columns) FROM \(SQLText.name(table)) r ORDER BY r.\"objectID\""
  }

  /// Selects every row of a relationship: owner, position or NULL, child.
  static func joins(table: String, isOrdered: Bool) -> String {
    let position = isOrdered ? "j.\"position\"" : "NULL"
    return "SELECT j.\"owner\", \(position), j.\"child\" FROM \(SQLText.name(table)) j "
      + "ORDER BY j.\"owner\", \(isOrdered ? position : "j.\"child\"")"
  }

  // MARK: Import

  static func exists(table: String) -> String {
    "SELECT 1 FROM \(SQLText.name(table)) r WHERE r.\"objectID\" = ?1"
  }

  /// Returns the statements that store an object's row; parameter 1 is the objectID, the others are
  /// the columns in order.
  ///
  /// If the row is there already, `insert` fails. `replace` sets the row's columns and raises its
  /// version if it has one; references to the row stay.
  static func inserts(
    _ table: String,
    _ columns: [String],
    hasVersion: Bool,
    _ dialect: any Dialect
  ) -> (insert: String, replace: String) {
    let names = (["objectID"] + columns).map(SQLText.name)
    let version = hasVersion ? [VersionSQL.column] : []
    let first = hasVersion ? [VersionSQL.first(dialect)] : []
    let values = (1...names.count).map { "?\($0)" } + first
    let insert =
      "INSERT INTO \(SQLText.name(table)) (\((names + version).joined(separator: ", "))) "
      + "VALUES (\(values.joined(separator: ", ")))"
    let terms =
      names.dropFirst().map { "\($0) = excluded.\($0)" }
      + (hasVersion ? [VersionSQL.raise(dialect, in: table)] : [])
    let action = terms.isEmpty ? "NOTHING" : "UPDATE SET \(terms.joined(separator: ", "))"
    return (insert, insert + " ON CONFLICT (\"objectID\") DO " + action)
  }

  static func insertJoin(table: String, isOrdered: Bool) -> String {
    let columns = isOrdered ? "\"owner\", \"child\", \"position\"" : "\"owner\", \"child\""
    return
      "INSERT INTO \(SQLText.name(table)) (\(columns)) VALUES (?1, ?2\(isOrdered ? ", ?3" : ""))"
  }

  /// Makes the table of the references whose targets have not come yet, where an engine checks them with each statement.
  static func createLater(_ dialect: any Dialect) -> String {
    let (text, identifier) = (dialect.type(.text), dialect.identifierType)
    return """
      CREATE TEMP TABLE IF NOT EXISTS "nacre_later" ("entity" \(text), "objectID" \(identifier), \
      "column" \(text), "target" \(identifier))
      """
  }
  static let insertLater = "INSERT INTO temp.\"nacre_later\" VALUES (?1, ?2, ?3, ?4)"
  static let dropLater = "DROP TABLE temp.\"nacre_later\""
  private static let areLater = "l.\"entity\" = ?1 AND l.\"column\" = ?2"

  /// Selects the first object of an entity whose reference in a column still has no target.
  static func firstWithoutTarget(_ target: String) -> String {
    """
    SELECT l."objectID" FROM temp."nacre_later" l WHERE \(areLater) \
    AND NOT \(exists("l.\"target\"", in: target)) LIMIT 1
    """
  }

  /// Writes the references of an entity's objects in a column.
  static func writeLater(table: String, column: String) -> String {
    """
    UPDATE \(SQLText.name(table)) AS r SET \(SQLText.name(column)) = l."target" \
    FROM temp."nacre_later" l WHERE \(areLater) AND r."objectID" = l."objectID"
    """
  }

  static func deleteJoins(table: String) -> String {
    "DELETE FROM \(SQLText.name(table)) WHERE \"owner\" = ?1"
  }

  /// Makes the table of the skipped objects, whose rows of relationships are skipped too.
  ///
  /// It is a table so that these objects need no memory.
  static func createSkipped(_ dialect: any Dialect) -> String {
    """
    CREATE TEMP TABLE IF NOT EXISTS "nacre_skipped" ("entity" \(dialect.type(.text)), \
    "objectID" \(dialect.identifierType), PRIMARY KEY ("entity", "objectID"))\
    \(dialect.keyedTableEnding)
    """
  }
  static func insertSkipped(_ dialect: any Dialect) -> String {
    dialect.insertIfMissing(in: "temp.\"nacre_skipped\"", ["\"entity\"", "\"objectID\""])
  }
  static let isSkipped =
    "SELECT 1 FROM temp.\"nacre_skipped\" WHERE \"entity\" = ?1 AND \"objectID\" = ?2"
  static let dropSkipped = "DROP TABLE temp.\"nacre_skipped\""

  /// Selects the first object whose column refers to a missing object.
  static func firstDangling(table: String, column: String, target: String) -> String {
    """
    SELECT r."objectID" FROM \(SQLText.name(table)) r WHERE r.\(SQLText.name(column)) IS NOT NULL \
    AND NOT \(exists("r.\(SQLText.name(column))", in: target)) LIMIT 1
    """
  }

  /// Selects the owner of the first row of a relationship whose owner or child is missing.
  static func firstDangling(_ join: VerifySQL.Join) -> String {
    """
    SELECT j."owner" FROM \(SQLText.name(join.table)) j \
    WHERE NOT \(exists("j.\"owner\"", in: join.owner)) \
    OR NOT \(exists("j.\"child\"", in: join.target)) LIMIT 1
    """
  }

  private static func exists(_ value: String, in table: String) -> String {
    "EXISTS (SELECT 1 FROM \(SQLText.name(table)) t WHERE t.\"objectID\" = \(value))"
  }
}

// MARK: - Tables

extension TransferSQL {
  /// A column of an exported table, or of a table to make.
  struct Column {
    var name: String
    /// `INTEGER`, `REAL`, `TEXT` or `BLOB`.
    var type: String
    var isNotNull = false
    /// Whether the column compares texts as decimals.
    var comparesDecimals = false
    /// The column's DEFAULT value; nil if it has none, or none that is a literal.
    var preset: Value?
    /// The table whose objectIDs the column holds; nil if it holds other values.
    var target: String?
    /// Whether the column's index is unique; nil if the column has no index.
    var index: Bool?

    /// The clause by which the column refers to the other table; nil if it holds other values.
    fileprivate func reference(_ dialect: any Dialect) -> String? {
      target.map { TableSQL.reference(to: $0, onDelete: "SET NULL", dialect) }
    }
  }

  /// Returns the type of a column, which is one of four words in the lines.
  private static func type(of column: Column, _ dialect: any Dialect) -> String {
    if column.target != nil { return dialect.identifierType }
    let storageClass = ConversionForm.ColumnType(rawValue: column.type)?.storageClass
    if column.comparesDecimals, storageClass == .text { return dialect.decimalType }
    return storageClass.map(dialect.type) ?? column.type
  }

  /// Returns the statements that let the columns of a table refer to other tables, where the table could not do so when
  /// it was made.
  static func addReferences(
    _ table: String,
    _ columns: [Column],
    _ dialect: any Dialect
  ) -> [String] {
    if dialect.refersAhead { return [] }
    return columns.compactMap { column in
      column.target.map {
        TableSQL.addReference(column.name, of: table, to: $0, onDelete: "SET NULL", dialect)
      }
    }
  }

  /// Returns the statements that make a table as the store makes it for a class.
  static func createTable(
    _ table: String,
    _ columns: [Column],
    _ dialect: any Dialect
  ) -> [String] {
    let definitions = columns.map { column in
      SQLText.name(column.name) + " " + type(of: column, dialect)
        + (column.isNotNull ? " NOT NULL" : "")
        + (column.preset.map { " DEFAULT \(SQLText.literal($0, dialect))" } ?? "")
        + (dialect.refersAhead ? column.reference(dialect) ?? "" : "")
    }
    let body = ([TableSQL.objectID(isKey: true, dialect)] + definitions).joined(separator: ", ")
    return ["CREATE TABLE \(SQLText.name(table)) (\(body))\(dialect.keyedTableEnding)"]
      + columns.compactMap { column in
        column.index.map {
          TableSQL.createIndex(
            table: table,
            column: column.name,
            isUnique: $0,
            holdsDecimals: column.comparesDecimals,
            dialect
          )
        }
      }
  }

  /// Returns the value of a literal as ``SQLText/literal(_:)`` writes it; nil for any other
  /// default.
  static func value(ofLiteral text: String) -> Value? {
    switch text {
    case "NULL": return .null
    case "9e999": return .real(.infinity)
    case "-9e999": return .real(-.infinity)
    default: break
    }
    if let integer = Int64(text) { return .integer(integer) }
    if let bytes = blob(text) { return .blob(bytes) }
    if text.count >= 2, text.hasPrefix("'"), text.hasSuffix("'") {
      return unquoted(String(text.dropFirst().dropLast())).map(Value.text)
    }
    let (start, end) = ("(CAST(", " AS TEXT))")
    if text.hasPrefix(start), text.hasSuffix(end), text.count > start.count + end.count,
      let bytes = blob(String(text.dropFirst(start.count).dropLast(end.count)))
    {
      return String(validating: bytes, as: UTF8.self).map(Value.text)
    }
    guard text.utf8.first.map({ "+-.0123456789".utf8.contains($0) }) == true,
      let real = Double(text), real.isFinite
    else { return nil }
    return .real(real)
  }

  /// Returns the text of a literal between its quotes; nil if a quote in it is not doubled.
  private static func unquoted(_ text: String) -> String? {
    let parts = text.replacingOccurrences(of: "''", with: "\u{0}")
    guard !text.utf8.contains(0), !parts.utf8.contains(UInt8(ascii: "'")) else { return nil }
    return parts.replacingOccurrences(of: "\u{0}", with: "'")
  }

  private static func blob(_ text: String) -> Data? {
    guard text.hasPrefix("x'"), text.hasSuffix("'") else { return nil }
    return [UInt8](hex: text.dropFirst(2).dropLast()).map { Data($0) }
  }
}
