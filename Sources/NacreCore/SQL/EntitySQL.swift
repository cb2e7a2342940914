import NacreEngine
import NacreStore

/// The statements of one entity.
///
/// Parameter 1 is the objectID, and parameter i + 2 is property i. After all of these come the
/// blind indexes in the same order, then the version that a row gets, and then the version that it
/// must have.
///
/// A row is the objectID and then a column for each property, which is NULL if the property has
/// none. If the class detects conflicts, the version is last.
struct EntitySQL: Sendable {
  let schema: EntitySchema
  let dialect: any Dialect
  let table: String
  /// The SELECT of every row of the table, as the objectID and the properties.
  private let rows: String

  init(schema: EntitySchema, dialect: any Dialect) {
    self.schema = schema
    self.dialect = dialect
    table = SQLText.name(schema.table)
    rows = "SELECT \(Self.row(of: schema, table)) FROM \(table)"
  }

  static let objectID = "\"objectID\""

  // MARK: Writing

  var insert: String {
    var columns = schema.properties.filter(\.hasColumn).flatMap { Self.columns(of: $0, schema) }
    if schema.detectsConflicts {
      columns.append((VersionSQL.column, "?\(schema.versionParameter)"))
    }
    let names = [Self.objectID] + columns.map(\.name)
    let parameters = ["?1"] + columns.map(\.parameter)
    return "INSERT INTO \(table) (\(names.joined(separator: ", "))) "
      + "VALUES (\(parameters.joined(separator: ", ")))"
  }

  /// Returns an UPDATE of the columns whose change bits are in `mask`, or nil if none of the
  /// properties has a column.
  ///
  /// If the class detects conflicts, a row with another version than the object's is not updated.
  func update(_ mask: UInt64) -> String? {
    let columns = schema.properties.filter {
      $0.hasColumn && mask & EntityState.bit($0.index) != 0
    }
    if columns.isEmpty { return nil }
    guard schema.detectsConflicts else { return update(columns) }
    let parameter = schema.versionParameter
    return update(columns, and: "\(VersionSQL.column) = ?\(parameter)")
      + " AND \(VersionSQL.column) = ?\(parameter + 1)"
  }

  /// Returns an UPDATE of these properties alone, which a mask can't name: from the 64th on,
  /// properties share a change bit.
  ///
  /// The version stays, unless a further term raises it.
  func update(_ properties: [Property], and term: String? = nil) -> String {
    let terms = properties.flatMap { Self.columns(of: $0, schema) }.map {
      "\($0.name) = \($0.parameter)"
    }
    return "UPDATE \(table) SET \((terms + [term].compactMap { $0 }).joined(separator: ", ")) "
      + "WHERE \(Self.objectID) = ?1"
  }

  /// The term with which an UPDATE by SQL alone raises a row's version; nil if the class does not
  /// detect conflicts.
  var raise: String? { schema.detectsConflicts ? VersionSQL.raise : nil }

  /// Returns a property's column and the column of its blind index, each with its parameter.
  static func columns(
    of property: Property,
    _ schema: EntitySchema
  ) -> [(name: String, parameter: String)] {
    var columns = [(SQLText.name(property.column), "?\(property.index + 2)")]
    if let index = property.indexColumn {
      columns.append((SQLText.name(index), "?\(schema.indexParameter(property.index))"))
    }
    return columns
  }

  var delete: String { "DELETE FROM \(table) WHERE \(Self.objectID) = ?1" }

  // MARK: Reading

  /// Returns the columns of a row, each with the table's alias in front of it.
  func row(_ alias: String) -> String { Self.row(of: schema, alias) }

  static func row(of schema: EntitySchema, _ alias: String) -> String {
    let columns = schema.properties.map { property in
      property.hasColumn ? "\(alias).\(SQLText.name(property.column))" : "NULL"
    }
    let version = schema.detectsConflicts ? ["\(alias).\(VersionSQL.column)"] : []
    return (["\(alias).\(objectID)"] + columns + version).joined(separator: ", ")
  }

  var selectByID: String { "\(rows) WHERE \(Self.objectID) = ?1" }

  var exists: String { "SELECT 1 FROM \(table) WHERE \(Self.objectID) = ?1" }

  /// The SELECT of no rows.
  var none: String { "\(rows) WHERE 0" }

  func select(_ terms: QueryTerms) -> String { rows + Self.tail(terms) }

  /// Returns a SELECT of some columns, with the objectID first if it is wanted.
  ///
  /// If it is distinct, equal rows are read once.
  func selectColumns(
    _ properties: [Property?],
    _ terms: QueryTerms,
    isDistinct: Bool,
    withObjectID: Bool
  ) -> String {
    let columns = (withObjectID ? [Self.objectID] : []) + properties.map(Self.column)
    return "SELECT \(isDistinct ? "DISTINCT " : "")\(columns.joined(separator: ", ")) FROM \(table)"
      + Self.tail(terms)
  }

  /// Returns a property's column; nil stands for the objectID.
  package static func column(_ property: Property?) -> String {
    property.map { SQLText.name($0.column) } ?? objectID
  }

  /// Returns a SELECT of the objects whose sealed property may have a value: objectID, envelope.
  ///
  /// It finds them by `tokenCount` tokens of the property's blind index.
  func selectCandidates(_ property: Property, tokenCount: Int, includesNull: Bool) -> String {
    let column = SQLText.name(property.column)
    let tokens = (1...max(tokenCount, 1)).map { "?\($0)" }.joined(separator: ", ")
    let index = property.indexColumn.map(SQLText.name) ?? "NULL"
    return "SELECT \(Self.objectID), \(column) FROM \(table) WHERE "
      + (tokenCount > 0 ? "\(index) IN (\(tokens))" : "0")
      + (includesNull ? " OR \(column) IS NULL" : "")
  }

  /// Returns the condition that a property has one of `count` values.
  func isOneOf(_ property: Property, count: Int, includesNull: Bool) -> String {
    let column = Self.matched(property, dialect)
    let values = Array(repeating: "?", count: count).joined(separator: ", ")
    return "\(column) IN (\(values))" + (includesNull ? " OR \(column) IS NULL" : "")
  }

  /// Returns the expression by which a value is looked for in a plain column.
  ///
  /// It tells values apart as the column's unique index does, if it has one.
  static func matched(_ property: Property, _ dialect: any Dialect) -> String {
    guard case .value(let kind) = property.kind else { return SQLText.name(property.column) }
    return TableSQL.indexed(property.column, isText: kind.isDecimal && kind.isUnique, dialect)
  }

  func selectIDs(_ terms: QueryTerms) -> String {
    "SELECT \(Self.objectID) FROM \(table)" + Self.tail(terms)
  }

  /// Returns a SELECT that reads only what the terms themselves read, so that an authorizer sees
  /// only that.
  func probe(_ terms: QueryTerms) -> String { "SELECT 1 FROM \(table)" + Self.tail(terms) }

  static func tail(_ terms: QueryTerms) -> String {
    clause(" WHERE ", terms.condition.map { "(\($0)\n)" })
      + clause(" ORDER BY ", terms.order.map(SQLText.order))
      + (terms.limit == nil ? "" : " LIMIT \(terms.limit ?? -1) OFFSET \(terms.offset)")
  }

  static func clause(_ keyword: String, _ text: String?) -> String {
    text.map { keyword + $0 } ?? ""
  }
}

/// The parts of a query that the caller wrote.
struct QueryTerms: Hashable, Sendable {
  var condition: String?
  var order: String?
  var limit: Int?
  var offset = 0
}
