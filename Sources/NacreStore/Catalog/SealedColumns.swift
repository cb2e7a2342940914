import NacreSQLite

/// The columns that hold envelopes, which no condition may read.
package struct SealedColumns {
  private var columns: Set<String> = []
  /// Another number whenever there are others.
  package private(set) var version = 0

  package init() {}

  /// Reads which columns the catalog calls sealed, and those of their blind indexes.
  init(ofCatalogOn connection: Connection) throws {
    try SealedColumns.each(ofCatalogOn: connection) { insert($0, $1) }
  }

  /// Gives the table and name of each column that the catalog calls sealed, and of its blind index.
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

  /// The name of the column of a sealed column's blind index (Vectors/FORMAT.md).
  package static func indexColumn(of column: String) -> String { column + "__index" }

  package mutating func insert(_ table: String, _ column: String) { set(table, column, true) }

  package mutating func set(_ table: String, _ column: String, _ isSealed: Bool) {
    let name = "\(table).\(column)".lowercased()
    let isChanged = isSealed ? columns.insert(name).inserted : columns.remove(name) != nil
    if isChanged { version += 1 }
  }

  /// Holds the columns of another from now on; the version never goes back, for conditions were found good under it.
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
  /// Runs what prepares SQL, of which SQLite asks about each column that it reads, by views and triggers, too.
  ///
  /// - Parameters:
  ///   - sealed: the columns that it may not read.
  ///   - refusal: the error for a table and column that it would read.
  ///   - body: prepares it; its own error is thrown where no such column was the cause.
  /// - Returns: what `body` returns.
  /// - Throws: the refusal, or what `body` throws.
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
