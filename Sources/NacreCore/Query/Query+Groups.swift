import NacreEngine
import NacreStore

extension Query {
  /// Computes sums and the like for the rows with each value of a property, or with each link.
  /// ```swift
  /// let rows = try Car.all.groups(by: \.color, .count, .sum(\.power), .max(\.name))
  /// for (color, count, power, last) in rows { … }
  /// ```
  ///
  /// - Parameters:
  ///   - property: A plain value, or a link to one object.
  ///   - aggregates: What to compute for each group.
  /// - Returns: A row for each group, in the order of the property's values: the value, and then
  ///   what was computed.
  /// - Throws: ``NacreError/Code/sealedCondition`` for a sealed property;
  ///   ``NacreError/Code/overflow`` when a sum does not fit in its type.
  public func groups<Key, each Result>(
    by property: KeyPath<Row, Key>,
    _ aggregates: repeat Aggregate<Row, each Result>
  ) throws -> [(Key, repeat each Result)] {
    try read { try $0.groups(self, by: property, repeat each aggregates) }
  }

  /// The async twin of ``groups(by:_:)``; the rows are read on the caller's own actor.
  ///
  /// - Parameters:
  ///   - property: a plain value, or a link to one object.
  ///   - aggregates: what to compute for each group.
  ///   - isolation: the caller's actor.
  /// - Returns: a row for each group.
  /// - Throws: ``NacreError``, with the codes of the twin.
  public func groups<Key, each Result>(
    by property: KeyPath<Row, Key>,
    _ aggregates: repeat Aggregate<Row, each Result>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [(Key, repeat each Result)] {
    try await reading(isolation) { try $0.groups(self, by: property, repeat each aggregates) }
  }
}

extension EntitySession {
  func groups<Row, Key, each Result>(
    _ query: Query<Row>,
    by path: KeyPath<Row, Key>,
    _ aggregates: repeat Aggregate<Row, each Result>
  ) throws -> [(Key, repeat each Result)] {
    let key = try column(path, query)
    let statements = key.statements
    var columns: [(aggregate: RowSQL.Aggregate, property: Property?)] = []
    for aggregate in repeat each aggregates {
      let property = try aggregate.path.flatMap { try statements.schema.valueOrLink($0) }
      try statements.schema.refuseSealed(property)
      columns.append((aggregate.kind, property))
    }
    let computed = columns
    let text = statements.sql.groups(by: key.property, computed, key.terms)
    var found: [(Key, repeat each Result)] = []
    do {
      try database.each(text, key.arguments) { statement in
        let row = try ValueRow(statement, [key.property], statements, hasObjectID: false)
        var index = -1
        func next<T>(_ aggregate: Aggregate<Row, T>) throws -> T {
          index += 1
          let property = computed[index].property
          do {
            return try aggregate.read(statement.value(at: Int32(index + 1)), property)
          } catch {
            throw NacreError.wrap(error, at: statements.schema, property: property?.index)
          }
        }
        found.append((try row.value(at: 0), repeat try next(each aggregates)))
      }
    } catch let error as any EngineError where error.kind == .overflow {
      // SQLite does not say which of the sums it was.
      let sums = computed.filter { $0.aggregate == .sum }
      throw statements.schema.error(.overflow, of: sums.count == 1 ? sums[0].property : nil)
    } catch {
      throw NacreError.wrap(error, at: statements.schema)
    }
    return found
  }
}
