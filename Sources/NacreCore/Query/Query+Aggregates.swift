import Foundation
import NacreSQLite

// What the database computes from one plain property; a sealed one is an error that names it.

extension Query {
  /// Adds the values of a property up; objects that have none are passed over, and no objects make 0.
  ///
  /// - Throws: ``NacreError/Code/overflow`` when the sum is beyond its type.
  public func sum<V: SummableValue>(_ property: KeyPath<E, V>) throws -> V.Sum {
    try read { try $0.sum(request, property) }
  }

  /// The mean of a property's values; nil where there are none.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func average<V: SummableValue>(_ property: KeyPath<E, V>) throws -> Double? {
    try read { try $0.aggregate(request, .average, property) }
  }

  /// The least value of a property, compared as an order compares it; nil where there are none.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func min<V: StorableValue & Comparable>(_ property: KeyPath<E, V>) throws -> V? {
    try read { try $0.extreme(request, .minimum, property) }
  }

  /// The least value of a property that may have none.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func min<V: StorableValue & Comparable>(_ property: KeyPath<E, V?>) throws -> V? {
    try read { try $0.extreme(request, .minimum, property) }
  }

  /// The greatest value of a property, compared as an order compares it; nil where there are none.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func max<V: StorableValue & Comparable>(_ property: KeyPath<E, V>) throws -> V? {
    try read { try $0.extreme(request, .maximum, property) }
  }

  /// The greatest value of a property that may have none.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func max<V: StorableValue & Comparable>(_ property: KeyPath<E, V?>) throws -> V? {
    try read { try $0.extreme(request, .maximum, property) }
  }

  /// How many different values a property has; nil is none.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func count<V>(distinct property: KeyPath<E, V>) throws -> Int {
    try read { try $0.aggregate(request, .distinctCount, property) ?? 0 }
  }

  /// How many objects have each value of a property, the most frequent value first.
  ///
  /// - Throws: ``NacreError``, also when the property is sealed.
  public func groupCounts<V>(by property: KeyPath<E, V>) throws -> [(value: V, count: Int)] {
    try read { try $0.groupCounts(request, by: property) }
  }
}

extension Database {
  /// What an aggregate says; nil where it is NULL.
  func aggregate<E: Entity, V, Result: StorableValue>(
    _ request: FetchRequest,
    _ aggregate: EntitySQL.Aggregate,
    _ path: KeyPath<E, V>
  ) throws -> Result? {
    try self.aggregate(request, aggregate, path) { _, value in try Result(storedValue: value) }
  }

  private func aggregate<E: Entity, V, Result>(
    _ request: FetchRequest,
    _ aggregate: EntitySQL.Aggregate,
    _ path: KeyPath<E, V>,
    _ read: (ValueColumn, Value) throws -> Result?
  ) throws -> Result? {
    let column = try ValueColumn(path, of: E.entitySchema)
    try column.refuseSealed(of: E.entitySchema)
    let plan = try plan(for: E.entitySchema)
    let (terms, arguments) = try request.resolved(plan, on: self)
    let text = plan.sql.aggregate(aggregate, of: column.property, terms)
    do {
      let value = try scalar(text, arguments) ?? .null
      return value == .null ? nil : try read(column, value)
    } catch let error as SQLiteError where error.message == "integer overflow" {
      throw Self.overflow(E.entitySchema, column)
    } catch {
      throw NacreError.wrap(
        error,
        at: plan.schema,
        property: column.property?.index,
        identity: nil
      )
    }
  }

  func sum<E: Entity, V: SummableValue>(
    _ request: FetchRequest,
    _ path: KeyPath<E, V>
  ) throws -> V.Sum {
    guard V.Sum.self == Decimal.self else { return try aggregate(request, .sum, path) ?? .zero }
    // SQLite would add texts up as floating-point numbers.
    var sum = V.Sum.zero
    try eachValue(request, path) { (value: V.Sum) in sum += value }
    if (sum as? Decimal)?.isNaN == true {
      throw Self.overflow(E.entitySchema, try ValueColumn(path, of: E.entitySchema))
    }
    return sum
  }

  /// The least or greatest value.
  func extreme<E: Entity, P, V: StorableValue & Comparable>(
    _ request: FetchRequest,
    _ aggregate: EntitySQL.Aggregate,
    _ path: KeyPath<E, P>
  ) throws -> V? {
    guard V.self == Decimal.self else {
      return try self.aggregate(request, aggregate, path) { column, value in
        // By the property, whose column may have another form than the type usually has.
        guard case .value(let kind)? = column.property?.kind else {
          return try V(storedValue: value)
        }
        return try kind.decode(value) as? V
      }
    }
    // As text, 10 would be less than 9.
    var extreme: V?
    try eachValue(request, path) { (value: V) in
      extreme = extreme.map { aggregate == .minimum ? min($0, value) : max($0, value) } ?? value
    }
    return extreme
  }

  /// Reads the values of one plain property one after another; nil is passed over.
  private func eachValue<E: Entity, V, T: StorableValue>(
    _ request: FetchRequest,
    _ path: KeyPath<E, V>,
    _ body: (T) throws -> Void
  ) throws {
    let column = try ValueColumn(path, of: E.entitySchema)
    try column.refuseSealed(of: E.entitySchema)
    let plan = try plan(for: E.entitySchema)
    let (terms, arguments) = try request.resolved(plan, on: self)
    let text = plan.sql.selectColumns([column.property], terms, isDistinct: false)
    try each(text, arguments) { statement in
      let row = try ValueRow(statement, [column], plan, isDistinct: false)
      let value: T? = try row.value(at: 0)
      if let value { try body(value) }
    }
  }

  func groupCounts<E: Entity, V>(
    _ request: FetchRequest,
    by path: KeyPath<E, V>
  ) throws -> [(value: V, count: Int)] {
    let column = try ValueColumn(path, of: E.entitySchema)
    try column.refuseSealed(of: E.entitySchema)
    let plan = try plan(for: E.entitySchema)
    let (terms, arguments) = try request.resolved(plan, on: self)
    var counts: [(value: V, count: Int)] = []
    try each(plan.sql.groupCounts(by: column.property, terms), arguments) { statement in
      let row = try ValueRow(statement, [column], plan, isDistinct: true)
      counts.append((try row.value(at: 0), Int(statement.int64(at: 1))))
    }
    return counts
  }

  static func overflow(_ schema: EntitySchema, _ column: ValueColumn) -> NacreError {
    NacreError(.overflow, entity: schema.name, property: column.property?.name)
  }
}
