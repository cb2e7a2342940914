import Foundation
import NacreEngine
import NacreStore

// Aggregates that the database computes from one plain property; a sealed property is an error that
// names it.

extension Query {
  /// Adds up the values of a property; it skips rows without a value, and returns 0 if there are
  /// no values.
  ///
  /// - Throws: ``NacreError/Code/overflow`` when the sum does not fit in its type.
  public func sum<V: SummableValue>(_ property: KeyPath<Row, V>) throws -> V.Sum {
    try read { try $0.sum(of: $0.column(property, self)) }
  }

  /// The async twin of ``sum(_:)-(KeyPath<Row,V>)``.
  ///
  /// - Throws: ``NacreError/Code/overflow`` when the sum does not fit in its type.
  public func sum<V: SummableValue>(
    _ property: KeyPath<Row, V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V.Sum {
    try await reading(isolation) { try $0.sum(of: $0.column(property, self)) }
  }

  /// Returns the mean of a property's values; nil if there are none.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func average<V: SummableValue>(_ property: KeyPath<Row, V>) throws -> Double? {
    try read { try $0.aggregate(.average, of: $0.column(property, self)) }
  }

  /// The async twin of ``average(_:)-(KeyPath<Row,V>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func average<V: SummableValue>(
    _ property: KeyPath<Row, V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Double? {
    try await reading(isolation) { try $0.aggregate(.average, of: $0.column(property, self)) }
  }

  /// Returns the least value of a property, in the order that a sort uses; nil if there are no
  /// values.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func min<V: StorableValue & Comparable>(_ property: KeyPath<Row, V>) throws -> V? {
    try read { try $0.extreme(.minimum, of: $0.column(property, self)) }
  }

  /// The async twin of ``min(_:)-(KeyPath<Row,V>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func min<V: StorableValue & Comparable>(
    _ property: KeyPath<Row, V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await reading(isolation) { try $0.extreme(.minimum, of: $0.column(property, self)) }
  }

  /// Returns the least value of an optional property; nil if there are no values.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func min<V: StorableValue & Comparable>(_ property: KeyPath<Row, V?>) throws -> V? {
    try read { try $0.extreme(.minimum, of: $0.column(property, self)) }
  }

  /// The async twin of ``min(_:)-(KeyPath<Row,V?>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func min<V: StorableValue & Comparable>(
    _ property: KeyPath<Row, V?>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await reading(isolation) { try $0.extreme(.minimum, of: $0.column(property, self)) }
  }

  /// Returns the greatest value of a property, in the order that a sort uses; nil if there are no
  /// values.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func max<V: StorableValue & Comparable>(_ property: KeyPath<Row, V>) throws -> V? {
    try read { try $0.extreme(.maximum, of: $0.column(property, self)) }
  }

  /// The async twin of ``max(_:)-(KeyPath<Row,V>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func max<V: StorableValue & Comparable>(
    _ property: KeyPath<Row, V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await reading(isolation) { try $0.extreme(.maximum, of: $0.column(property, self)) }
  }

  /// Returns the greatest value of an optional property; nil if there are no values.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func max<V: StorableValue & Comparable>(_ property: KeyPath<Row, V?>) throws -> V? {
    try read { try $0.extreme(.maximum, of: $0.column(property, self)) }
  }

  /// The async twin of ``max(_:)-(KeyPath<Row,V?>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func max<V: StorableValue & Comparable>(
    _ property: KeyPath<Row, V?>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await reading(isolation) { try $0.extreme(.maximum, of: $0.column(property, self)) }
  }

  /// Returns how many different values a property has; nil does not count as a value.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func count<V>(distinct property: KeyPath<Row, V>) throws -> Int {
    try read { try $0.aggregate(.distinctCount, of: $0.column(property, self)) ?? 0 }
  }

  /// The async twin of ``count(distinct:)-(KeyPath<Row,V>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func count<V>(
    distinct property: KeyPath<Row, V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    try await reading(isolation) {
      try $0.aggregate(.distinctCount, of: $0.column(property, self)) ?? 0
    }
  }

  /// Counts the rows with each value of a property, or with each link; the most frequent comes
  /// first.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func groupCounts<V>(by property: KeyPath<Row, V>) throws -> [(value: V, count: Int)] {
    try read { try $0.groupCounts(by: $0.column(property, self)) }
  }

  /// The async twin of ``groupCounts(by:)-(KeyPath<Row,V>)``.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func groupCounts<V>(
    by property: KeyPath<Row, V>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [(value: V, count: Int)] {
    try await reading(isolation) { try $0.groupCounts(by: $0.column(property, self)) }
  }
}

