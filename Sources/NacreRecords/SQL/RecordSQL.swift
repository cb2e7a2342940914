import NacreCore
import NacreEngine
import NacreStore

/// The definitions of one record table, and those of its statements that are looked up by their
/// texts, each written once.
struct RecordSQL: Sendable {
  let schema: RowSchema
  let dialect: any Dialect
  /// Whether the engine generates the keys.
  let isGenerated: Bool
  let insert: String
  /// The same, whose row is a generated key where the engine has to return that.
  let insertForKey: String
  /// The UPDATE of all columns except the keys.
  let updateAll: String
  let delete: String
  let selectByKey: String
  let selectObjectID: String
  /// The SELECT that finds a row if there is one with the key.
  let exists: String
  private let table: String

  init(schema: RowSchema, isGenerated: Bool, dialect: any Dialect) {
    self.schema = schema
    self.dialect = dialect
    self.isGenerated = isGenerated
    let sql = RowSQL(schema: schema, dialect: dialect)
    table = sql.table
    insert = sql.insert(
      generating: isGenerated ? schema.keys.first.map { schema.properties[$0] } : nil
    )
    let key = isGenerated && dialect.insertsReturnKeys ? schema.keys.first : nil
    insertForKey =
      insert + (key.map { " RETURNING " + SQLText.name(schema.properties[$0].column) } ?? "")
    updateAll = sql.updateByKey(
      schema.properties.filter { !schema.keys.contains($0.index) }.map { ($0, .set) }
    )
    delete = sql.delete
    selectByKey = sql.selectByKey
    selectObjectID = sql.selectObjectID
    exists = sql.exists
  }

  // MARK: Reading

  /// Returns the condition that a property equals the one argument.
  func equals(_ property: Property) -> String {
    "\(table).\(RowSQL.matched(property, dialect)) = ?"
  }

  /// The condition that a row's objectID equals the one argument.
  static let hasObjectID = "\"objectID\" = ?"

  // MARK: Tables

  /// Returns the statements that make the table and the indexes of its columns.
  func createTable(_ defaults: [String: Value]) -> [String] {
    let definitions = SchemaSQL(schema: schema, dialect: dialect)
    var columns = schema.hasObjectID ? [TableSQL.objectID(isKey: false, dialect)] : []
    for property in schema.properties {
      if isGenerated && schema.keys.contains(property.index) {
        columns.append(SQLText.name(property.column) + dialect.generatedKey)
        continue
      }
      let isKey = schema.keys.contains(property.index)
      columns.append(
        definitions.column(property, default: isKey ? nil : defaults[property.name])
      )
      columns += definitions.indexColumn(property).map { [$0] } ?? []
    }
    if !isGenerated {
      let names = schema.keys.map { SQLText.name(schema.properties[$0].column) }
      columns.append("PRIMARY KEY (\(names.joined(separator: ", ")))")
    }
    let ending = isGenerated ? "" : dialect.keyedTableEnding
    return ["CREATE TABLE \(table) (\(columns.joined(separator: ", ")))\(ending)"]
      + (schema.hasObjectID
        ? [TableSQL.createIndex(table: schema.table, column: "objectID", isUnique: true, dialect)]
        : [])
      + schema.properties.compactMap(definitions.index)
  }

  /// Returns a statement that makes an index over several columns, if the index does not exist yet.
  func createIndex(_ name: String, _ columns: [String], isUnique: Bool) -> String {
    let decimals = isUnique ? schema.properties.filter(\.holdsDecimals).map(\.column) : []
    let names = columns.map { TableSQL.indexed($0, isText: decimals.contains($0), dialect) }
    return
      "CREATE \(isUnique ? "UNIQUE " : "")INDEX IF NOT EXISTS \(SQLText.name(name)) ON \(table) "
      + "(\(names.joined(separator: ", ")))"
  }
}
