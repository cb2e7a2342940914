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
    "SELECT \(expression(aggregate, of: property)) FROM \(table)" + Self.tail(unlimited(terms))
  }

  private func expression(_ aggregate: Aggregate, of property: Property?) -> String {
    let column = Self.column(property)
    return switch aggregate {
    case .sum: property?.holdsIntegers == true ? dialect.integerSum(of: column) : "sum(\(column))"
    case .average: "avg(\(column))"
    case .minimum: extreme("min", property)
    case .maximum: extreme("max", property)
    case .distinctCount: "count(DISTINCT \(column))"
    case .rowCount: "count(*)"
    case .texts: dialect.joinedTexts(of: column)
    }
  }

  private func extreme(_ function: String, _ property: Property?) -> String {
    let column = Self.column(property)
    return property?.holdsDecimals == true
      ? dialect.extremeDecimal(function, of: column) : "\(function)(\(column))"
  }

  /// Returns a column as it is put in order: in a table that an earlier version made, a column of
  /// decimals lacks its collation.
  private func ordered(_ property: Property?) -> String {
    let column = Self.column(property)
    return property?.holdsDecimals == true ? dialect.orderedDecimal(column) : column
  }

  /// What is computed of a column; `texts` are all of its texts, with a blank between them.
  enum Aggregate { case sum, average, minimum, maximum, distinctCount, rowCount, texts }

  /// Returns a SELECT of aggregates for the rows with each value of one column, in the order of the
  /// values: value, aggregates.
  func groups(
    by property: Property?,
    _ aggregates: [(aggregate: Aggregate, property: Property?)],
    _ terms: QueryTerms
  ) -> String {
    let columns =
      [Self.column(property)] + aggregates.map { expression($0.aggregate, of: $0.property) }
    return "SELECT \(columns.joined(separator: ", ")) FROM \(table)" + Self.tail(unlimited(terms))
      + " GROUP BY 1 ORDER BY \(ordered(property))\(dialect.nullsFirst)"
  }

  /// Returns a SELECT of how many rows have each value of one column, the greatest number first:
  /// value, number.
  func groupCounts(by property: Property?, _ terms: QueryTerms) -> String {
    "SELECT \(Self.column(property)), count(*) FROM \(table)" + Self.tail(unlimited(terms))
      + " GROUP BY 1 ORDER BY 2 DESC, \(ordinal(property))\(dialect.nullsFirst)"
  }

  /// Returns the first column of a SELECT as it is put in order; decimals are so by its own collation, or not as texts.
  private func ordinal(_ property: Property?) -> String {
    property?.holdsDecimals == true && dialect.decimalCollation == nil ? ordered(property) : "1"
  }

  func deleteAll(_ terms: QueryTerms) -> String {
    "DELETE FROM \(table)" + Self.tail(unlimited(terms))
  }

  /// Returns an UPDATE that sets or increments plain columns; their parameters come before those of
  /// the condition.
  func updateAll(_ columns: [(property: Property, change: ValueChange)], _ terms: QueryTerms)
    -> String
  {
    let terms = unlimited(terms)
    let changes =
      columns.map { property, change in
        let column = Self.column(property)
        return "\(column) = \(change.value(column, "?"))"
      } + [raise].compactMap { $0 }
    return "UPDATE \(table) SET \(changes.joined(separator: ", "))" + Self.tail(terms)
  }

  /// Returns a SELECT that finds a row if a column holds a value greater, or less, than the last
  /// parameter.
  func hasValue(of property: Property, isGreater: Bool, _ terms: QueryTerms) -> String {
    hasRow("\(Self.column(property)) \(isGreater ? ">" : "<") ?", terms)
  }

  /// Returns a SELECT that finds a row if a function can't add the last parameter to a column.
  func lacksSum(of property: Property, by function: String, _ terms: QueryTerms) -> String {
    let column = Self.column(property)
    return hasRow("\(column) IS NOT NULL AND \(function)(\(column), ?) IS NULL", terms)
  }

  /// Returns a SELECT that finds a row if one of those that the terms find fulfils a test, too.
  private func hasRow(_ test: String, _ terms: QueryTerms) -> String {
    let condition = unlimited(terms).condition.map { "(\($0)\n) AND \(test)" }
    return probe(QueryTerms(condition: condition ?? test, limit: 1))
  }
}

/// How an UPDATE changes a column.
package enum ValueChange {
  /// The parameter takes the place of the value.
  case set
  /// The parameter is added to the value.
  case add
  /// A function makes the new value of the value and the parameter.
  case call(String)

  func value(_ column: String, _ parameter: String) -> String {
    switch self {
    case .set: parameter
    case .add: "\(column) + \(parameter)"
    case .call(let function): "\(function)(\(column), \(parameter))"
    }
  }
}

extension RelationshipSQL {
  /// The condition that an object's identifier is in the set that is bound as parameter 1.
  static var isAmongIdentifiers: String {
    "\"objectID\" IN (\(identifiers) SELECT \"id\" FROM \"nacre_ids\")"
  }
}
