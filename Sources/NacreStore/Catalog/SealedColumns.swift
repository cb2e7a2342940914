import NacreSQLite

/// The columns that hold envelopes, which conditions may not read.
package struct SealedColumns {
  private var columns: Set<String> = []
  /// A number that changes whenever the columns change.
  package private(set) var version = 0

  package init() {}

  /// Reads which columns the catalog calls sealed, and adds those of their blind indexes.
  init(ofCatalogOn connection: Connection) throws {
    try SealedColumns.each(ofCatalogOn: connection) { insert($0, $1) }
  }

  /// Passes `body` the table and name of each column that the catalog calls sealed, and of its
  /// blind index.
  static func each(
    ofCatalogOn connection: Connection,
    _ body: (_ table: String, _ column: String) -> Void
  ) throws {
    try connection.each(CatalogSQL.selectSealed, []) { row in
      let (table, column) = (row.text(at: 0), row.text(at: 1))
      body(table, column)
      if row.int64(at: 2) != 0 { body(table, SealedColumns.indexColumn(of: column)) }
    }
  }

  /// Returns the name of the column of a sealed column's blind index (Vectors/FORMAT.md).
  package static func indexColumn(of column: String) -> String { column + "__index" }

  package mutating func insert(_ table: String, _ column: String) { set(table, column, true) }

  package mutating func set(_ table: String, _ column: String, _ isSealed: Bool) {
    let name = "\(table).\(column)".lowercased()
    let isChanged = isSealed ? columns.insert(name).inserted : columns.remove(name) != nil
    if isChanged { version += 1 }
  }

  /// Takes over the columns of another value.
  ///
  /// The version never goes back, because conditions were checked under it.
  package mutating func become(_ other: SealedColumns) {
    if columns == other.columns { return }
    columns = other.columns
    version += 1
  }

  package var isEmpty: Bool { columns.isEmpty }

  package func contains(_ table: String, _ column: String) -> Bool {
    columns.contains("\(table).\(column)".lowercased())
  }
}

extension Connection {
  /// Runs code that prepares SQL while SQLite reports each column that the SQL reads, also by views
  /// and triggers.
  ///
  /// - Parameters:
  ///   - sealed: The columns that the SQL may not read.
  ///   - refusal: Makes the error for a table and column that the SQL would read.
  ///   - body: Prepares the SQL; if no such column caused its error, that error is thrown.
  /// - Returns: The result of `body`.
  /// - Throws: The refusal, or the error of `body`.
  package func refusingReads<T>(
    of sealed: SealedColumns,
    by refusal: (_ table: String, _ column: String) throws -> NacreError,
    _ body: () throws -> T
  ) throws -> T {
    var refused: (table: String, column: String)?
    setAuthorizer { action in
      guard case .read(let table, let column) = action, sealed.contains(table, column) else {
        return true
      }
      refused = (table, column)
      return false
    }
    defer { setAuthorizer(nil) }
    do {
      return try body()
    } catch {
      guard let refused else { throw error }
      throw try refusal(refused.table, refused.column)
    }
  }
}
