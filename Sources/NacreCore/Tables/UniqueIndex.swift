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
    let definitions = try connection.schema.indexDefinitions(of: table)
    return try connection.schema.indexes(of: table).compactMap { index in
      guard index.isUnique, index.has(column),
        let former = definitions.first(where: { $0.name.hasSameBytes(as: index.name) })?.definition
      else { return nil }
      let columns = index.terms.compactMap { term in
        term.column.map {
          MigrationSQL.term($0, term.collation, isDescending: term.isDescending)
        }
      }
      guard !index.isPartial, columns.count == index.terms.count else {
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
      return UniqueIndex(former: former, text: text)
    }
  }
}

extension EngineIndex {
  /// Returns whether a column is one of the terms, in any case of its letters.
  func has(_ column: String) -> Bool {
    terms.contains { $0.column.map(SQLName.init) == SQLName(column) }
  }
}
