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
    let sql = MigrationSQL.fill(column, of: table, with: expression)
    _ = try connection.prepare(sql, persistent: false)
  }

  func run(on connection: any EngineConnection) throws {
    let (type, isRecollated) = try collated(on: connection)
    let unique = isRecollated ? try UniqueIndex.over(column, of: table, on: connection) : []
    try connection.execute(MigrationSQL.addColumn(madeColumn, to: table, type: type))
    try connection.execute(MigrationSQL.fill(madeColumn, of: table, with: expression))
    var indexes = try ColumnRebuild.dropIndexes(over: column, of: table, on: connection)
    // The indexes' own texts would adopt the column's new collation.
    indexes = indexes.map { index in unique.first { $0.former == index }?.text ?? index }
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
    guard let collation = connection.dialect.decimalCollation else { return (type, false) }
    let collate = TableSQL.collate(collation)
    let comparedDecimals = try connection.comparesDecimals(column, of: table)
    if comparedDecimals { return (type == "TEXT" ? type + collate : type, false) }
    return (type, type.contains(collate))
  }

  /// Drops the indexes over a column, because a column with indexes can't be dropped.
  ///
  /// - Returns: The statements that make the indexes again.
  @discardableResult
  static func dropIndexes(
    over column: String,
    of table: String,
    on connection: any EngineConnection
  ) throws -> [String] {
    let names = try connection.schema.indexes(of: table).filter { $0.has(column) }.map(\.name)
    let indexes = try connection.schema.indexDefinitions(of: table).filter { index in
      !index.definition.isEmpty && names.contains { $0.hasSameBytes(as: index.name) }
    }
    for index in indexes { try connection.execute(MigrationSQL.dropIndex(index.name)) }
    return indexes.map(\.definition)
  }
}
