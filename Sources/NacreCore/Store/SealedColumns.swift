import NacreSQLite

/// The columns that hold envelopes, which no condition may read.
struct SealedColumns {
  private var columns: Set<String> = []
  /// Another number whenever there are others.
  private(set) var version = 0

  init() {}

  /// Reads which columns the catalog calls sealed, and those of their blind indexes.
  init(ofCatalogOn connection: Connection) throws {
    try connection.each(CatalogSQL.selectSealed, []) { row in
      insert(row.text(at: 0), row.text(at: 1))
      if row.int64(at: 2) == 0 { return }
      insert(row.text(at: 0), Property.indexColumn(of: row.text(at: 1)))
    }
  }

  mutating func insert(_ table: String, _ column: String) { set(table, column, true) }

  mutating func set(_ table: String, _ column: String, _ isSealed: Bool) {
    let name = "\(table).\(column)".lowercased()
    let isChanged = isSealed ? columns.insert(name).inserted : columns.remove(name) != nil
    if isChanged { version += 1 }
  }

  /// Holds the columns of another from now on; the version never goes back, for conditions were found good under it.
  mutating func become(_ other: SealedColumns) {
    if columns == other.columns { return }
    columns = other.columns
    version += 1
  }

  var isEmpty: Bool { columns.isEmpty }

  func contains(_ table: String, _ column: String) -> Bool {
    columns.contains("\(table).\(column)".lowercased())
  }
}
