import NacreEngine
import NacreStore

// The statements that read, change or delete many rows at once.

extension RowSQL {
  /// Returns the terms without order and limit, which keep their meaning as part of the condition.
  private func unlimited(_ terms: QueryTerms) -> QueryTerms {
    if terms.limit == nil { return QueryTerms(condition: terms.condition) }
    let keys = keyColumns.joined(separator: ", ")
    let key = schema.keys.count > 1 ? "(\(keys))" : keys
    return QueryTerms(condition: "\(key) IN (\(selectKeys(terms)))")
  }

  func count(_ terms: QueryTerms) -> String {
    "SELECT count(*) FROM \(table)" + Self.tail(unlimited(terms))
  }

  /// Returns a SELECT of an aggregate of one column.
  func aggregate(_ aggregate: Aggregate, of property: Property?, _ terms: QueryTerms) -> String {
    let column = Self.column(property)
    // In a table that an earlier version made, the column lacks its collation.
    let ordered = column + TableSQL.collate(property.flatMap { Self.collation($0, dialect) })
    let expression =
      switch aggregate {
      case .sum: "sum(\(column))"
      case .average: "avg(\(column))"
      case .minimum: "min(\(ordered))"
      case .maximum: "max(\(ordered))"
      case .distinctCount: "count(DISTINCT \(column))"
      }
    return "SELECT \(expression) FROM \(table)" + Self.tail(unlimited(terms))
  }

  /// Returns the collation that orders a property's values, or nil for the engine's default.
  static func collation(_ property: Property, _ dialect: any Dialect) -> String? {
    property.holdsDecimals ? dialect.decimalCollation : nil
  }

  enum Aggregate { case sum, average, minimum, maximum, distinctCount }

  /// Returns a SELECT of how many rows have each value of one column, the greatest number first:
  /// value, number.
  func groupCounts(by property: Property?, _ terms: QueryTerms) -> String {
    "SELECT \(Self.column(property)), count(*) FROM \(table)" + Self.tail(unlimited(terms))
      + " GROUP BY 1 ORDER BY 2 DESC, 1"
  }

  func deleteAll(_ terms: QueryTerms) -> String {
    "DELETE FROM \(table)" + Self.tail(unlimited(terms))
  }

  /// Returns an UPDATE that sets or increments plain columns; their parameters come before those of
  /// the condition.
  func updateAll(_ columns: [(property: Property, isIncrement: Bool)], _ terms: QueryTerms)
    -> String
  {
    let terms = unlimited(terms)
    let changes =
      columns.map { change in
        let column = Self.column(change.property)
        return change.isIncrement ? "\(column) = \(column) + ?" : "\(column) = ?"
      } + [raise].compactMap { $0 }
    return "UPDATE \(table) SET \(changes.joined(separator: ", "))" + Self.tail(terms)
  }

  /// Returns a SELECT that finds a row if a column holds a value greater, or less, than the last
  /// parameter.
  func hasValue(of property: Property, isGreater: Bool, _ terms: QueryTerms) -> String {
    let comparison = "\(Self.column(property)) \(isGreater ? ">" : "<") ?"
    let condition = unlimited(terms).condition.map { "(\($0)\n) AND \(comparison)" }
    return probe(QueryTerms(condition: condition ?? comparison, limit: 1))
  }
}

extension RelationshipSQL {
  /// The condition that an object's identifier is in the set that is bound as parameter 1.
  static var isAmongIdentifiers: String {
    "\"objectID\" IN (\(identifiers) SELECT \"id\" FROM \"nacre_ids\")"
  }
}
