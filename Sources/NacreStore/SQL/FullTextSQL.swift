import NacreEngine

/// The names of what makes up the full-text index of a table (Vectors/FORMAT.md).
package struct FullTextNames {
  /// The index itself.
  package let index: String
  /// The table that gives each objectID its key in the index.
  package let rows: String
  /// The table with the objects whose texts have changed since the index was brought up to date.
  package let changed: String
  let insertTrigger: String
  let updateTrigger: String
  let deleteTrigger: String

  /// Returns the names for a table.
  package init(table: String) {
    index = table + Self.suffix
    rows = index + "__row"
    changed = index + "__changed"
    insertTrigger = table + Self.triggerSuffixes[0]
    updateTrigger = table + Self.triggerSuffixes[1]
    deleteTrigger = table + Self.triggerSuffixes[2]
  }

  /// The ending of all names after that of the table.
  static let suffix = "__fulltext"
  /// The endings of the triggers' names after that of the table.
  static let triggerSuffixes = ["insert", "update", "delete"].map { "\(suffix)__\($0)" }

  /// The tables, without those that the engine makes for the index.
  var tables: [String] { [index, rows, changed] }
  var triggers: [String] { [insertTrigger, updateTrigger, deleteTrigger] }
  /// All names.
  var all: Set<SQLName> { Set((tables + triggers).map(SQLName.init)) }
}

