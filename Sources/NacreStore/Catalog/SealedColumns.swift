import NacreEngine

/// The columns that hold envelopes, which conditions may not read.
package struct SealedColumns {
  private struct Place: Hashable {
    let table: SQLName
    let column: SQLName
  }

  private var columns: Set<Place> = []
  /// A number that changes whenever the columns change.
  package private(set) var version = 0

  package init() {}

  /// Reads which columns the catalog calls sealed, and adds those of their blind indexes.
  init(ofCatalogOn connection: any EngineConnection) throws {
    try SealedColumns.each(ofCatalogOn: connection) { insert($0, $1) }
  }

  /// Passes `body` the table and name of each column that the catalog calls sealed, and of its
  /// blind index.
  static func each(
    ofCatalogOn connection: any EngineConnection,
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
    let place = Place(table: SQLName(table), column: SQLName(column))
    let isChanged = isSealed ? columns.insert(place).inserted : columns.remove(place) != nil
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
    columns.contains(Place(table: SQLName(table), column: SQLName(column)))
  }
}

extension EngineConnection {
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
    watchAccess { action in
      guard case .read(let table, let column) = action, sealed.contains(table, column) else {
        return true
      }
      refused = (table, column)
      return false
    }
    defer { watchAccess(nil) }
    do {
      return try body()
    } catch {
      guard let refused else { throw error }
      throw try refusal(refused.table, refused.column)
    }
  }
}
