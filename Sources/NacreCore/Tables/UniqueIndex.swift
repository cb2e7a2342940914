import NacreEngine
import NacreStore

/// A unique index, with a statement that names the collation of each of its columns.
///
/// If it is made again over a column with another collation, it still tells the same values apart
/// as before.
struct UniqueIndex {
  let former: String
  let text: String

  /// Returns the unique indexes over a column.
  ///
  /// - Throws: `schemaMismatch` for an index of expressions or of only some rows, whose text can't
  ///   be made from its columns.
  static func over(
    _ column: String,
    of table: String,
    on connection: any EngineConnection
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
