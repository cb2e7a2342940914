#if PostgreSQL
package import NacreEngine

// The server does not say what a statement reads. What it names is found in its text, and compared with the tables and
// columns of the schema. So a statement can be reported to read a column of which it only names a namesake, but not the
// other way round, unless it reads a whole row by its table's name.
extension PostgresConnection {
  package func watchAccess(_ handler: ((Access) -> Bool)?) { accessHandler = handler }

  package func beginRecordingReads() { readTables = [] }

  package func endRecordingReads() -> Set<String> {
    defer { readTables = nil }
    return readTables ?? []
  }

  /// Tells the handler, and the record of tables, what a statement names.
  ///
  /// - Throws: An error of kind `refusedAccess` if the handler answers false.
  func reportAccess(_ text: StatementText) throws {
    guard accessHandler != nil || readTables != nil else { return }
    let handler = accessHandler
    // The questions below are not the statement's.
    accessHandler = nil
    let recorded = readTables
    readTables = nil
    defer { accessHandler = handler }
    let names = NamedObjects(text.text)
    let found = try columns(ofTablesNamed: names)
    readTables = recorded?.union(found.map(\.table))
    guard let handler else { return }
    for access in Self.accesses(text, names, found) where !handler(access) {
      throw PostgresError(.refusedAccess, "the statement is refused", sql: text.sql)
    }
  }

  private static func accesses(
    _ text: StatementText,
    _ names: NamedObjects,
    _ found: [(table: String, columns: [String])]
  ) -> [Access] {
    found.flatMap { table, columns -> [Access] in
      let named = names.hasStar ? columns : columns.filter(names.names.contains)
      let reads =
        [Access.read(table: table, column: "")] + named.map { .read(table: table, column: $0) }
      switch text.firstWord {
      case "insert": return [.insert(table: table)] + reads
      case "update": return named.map { .update(table: table, column: $0) } + reads
      case "delete": return [.delete(table: table)] + reads
      default: return reads
      }
    }
  }

  /// Returns the tables and views that are among the names, with their columns.
  private func columns(ofTablesNamed names: NamedObjects) throws -> [(
    table: String, columns: [String]
  )] {
    var tables: [(table: String, columns: [String])] = []
    let statement: PostgresStatement = try cached(Self.columnsOfTables)
    defer { statement.reset() }
    while try statement.step() {
      let table = statement.text(at: 0)
      guard names.names.contains(table) else { continue }
      if tables.last?.table != table { tables.append((table, [])) }
      tables[tables.count - 1].columns.append(statement.text(at: 1))
    }
    return tables
  }

  private static let columnsOfTables = """
    SELECT c.relname, a.attname FROM pg_catalog.pg_class c \
    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND pg_catalog.pg_table_is_visible(c.oid) \
    AND c.relnamespace <> 'pg_catalog'::regnamespace ORDER BY c.oid, a.attnum
    """
}

/// The names in a statement's text, as the server takes them.
struct NamedObjects {
  private(set) var names: Set<String> = []
  /// Whether a star can stand for all columns.
  private(set) var hasStar = false

  init(_ text: String) {
    var scanner = PostgresScanner(text)
    var last = UInt8(0)
    while let (piece, range) = scanner.nextPiece() {
      let first = scanner.bytes[range.lowerBound]
      switch piece {
      case .word, .name:
        names.insert(scanner.name(piece, range))
        last = 0
      case .other:
        // After a parenthesis, as in `count(*)`, it is no list of columns, and after a number or a name it multiplies;
        // `SELECT *`, `t.*` and `, *` are lists.
        if first == UInt8(ascii: "*"),
          last == 0 || last == UInt8(ascii: ".") || last == UInt8(ascii: ",")
        {
          hasStar = true
        }
        last = first
      default: last = first
      }
    }
  }
}
#endif