/// The values of one plain column in the rows that a query finds.
struct PlainColumn {
  /// The property; nil for the objectID.
  let property: Property?
  let statements: RowStatements
  let terms: QueryTerms
  let arguments: [Value]

  var overflow: NacreError { statements.schema.error(.overflow, of: property) }
}

extension EntitySession {
  /// Returns the column of a property; throws if the property is sealed.
  func column<Row>(_ path: PartialKeyPath<Row>, _ query: Query<Row>) throws -> PlainColumn {
    let schema = try query.rows.schema
    let property = try schema.valueOrLink(path)
    try schema.refuseSealed(property)
    let statements = try query.rows.statements(on: self)
    let (terms, arguments) = try query.request.resolved(statements, on: self)
    return PlainColumn(
      property: property,
      statements: statements,
      terms: terms,
      arguments: arguments
    )
  }

  /// Returns the result of an aggregate, or nil if it is NULL.
  func aggregate<Result: StorableValue>(
    _ aggregate: RowSQL.Aggregate,
    of values: PlainColumn
  ) throws -> Result? {
    try self.aggregate(aggregate, of: values) { try Result(storedValue: $0) }
  }

  private func aggregate<Result>(
    _ aggregate: RowSQL.Aggregate,
    of values: PlainColumn,
    _ read: (Value) throws -> Result?
  ) throws -> Result? {
    let statements = values.statements
    let text = statements.sql.aggregate(aggregate, of: values.property, values.terms)
    do {
      let value = try database.scalar(text, values.arguments) ?? .null
      return value == .null ? nil : try read(value)
    } catch let error as any EngineError where error.kind == .overflow {
      throw values.overflow
    } catch {
      let property = values.property?.index
      throw NacreError.wrap(error, at: statements.schema, property: property, identity: nil)
    }
  }

  /// Returns the sum of the values; zero if there are none.
  func sum<Sum: StorableValue & AdditiveArithmetic>(of values: PlainColumn) throws -> Sum {
    guard Sum.self == Decimal.self else { return try aggregate(.sum, of: values) ?? .zero }
    // SQLite would add the texts as floating-point numbers.
    let (columns, statements) = ([values.property], values.statements)
    let hasObjectID = statements.schema.hasObjectID
    let text = statements.sql.selectColumns(
      columns,
      values.terms,
      isDistinct: false,
      withObjectID: hasObjectID
    )
    var sum = Sum.zero
    try database.each(text, values.arguments) { statement in
      let row = try ValueRow(statement, columns, statements, hasObjectID: hasObjectID)
      let value: Sum? = try row.value(at: 0)
      if let value { sum += value }
    }
    if (sum as? Decimal)?.isNaN == true { throw values.overflow }
    return sum
  }

  /// Returns the least or greatest value; nil if there are no values.
  func extreme<V: StorableValue & Comparable>(
    _ aggregate: RowSQL.Aggregate,
    of values: PlainColumn
  ) throws -> V? {
    try self.aggregate(aggregate, of: values) { value in
      // Decode by the property, because its column may have another form than the type usually has.
      guard case .value(let kind)? = values.property?.kind else {
        return try V(storedValue: value)
      }
      return try kind.decode(value) as? V
    }
  }

  func groupCounts<V>(by values: PlainColumn) throws -> [(value: V, count: Int)] {
    let text = values.statements.sql.groupCounts(by: values.property, values.terms)
    var counts: [(value: V, count: Int)] = []
    try database.each(text, values.arguments) { statement in
      let row = try ValueRow(statement, [values.property], values.statements, hasObjectID: false)
      counts.append((try row.value(at: 0), Int(statement.int64(at: 1))))
    }
    return counts
  }
}
