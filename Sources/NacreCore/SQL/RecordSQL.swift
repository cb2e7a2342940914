import NacreEngine
import NacreStore

/// The definitions and statements of one record table.
///
/// Parameter i + 2 is column i. After all of these come the blind indexes in the same order, and
/// then the keys of the row that the statement concerns. If the table has sealed columns, parameter
/// 1 and column 0 are its hidden objectID.
struct RecordSQL: Sendable {
  let schema: EntitySchema
  /// The columns of the primary key.
  let keys: [Int]
  /// Whether the engine generates the keys.
  let isGenerated: Bool
  /// Whether the rows have an objectID, to which sealed values are bound.
  let isSealed: Bool
  let insert: String
  /// The UPDATE of all columns except the keys; nil if there are no others.
  let updateAll: String?
  let delete: String
  let selectByKey: String
  let selectByObjectID: String
  let selectObjectID: String
  /// The SELECT that finds a row if there is one with the key.
  let exists: String
  private let table: String
  private let rows: String

  init(schema: EntitySchema, keys: [Int], isGenerated: Bool, isSealed: Bool) {
    self.schema = schema
    self.keys = keys
    self.isGenerated = isGenerated
    self.isSealed = isSealed
    let table = SQLText.name(schema.table)
    self.table = table
    let match = keys.enumerated().map { place, key in
      "\(table).\(SQLText.name(schema.properties[key].column)) = "
        + "?\(RecordSQL.keyParameter(place, of: schema))"
    }
    let keyMatch = " WHERE " + match.joined(separator: " AND ")
    let columns = schema.properties.map { SQLText.name($0.column) }
    let objectID = isSealed ? ["\"objectID\""] : []
    let rows =
      "SELECT \((objectID + columns).map { "\(table).\($0)" }.joined(separator: ", ")) FROM \(table)"
    let written = schema.properties.flatMap { EntitySQL.columns(of: $0, schema) }
    let names = objectID + written.map(\.name)
    let parameters = objectID.map { _ in "?1" } + written.map(\.parameter)
    insert =
      "INSERT INTO \(table) (\(names.joined(separator: ", "))) "
      + "VALUES (\(parameters.joined(separator: ", ")))"
    updateAll = RecordSQL.update(
      schema.properties.filter { !keys.contains($0.index) },
      of: schema,
      keyMatch
    )
    self.rows = rows
    delete = "DELETE FROM \(table)" + keyMatch
    selectByKey = rows + keyMatch
    selectByObjectID = rows + " WHERE \(table).\"objectID\" = ?1"
    selectObjectID = "SELECT \"objectID\" FROM \(table)" + keyMatch
    exists = "SELECT 1 FROM \(table)" + keyMatch
    self.keyMatch = keyMatch
  }

  private let keyMatch: String

  /// Returns the parameter of a part of the key of the row that the statement concerns.
  static func keyParameter(_ place: Int, of schema: EntitySchema) -> Int32 {
    Int32(truncatingIfNeeded: 2 * schema.properties.count + 2 + place)
  }

  // MARK: Writing

  /// Returns an UPDATE of these columns in the row that has the key, or nil if there are no
  /// columns.
  func update(_ columns: [Int]) -> String? {
    RecordSQL.update(columns.map { schema.properties[$0] }, of: schema, keyMatch)
  }

  /// Returns an UPDATE of these columns in the row that has the objectID, or nil if there are no
  /// columns.
  func updateByObjectID(_ columns: [Int]) -> String? {
    let match = " WHERE \"objectID\" = ?1"
    return RecordSQL.update(columns.map { schema.properties[$0] }, of: schema, match)
  }

  private static func update(
    _ properties: [Property],
    of schema: EntitySchema,
    _ match: String
  ) -> String? {
    let terms = properties.flatMap { EntitySQL.columns(of: $0, schema) }.map {
      "\($0.name) = \($0.parameter)"
    }
    if terms.isEmpty { return nil }
    return "UPDATE \(SQLText.name(schema.table)) SET \(terms.joined(separator: ", "))" + match
  }

  // MARK: Reading

  func select(_ terms: QueryTerms) -> String { rows + EntitySQL.tail(terms) }

  /// Returns an order by the key.
  func keyOrder(isDescending: Bool, _ dialect: any Dialect) -> String {
    keys.map {
      "\(table).\(SQLText.name(schema.properties[$0].column))"
        + TableSQL.collate(EntitySQL.collation(schema.properties[$0], dialect))
        + (isDescending ? " DESC" : "")
    }
    .joined(separator: ", ")
  }

  /// Returns a SELECT of the keys of the rows that a condition is true of.
  func selectKeys(where condition: String) -> String {
    let columns = keys.map { "\(table).\(SQLText.name(schema.properties[$0].column))" }
    return "SELECT \(columns.joined(separator: ", ")) FROM \(table)"
      + EntitySQL.tail(QueryTerms(condition: condition))
  }

  /// Returns the condition that a property equals the one argument.
  func equals(_ property: Property, _ dialect: any Dialect) -> String {
    "\(table).\(EntitySQL.matched(property, dialect)) = ?"
  }

  /// The condition that a row's objectID equals the one argument.
  static let hasObjectID = "\"objectID\" = ?"

  // MARK: Tables

  /// Returns the statements that make the table and the indexes of its columns.
  func createTable(_ defaults: [String: Value], _ dialect: any Dialect) -> [String] {
    let definitions = SchemaSQL(schema: schema, dialect: dialect)
    var columns = isSealed ? ["\"objectID\" BLOB NOT NULL"] : []
    for property in schema.properties {
      if isGenerated && keys.contains(property.index) {
        columns.append(SQLText.name(property.column) + dialect.generatedKey)
        continue
      }
      let isKey = keys.contains(property.index)
      columns.append(
        definitions.column(property, default: isKey ? nil : defaults[property.name])
      )
      columns += definitions.indexColumn(property).map { [$0] } ?? []
    }
    if !isGenerated {
      let names = keys.map { SQLText.name(schema.properties[$0].column) }
      columns.append("PRIMARY KEY (\(names.joined(separator: ", ")))")
    }
    let ending = isGenerated ? "" : dialect.keyedTableEnding
    return ["CREATE TABLE \(table) (\(columns.joined(separator: ", ")))\(ending)"]
      + (isSealed
        ? [TableSQL.createIndex(table: schema.table, column: "objectID", isUnique: true, dialect)]
        : [])
      + schema.properties.compactMap(definitions.index)
  }

  /// Returns a statement that makes an index over several columns, if the index does not exist yet.
  func createIndex(
    _ name: String,
    _ columns: [String],
    isUnique: Bool,
    _ dialect: any Dialect
  ) -> String {
    let decimals = isUnique ? schema.properties.filter(\.holdsDecimals).map(\.column) : []
    let names = columns.map { TableSQL.indexed($0, isText: decimals.contains($0), dialect) }
    return
      "CREATE \(isUnique ? "UNIQUE " : "")INDEX IF NOT EXISTS \(SQLText.name(name)) ON \(table) "
      + "(\(names.joined(separator: ", ")))"
  }

  /// The SELECT of the entity that the catalog keeps in a table.
  static let selectEntity = "SELECT \"name\" FROM \"nacre_entity\" WHERE \"table\" = ?1"
}
