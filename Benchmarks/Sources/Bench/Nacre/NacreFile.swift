import Foundation
import NacreCore
import NacreOpen

/// Opens stores for Nacre's works.
enum NacreFile {
  /// Opens a fresh store in which `type` and all that it reaches have their tables.
  static func open<E: Entity>(
    _ directory: String,
    _ type: E.Type,
    sealed: Bool,
    schema: [String]
  ) throws -> Store {
    let unlock = sealed ? Unlock.keyFile(directory + "/nacre.key", createIfMissing: true) : nil
    let store = try Store.open(directory + "/nacre.db", unlock: unlock)
    try store.makeDefault()
    _ = try E.count()
    try check(store, against: schema)
    return store
  }

  /// The floor does the same work only while it does it in the same tables.
  private static func check(_ store: Store, against schema: [String]) throws {
    let rows = try store.read { database in
      try database.query(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name NOT LIKE 'nacre_%'"
      )
    }
    let found = rows.compactMap { row in
      if case .text(let sql) = row.first { sql } else { nil }
    }
    let expected = Set(schema.map(essence))
    let actual = Set(found.map(essence))
    if expected != actual {
      let differences = expected.symmetricDifference(actual).sorted().joined(separator: "\n")
      throw RoundError(description: "Nacre's tables are not the floor's:\n\(differences)")
    }
  }

  /// A definition without what costs nothing at run time: spaces, defaults, names of indexes.
  private static func essence(_ sql: String) -> String {
    sql.replacing(#/ DEFAULT ('([^']|'')*'|[-+0-9.eE]+)/#, with: "")
      .replacing(#/INDEX "[^"]*"/#, with: "INDEX")
      .filter { !$0.isWhitespace }
  }
}
