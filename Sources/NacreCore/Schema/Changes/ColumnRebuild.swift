import NacreSQLite

/// Gives a plain column another type, or takes its NOT NULL away, which SQLite does by making a new column only.
struct ColumnRebuild {
  let table: String
  let column: String
  /// The column's type afterwards; it takes NULL.
  let type: String
  /// What the new column holds, over the columns of the row.
  let expression: String

  private var madeColumn: String { column + "__made" }

  /// Prepares what reads the expression, for those who watch what it reads; nothing is changed.
  func probe(on connection: Connection) throws {
    let sql = MigrationSQL.fill(column, of: table, with: expression)
    _ = try connection.prepare(sql, persistent: false)
  }

  func run(on connection: Connection) throws {
    try connection.execute(MigrationSQL.addColumn(madeColumn, to: table, type: type))
    try connection.execute(MigrationSQL.fill(madeColumn, of: table, with: expression))
    let indexes = try ColumnRebuild.dropIndexes(over: column, of: table, on: connection)
    try connection.execute(MigrationSQL.dropColumn(column, of: table))
    try connection.execute(MigrationSQL.renameColumn(madeColumn, of: table, to: column))
    for index in indexes { try connection.execute(index) }
  }

  /// Drops the indexes over a column, without which it can't be dropped.
  ///
  /// - Returns: the statements that make them again.
  @discardableResult
  static func dropIndexes(
    over column: String,
    of table: String,
    on connection: Connection
  ) throws -> [String] {
    var (names, statements) = ([String](), [String]())
    try connection.each(MigrationSQL.indexesOverColumn, [.text(table), .text(column)]) { row in
      names.append(row.text(at: 0))
      statements.append(row.text(at: 1))
    }
    for name in names { try connection.execute(MigrationSQL.dropIndex(name)) }
    return statements
  }
}
