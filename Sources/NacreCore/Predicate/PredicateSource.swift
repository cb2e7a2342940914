import Foundation
import NacreStore

/// A predicate as the condition of a query.
struct PredicateSource<Row>: ConditionSource {
  let rows: any RowSource<Row>
  let predicate: Predicate<Row>
  /// Whether to evaluate the predicate on each stored row if a part of it has no SQL.
  let filtersInMemory: Bool

  func condition(
    _ request: FetchRequest,
    _ statements: RowStatements,
    on session: EntitySession
  ) throws -> Condition {
    do {
      return try statements.condition(predicate)
    } catch {
      let error = NacreError.wrap(error, at: statements.schema, property: nil, identity: nil)
      let code = (error as? NacreError)?.code
      guard filtersInMemory, code == .untranslatablePredicate || code == .sealedCondition else {
        throw error
      }
      return try rows.condition(request, on: session) { try predicate.evaluate($0) }
    }
  }
}
