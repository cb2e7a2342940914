import NacreEngine
import NacreStore

/// A rebuild of a plain column that gives it another type or collation, or takes its NOT NULL away.
///
/// SQLite can do that only by making a new column.
struct ColumnRebuild {
  let table: String
  package let column: String
  /// The definition of the new column after its name: its type, with the clauses that it is to
  /// have.
  let type: String
  /// The expression for the new column's values, over the columns of the row.
  let expression: String

  private var madeColumn: String { column + "__made" }

  /// Prepares a statement that reads the expression, so that the caller can watch which columns it
  /// reads; changes nothing.
  func probe(on connection: any EngineConnection) throws {
    let sql = MigrationSQL.read(expression, of: table)
    _ = try connection.prepare(sql, persistent: false)
  }

  func run(on connection: any EngineConnection) throws {
    let (type, isRecollated) = try collated(on: connection)
    try FullTextIndex.drop(ofTable: table, with: column, on: connection)
    try connection.execute(MigrationSQL.addColumn(madeColumn, to: table, type: type))
    try connection.execute(MigrationSQL.fill(madeColumn, of: table, with: expression))
    let indexes = try ColumnRebuild.dropIndexes(
      over: column,
      of: table,
      on: connection,
      keepsComparing: isRecollated
    )
    try connection.execute(MigrationSQL.dropColumn(column, of: table))
    try connection.execute(MigrationSQL.renameColumn(madeColumn, of: table, to: column))
    for index in indexes { try connection.execute(index) }
  }

  /// Returns the definition after the column's name, and whether texts compare differently under it
  /// than before.
  ///
  /// A column of decimals that stays TEXT keeps comparing them as it does.
  private func collated(on connection: any EngineConnection) throws -> (type: String, isOther: Bool)
  {
    let dialect = connection.dialect
    let comparedDecimals = try connection.comparesDecimals(column, of: table)
    if comparedDecimals { return (type == dialect.type(.text) ? dialect.decimalType : type, false) }
    // A type of decimals leaves the indexes as they are.
    guard let collation = dialect.decimalCollation else { return (type, false) }
    return (type, type.contains(TableSQL.collate(collation)))
  }

  /// Drops the indexes over a column, because a column with indexes can't be dropped.
  ///
  /// - Parameters:
  ///   - column: The column's name.
  ///   - table: The table's name.
  ///   - connection: A connection to the file.
  ///   - keepsComparing: Whether unique indexes still tell the same values apart as before if the
  ///     column gets another collation.
  /// - Returns: The statements that make the indexes again.
  /// - Throws: `schemaMismatch`, before an index is dropped, for a unique index that can't keep
  ///   comparing; the error that the engine reports.
  @discardableResult
  static func dropIndexes(
    over column: String,
    of table: String,
    on connection: any EngineConnection,
    keepsComparing: Bool = false
  ) throws -> [String] {
    let found = try connection.schema.indexes(of: table).filter { index in
      index.terms.contains { $0.column.map(SQLName.init) == SQLName(column) }
    }
    var (names, statements): ([String], [String]) = ([], [])
    for (_, object) in try connection.schema.indexDefinitions(of: [table]) {
      let index = found.first { $0.name.hasSameBytes(as: object.name) }
      guard let index, !object.definition.isEmpty else { continue }
      names.append(object.name)
      // The index's own text would adopt the column's new collation.
      let isOther = keepsComparing && index.isUnique
      try statements.append(isOther ? naming(index, column, of: table) : object.definition)
    }
    for name in names { try connection.execute(MigrationSQL.dropIndex(name)) }
    return statements
  }

  /// Returns the statement that makes a unique index and names the collation of each of its
  /// columns.
  ///
  /// - Throws: `schemaMismatch` for an index of expressions or of only some rows, whose text can't
  ///   be made from its columns.
  private static func naming(
    _ index: EngineIndex,
    _ column: String,
    of table: String
  ) throws -> String {
    let terms = index.terms.compactMap { term in
      term.column.map { MigrationSQL.term($0, term.collation, isDescending: term.isDescending) }
    }
    guard !index.isPartial, terms.count == index.terms.count else {
      throw NacreError(
        .schemaMismatch,
        entity: table,
        property: column,
        detail:
          "index \(index.name) does not let the column change; drop it and make it again "
          + "afterwards"
      )
    }
    return MigrationSQL.createUniqueIndex(index.name, on: table, terms: terms)
  }
}
