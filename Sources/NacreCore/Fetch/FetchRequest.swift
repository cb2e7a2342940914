import NacreEngine
import NacreStore

/// The terms of a query, before there is a connection.
package struct FetchRequest: Sendable {
  /// The condition; nil is true of every object.
  var condition: (any ConditionSource)?
  /// The search in the full-text index; nil if there is none.
  var search: FullTextSearch?
  var order: QueryOrder?
  var limit: Int?
  var offset = 0
  /// Whether equal rows of values are read once.
  var isDistinct = false
  var prefetch: [Property] = []

  /// Makes a request for every row.
  package init() {}

  init(prefetch: [Property]) { self.prefetch = prefetch }

  /// Returns the terms in SQL with their arguments, and throws if the terms read a sealed property.
  ///
  /// - Parameters:
  ///   - statements: The statements of the table.
  ///   - session: The state that entities keep for the connection.
  ///   - isRanked: Whether the rows are returned, so that a search without another order has its
  ///     rank as one.
  /// - Returns: The terms, and a value for each of their parameters.
  /// - Throws: ``NacreError``.
  package func resolved(
    _ statements: RowStatements,
    on session: EntitySession,
    isRanked: Bool = false
  ) throws -> (terms: QueryTerms, arguments: [Value]) {
    if isRanked, let search, order == nil {
      return try ranked(by: search, statements, on: session)
    }
    let condition = try searchingCondition?.condition(self, statements, on: session)
    let dialect = session.connection.dialect
    let order = order.map { dialect.order($0.text(dialect)) { statements.schema.columnNames } }
    let terms = QueryTerms(
      condition: condition?.text,
      order: order,
      limit: limit,
      offset: offset
    )
    let arguments = condition?.arguments ?? []
    try statements.verify(condition?.isMade == true ? QueryTerms(order: order) : terms, arguments)
    return (terms, arguments)
  }

  /// Returns the same request with its condition in SQL; a search stays as it is.
  func resolvingCondition(
    _ statements: RowStatements,
    on session: EntitySession
  ) throws -> FetchRequest {
    var request = self
    request.search = nil
    let (terms, arguments) = try request.resolved(statements, on: session)
    request.search = search
    request.condition = terms.condition.map {
      Condition(text: $0, arguments: arguments, isMade: true)
    }
    return request
  }

  /// Narrows the request by a further condition.
  mutating func add(_ other: any ConditionSource) {
    guard let present = condition else { return condition = other }
    condition = AllConditions(sources: [present, other])
  }

  /// Makes the request fail when it runs, because its error was found where nothing can be thrown.
  mutating func fail(_ error: any Error) { condition = FailedCondition(error: error) }
}

extension Condition: ConditionSource {
  /// Returns the condition as it was written.
  func condition(
    _ request: FetchRequest,
    _ statements: RowStatements,
    on session: EntitySession
  ) throws -> Condition {
    if isMade { return self }
    var condition = self
    condition.text = try NacreError.wrapping {
      try session.connection.dialect.condition(text) { statements.schema.columnNames }
    }
    return condition
  }

  init(_ sql: SQLArguments) { self.init(text: sql.text, arguments: sql.values) }
}

/// A condition that could not be made, and that throws the reason when it is asked for.
private struct FailedCondition: ConditionSource {
  let error: any Error

  func condition(
    _ request: FetchRequest,
    _ statements: RowStatements,
    on session: EntitySession
  ) throws -> Condition { throw error }
}
