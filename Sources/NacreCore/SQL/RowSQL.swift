import NacreEngine
import NacreStore

/// The statements of one table of rows, an entity's or that of records.
///
/// Parameter 1 is the objectID, and parameter i + 2 is property i. After all of these come the
/// blind indexes in the same order. Then comes the version that a row gets and the version that it
/// must have, or the key of the row that the statement concerns, if the key is not the objectID.
///
/// A row is the objectID, if rows have one, and then a column for each property, which is NULL if
/// the property has none. If the class detects conflicts, the version is last.
package struct RowSQL: Sendable {
  let schema: RowSchema
  let dialect: any Dialect
  /// The table's name, in quotes.
  package let table: String
  /// The SELECT of every row of the table, as the objectID and the properties.
  private let rows: String

  /// Writes the statements of a table in the SQL of an engine.
  package init(schema: RowSchema, dialect: any Dialect) {
    self.schema = schema
    self.dialect = dialect
    table = SQLText.name(schema.table)
    rows = "SELECT \(Self.row(of: schema, table)) FROM \(table)"
  }

  static let objectID = "\"objectID\""

  /// The condition that a row has the objectID in parameter 1.
  private static let hasObjectID = "\(objectID) = ?1"

  /// The columns of the primary key.
  var keyColumns: [String] {
    schema.keys.isEmpty ? [Self.objectID] : schema.keys.map { Self.column(schema.properties[$0]) }
  }

  /// The condition that a row has the key that is the condition's arguments.
  package var isKey: String { keyColumns.map { "\($0) = ?" }.joined(separator: " AND ") }

  /// The condition that a row is the one that the statement concerns.
  private var hasKey: String {
    if schema.keys.isEmpty { return Self.hasObjectID }
    return keyColumns.enumerated().map { "\($1) = ?\(schema.keyParameter($0))" }
      .joined(separator: " AND ")
  }

  // MARK: Writing

  /// The INSERT of a row.
  package var insert: String { insert(generating: nil) }

  /// Returns the INSERT of a row for whose key, if it is NULL, the engine generates a value.
  package func insert(generating key: Property?) -> String {
    var columns = schema.properties.filter(\.hasColumn).flatMap { property in
      let columns = Self.columns(of: property, schema)
      guard property === key else { return columns }
      return columns.map { name, parameter in
        (name, dialect.generatedKey(parameter, of: property.column, in: schema.table))
      }
    }
    if schema.detectsConflicts {
      columns.append((VersionSQL.column, "?\(schema.versionParameter)"))
    }
    if schema.hasObjectID { columns.insert((Self.objectID, "?1"), at: 0) }
    let (names, parameters) = (columns.map(\.name), columns.map(\.parameter))
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

  /// Returns an UPDATE of these properties alone in the row that has the objectID.
  ///
  /// A mask can't name them: from the 64th on, properties share a change bit. The version stays,
  /// unless a further term raises it.
  package func update(_ properties: [Property], and term: String? = nil) -> String {
    update(properties.map { ($0, .set) }, and: term, where: Self.hasObjectID)
  }

  /// Returns an UPDATE that sets or increments properties in the row that has the key.
  package func updateByKey(_ changes: [(property: Property, change: ValueChange)]) -> String {
    update(changes, where: hasKey)
  }

  private func update(
    _ changes: [(property: Property, change: ValueChange)],
    and term: String? = nil,
    where condition: String
  ) -> String {
    // Of two changes of a column the last holds, which not every engine knows by itself.
    let changes = changes.enumerated().filter { place, change in
      !changes[(place + 1)...].contains { $0.property === change.property }
    }
    let terms = changes.map(\.element).flatMap { property, change in
      Self.columns(of: property, schema).map { name, parameter in
        "\(name) = \(change.value(name, parameter))"
      }
    }
    return "UPDATE \(table) SET \((terms + [term].compactMap { $0 }).joined(separator: ", ")) "
      + "WHERE \(condition)"
  }

  /// The term with which an UPDATE by SQL alone raises a row's version; nil if the class does not
  /// detect conflicts.
  var raise: String? { schema.detectsConflicts ? VersionSQL.raise(dialect) : nil }

  /// Returns a property's column and the column of its blind index, each with its parameter.
  static func columns(
    of property: Property,
    _ schema: RowSchema
  ) -> [(name: String, parameter: String)] {
    var columns = [(SQLText.name(property.column), "?\(property.index + 2)")]
    if let index = property.indexColumn {
      columns.append((SQLText.name(index), "?\(schema.indexParameter(property.index))"))
    }
    return columns
  }

  /// The DELETE of the row that has the key.
  package var delete: String { "DELETE FROM \(table) WHERE \(hasKey)" }

  // MARK: Reading

  /// Returns the columns of a row, each with the table's alias in front of it.
  static func row(of schema: RowSchema, _ alias: String) -> String {
    let columns = schema.properties.map { property in
      property.hasColumn ? "\(alias).\(SQLText.name(property.column))" : "NULL"
    }
    let version = schema.detectsConflicts ? ["\(alias).\(VersionSQL.column)"] : []
    let identity = schema.hasObjectID ? ["\(alias).\(objectID)"] : []
    return (identity + columns + version).joined(separator: ", ")
  }

  /// The SELECT of the row that has the key.
  package var selectByKey: String { "\(rows) WHERE \(hasKey)" }

  /// The SELECT that finds a row if there is one with the key.
  package var exists: String { "SELECT 1 FROM \(table) WHERE \(hasKey)" }

  /// Returns the UPDATE that sets the reference of a row, whose key is parameter 1, to parameter 2.
  func setReference(_ property: Property) -> String {
    "UPDATE \(table) SET \(SQLText.name(property.column)) = ?2 WHERE \(hasKey)"
  }

  /// The SELECT of the objectID of the row that has the key.
  package var selectObjectID: String { "SELECT \(Self.objectID) FROM \(table) WHERE \(hasKey)" }

  /// Returns a SELECT of the rows that terms find.
  package func select(_ terms: QueryTerms) -> String {
    if terms.found == nil { return rows + Self.tail(terms) }
    return "SELECT \(Self.row(of: schema, table)) FROM \(source(terms))" + Self.tail(terms)
  }

  /// Returns the table of a SELECT's rows, which is joined with what a search finds.
  ///
  /// The found rows come first, in the order of their rank; SQLite keeps the order of a cross join.
  private func source(_ terms: QueryTerms) -> String {
    terms.found.map { "\($0) CROSS JOIN \(table)" } ?? table
  }

  /// The condition that a row is the one that a search has found.
  var isFound: String { "\(table).\(Self.objectID) = \(FullTextSQL.foundObject)" }

  /// Returns a SELECT of what a search finds: objectID, rank, texts.
  func selectFound(_ terms: QueryTerms, textCount: Int) -> String {
    let columns =
      [FullTextSQL.foundObject, FullTextSQL.foundRank] + (0..<textCount).map(FullTextSQL.foundText)
    return "SELECT \(columns.joined(separator: ", ")) FROM \(source(terms))" + Self.tail(terms)
  }

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
    if isDistinct, let order = terms.order, !dialect.ordersDistinctRows {
      return selectDistinct(columns, terms, by: order)
    }
    return "SELECT \(isDistinct ? "DISTINCT " : "")\(columns.joined(separator: ", ")) "
      + "FROM \(source(terms))" + Self.tail(terms)
  }

  /// Returns a SELECT of different rows in the order of the first of those that are equal.
  private func selectDistinct(_ columns: [String], _ terms: QueryTerms, by order: String) -> String
  {
    let names = columns.indices.map { "\"nacre_\($0)\"" }
    let list = names.joined(separator: ", ")
    let read = zip(columns, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
    var first = QueryTerms(condition: nil, order: "min(\"nacre_place\")")
    (first.limit, first.offset) = (terms.limit, terms.offset)
    return """
      SELECT \(list) FROM (SELECT \(read), \
      row_number() OVER (ORDER BY \(SQLText.order(order))) AS "nacre_place" FROM \(source(terms))\
      \(Self.tail(QueryTerms(condition: terms.condition, order: nil)))) AS "nacre_rows" GROUP BY \(list)\
      \(Self.tail(first))
      """
  }

  /// Returns a property's column; nil stands for the objectID.
  package static func column(_ property: Property?) -> String {
    property.map { SQLText.name($0.column) } ?? objectID
  }

  /// Returns a SELECT of the rows whose sealed property may have a value: objectID, envelope.
  ///
  /// It finds them by `tokenCount` tokens of the property's blind index.
  func selectCandidates(_ property: Property, tokenCount: Int, includesNull: Bool) -> String {
    let column = SQLText.name(property.column)
    let tokens = (1...max(tokenCount, 1)).map { "?\($0)" }.joined(separator: ", ")
    let index = property.indexColumn.map(SQLText.name) ?? "NULL"
    return "SELECT \(Self.objectID), \(column) FROM \(table) WHERE "
      + (tokenCount > 0 ? "\(index) IN (\(tokens))" : dialect.falsehood)
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
  package static func matched(_ property: Property, _ dialect: any Dialect) -> String {
    guard case .value(let kind) = property.kind else { return SQLText.name(property.column) }
    if kind.comparesDecimals, kind.sealing == nil, !kind.isUnique {
      return dialect.comparedDecimal(SQLText.name(property.column))
    }
    return TableSQL.indexed(property.column, isText: kind.isDecimal && kind.isUnique, dialect)
  }

  func selectIDs(_ terms: QueryTerms) -> String {
    "SELECT \(Self.objectID) FROM \(table)" + Self.tail(terms)
  }

  /// Returns a SELECT of the primary keys of the rows that terms find.
  package func selectKeys(_ terms: QueryTerms) -> String {
    "SELECT \(keyColumns.joined(separator: ", ")) FROM \(table)" + Self.tail(terms)
  }

  /// Returns a SELECT that reads only what the terms themselves read, so that an authorizer sees
  /// only that.
  func probe(_ terms: QueryTerms) -> String { "SELECT 1 FROM \(table)" + Self.tail(terms) }

  /// The text is appended piece by piece, because every query makes it: an interpolation would cost
  /// more than the search for the prepared statement.
  static func tail(_ terms: QueryTerms) -> String {
    var text = ""
    if let condition = terms.condition {
      text += " WHERE ("
      text += condition
      text += "\n)"
    }
    if let order = terms.order {
      text += " ORDER BY "
      text += SQLText.order(order)
    }
    if let limit = terms.limit {
      text += " LIMIT "
      text += String(limit)
      text += " OFFSET "
      text += String(terms.offset)
    }
    return text
  }
}

/// The parts of a query that the caller wrote.
package struct QueryTerms: Hashable, Sendable {
  /// The subquery of what a search finds, whose rank is the order; nil if there is no search, or
  /// another order.
  var found: String?
  var condition: String?
  var order: String?
  var limit: Int?
  var offset = 0

  init(condition: String? = nil, order: String? = nil, limit: Int? = nil, offset: Int = 0) {
    (self.condition, self.order, self.limit, self.offset) = (condition, order, limit, offset)
  }

  /// Makes the terms of a condition alone.
  package init(condition: String) { self.condition = condition }
}
