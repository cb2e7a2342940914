import NacreSQLite
import NacreStore

/// A unique index, with a text that says the collation of each of its columns: made anew over a column with another
/// one, it tells the same values apart as before.
struct UniqueIndex {
  let former: String
  let text: String

  /// The unique indexes over a column.
  ///
  /// - Throws: `schemaMismatch` for one of expressions or of some rows alone, whose text can't be made from its columns.
  static func over(
    _ column: String,
    of table: String,
    on connection: Connection
  ) throws -> [UniqueIndex] {
    var found: [(name: String, text: String, isPartial: Bool)] = []
    try connection.each(MigrationSQL.uniqueIndexes, [.text(table), .text(column)]) { row in
      found.append((row.text(at: 0), row.text(at: 1), row.int64(at: 2) != 0))
    }
    return try found.map { index in
      var columns: [String] = []
      var isPlain = !index.isPartial
      try connection.each(MigrationSQL.indexTerms, [.text(index.name)]) { row in
        isPlain = isPlain && !row.isNull(at: 0)
        columns.append(
          MigrationSQL.term(row.text(at: 0), row.text(at: 1), isDescending: row.int64(at: 2) != 0)
        )
      }
      guard isPlain else {
        throw NacreError(
          .schemaMismatch,
          entity: table,
          property: column,
          detail:
            "index \(index.name) does not let the column change; drop it and make it again "
            + "afterwards"
        )
      }
      let text = MigrationSQL.createUniqueIndex(index.name, on: table, terms: columns)
      return UniqueIndex(former: index.text, text: text)
    }
  }
}