/// The definitions of a full-text index, and the statements that keep it up to date.
///
/// The index has texts of its own. So it never depends on what a row held before, and a row that
/// SQL replaces without a trigger can't damage it.
///
/// SQLite lets no trigger of a file write to a virtual table, unless it trusts the file. So the
/// triggers note in a table which objects have changed, and the store brings the index up to date
/// before it commits.
package struct FullTextSQL {
  private let tableName: String
  private let columnNames: [String]
  private let tokenizer: Tokenizer
  private let names: FullTextNames
  private let dialect: any Dialect
  private let engine: any FullTextDialect

  /// Writes the statements in the SQL of an engine.
  ///
  /// - Parameters:
  ///   - table: The entity's table.
  ///   - columns: The columns of the index, in its order.
  ///   - tokenizer: How the index tells words apart.
  ///   - dialect: The engine's SQL.
  ///   - engine: Its SQL of full-text search.
  package init(
    table: String,
    columns: [String],
    _ tokenizer: Tokenizer,
    _ dialect: any Dialect,
    _ engine: any FullTextDialect
  ) {
    tableName = table
    columnNames = columns
    self.tokenizer = tokenizer
    self.dialect = dialect
    self.engine = engine
    names = FullTextNames(table: table)
  }

  private var table: String { SQLText.name(tableName) }
  private var texts: String { SQLText.name(names.index) }
  private var rows: String { SQLText.name(names.rows) }
  private var changed: String { SQLText.name(names.changed) }
  private static let objectID = "\"objectID\""

  // MARK: Definitions

  /// The definition of each part by its name, in the order in which they are made.
  var definitions: [(name: String, sql: String)] {
    let columns = columnNames.map(SQLText.name)
    let id = Self.objectID
    let updates = ([id] + columns).joined(separator: ", ")
    return [
      (names.index, engine.createIndex(texts, columns: columns, tokenizer)),
      (
        names.rows,
        "CREATE TABLE \(rows) (\"id\" INTEGER PRIMARY KEY, \(id) BLOB NOT NULL UNIQUE)"
      ),
      (
        names.changed,
        "CREATE TABLE \(changed) (\(id) BLOB NOT NULL PRIMARY KEY)\(dialect.keyedTableEnding)"
      ),
      trigger(names.insertTrigger, "INSERT", "(new.\(id))"),
      trigger(names.updateTrigger, "UPDATE OF \(updates)", "(old.\(id)), (new.\(id))"),
      trigger(names.deleteTrigger, "DELETE", "(old.\(id))"),
    ]
  }

  /// The conflict is settled in the statement's own clause, because the statement that fires the
  /// trigger would override an `OR IGNORE`.
  private func trigger(_ name: String, _ event: String, _ values: String) -> (String, String) {
    (
      name,
      """
      CREATE TRIGGER \(SQLText.name(name)) AFTER \(event) ON \(table) BEGIN \
      INSERT INTO \(changed) VALUES \(values) ON CONFLICT DO NOTHING; END
      """
    )
  }

  /// The statements that put the texts of all rows into a new index.
  var fill: [String] {
    [
      "INSERT INTO \(rows) (\(Self.objectID)) SELECT t.\(Self.objectID) FROM \(table) t",
      insert(from: "\(rows) r CROSS JOIN \(table) t WHERE t.\(Self.objectID) = r.\(Self.objectID)"),
    ]
  }

  private func insert(from source: String) -> String {
    let columns = columnNames.map(SQLText.name)
    let values = columns.map { "t.\($0)" }.joined(separator: ", ")
    return "INSERT INTO \(texts) (\(([engine.key] + columns).joined(separator: ", "))) "
      + "SELECT r.\"id\", \(values) FROM \(source)"
  }

  /// Returns the statements that remove everything that a table's index consists of.
  static func drop(table: String) -> [String] {
    let names = FullTextNames(table: table)
    return names.triggers.map { "DROP TRIGGER IF EXISTS \(SQLText.name($0))" }
      + names.tables.map(MigrationSQL.dropTable)
  }

  // MARK: Following

  /// The SELECT that finds a row if the index has to be brought up to date.
  package var isBehind: String { "SELECT 1 FROM \(changed) LIMIT 1" }

  /// The statements that bring the index up to date.
  ///
  /// The objects that have changed come first in every join, so that the time depends on their
  /// number alone. The rows of the index are deleted and inserted in the order of their keys, because
  /// FTS5 writes out its work at every key that is less than the one before.
  var follow: [String] {
    let id = Self.objectID
    let keys = "SELECT r.\"id\" FROM \(changed) c CROSS JOIN \(rows) r WHERE r.\(id) = c.\(id)"
    return [
      "DELETE FROM \(texts) WHERE \(engine.key) IN (\(keys))",
      """
      DELETE FROM \(rows) WHERE \(id) IN (SELECT c.\(id) FROM \(changed) c \
      WHERE NOT EXISTS (SELECT 1 FROM \(table) t WHERE t.\(id) = c.\(id)))
      """,
      """
      INSERT INTO \(rows) (\(id)) SELECT c.\(id) FROM \(changed) c CROSS JOIN \(table) t \
      WHERE t.\(id) = c.\(id) AND NOT EXISTS (SELECT 1 FROM \(rows) r WHERE r.\(id) = c.\(id))
      """,
      insert(
        from: "\(rows) r CROSS JOIN \(table) t WHERE r.\"id\" IN (\(keys)) AND t.\(id) = r.\(id)"
      ),
      "DELETE FROM \(changed)",
    ]
  }

  // MARK: Checking

  /// The SELECT of how many objects have other texts in the index than in their rows, or are in one
  /// of the two alone; objects whose change is noted don't count.
  package var countStale: String {
    let id = Self.objectID
    let differs = columnNames.map(SQLText.name)
      .map { "NOT (\(dialect.hasSameBytes("f.\($0)", "t.\($0)")))" }
    return """
      SELECT (SELECT count(*) FROM \(table) t LEFT JOIN \(rows) r ON r.\(id) = t.\(id) \
      LEFT JOIN \(texts) f ON f.\(engine.key) = r."id" \
      WHERE (f.\(engine.key) IS NULL OR \(differs.joined(separator: " OR "))) \
      AND t.\(id) NOT IN (SELECT \(id) FROM \(changed))) \
      + (SELECT count(*) FROM \(rows) r \
      WHERE NOT EXISTS (SELECT 1 FROM \(table) t WHERE t.\(id) = r.\(id)) \
      AND r.\(id) NOT IN (SELECT \(id) FROM \(changed))) \
      + (SELECT count(*) FROM \(texts) f \
      WHERE NOT EXISTS (SELECT 1 FROM \(rows) r WHERE r."id" = f.\(engine.key)))
      """
  }

  /// The statement that throws an error of the kind `corrupt` if the index does not fit its own
  /// texts; it needs a connection that writes.
  package var check: String { engine.check(texts) }

  /// The SELECT that throws an error of the kind `badStatement` if the expression in its parameter
  /// is malformed.
  package var probe: String {
    "SELECT 1 FROM \(texts) f WHERE \(engine.matches("f." + texts)) LIMIT 1"
  }

  // MARK: Searching

  /// The columns of ``found(_:)``, by names that no table of an application has.
  package static let foundObject = "\"nacre_object\""
  package static let foundRank = "\"nacre_rank\""
  package static func foundText(_ index: Int) -> String { "\"nacre_text_\(index)\"" }

  /// Returns the subquery of what an expression finds: the objectID, the rank, and some texts.
  ///
  /// SQLite merges it with the query around it, so that the texts are made for the rows alone that
  /// the query returns.
  ///
  /// - Parameter excerpts: The texts to make; their parameters come before the expression.
  /// - Returns: The subquery, in parentheses.
  package func found(_ excerpts: [FullTextExcerpt] = []) -> String {
    let made = excerpts.enumerated().map { number, excerpt in
      "\(text(excerpt)) AS \(Self.foundText(number))"
    }
    let columns =
      ["r.\(Self.objectID) AS \(Self.foundObject)", "f.\(engine.rank) AS \(Self.foundRank)"] + made
    return "(\(selectFound(columns.joined(separator: ", "))))"
  }

  /// Returns the SELECT of what the expression in its last parameter finds, from the index `f` and the
  /// rows `r`.
  private func selectFound(_ columns: String) -> String {
    """
    SELECT \(columns) FROM \(texts) f CROSS JOIN \(rows) r \
    WHERE r."id" = f.\(engine.key) AND \(engine.matches("f." + texts))
    """
  }

  private func text(_ excerpt: FullTextExcerpt) -> String {
    // The schema's columns are those of the index, so there is one.
    let column = columnNames.firstIndex(of: excerpt.column) ?? 0
    guard let length = excerpt.length else {
      return engine.highlight("f." + texts, column: column)
    }
    return engine.snippet("f." + texts, column: column, length: length)
  }

  /// The condition that a row's object is among those that an expression finds.
  package var isFound: String {
    "\(table).\(Self.objectID) IN (\(selectFound("r.\(Self.objectID)")))"
  }
}

/// A text that a search makes of what it finds: a whole text with marks, or a part of one.
package struct FullTextExcerpt: Sendable {
  /// The column of the text.
  package let column: String
  /// How many words it has at most; nil for the whole text.
  package let length: Int?

  package init(column: String, length: Int? = nil) {
    self.column = column
    self.length = length
  }
}
