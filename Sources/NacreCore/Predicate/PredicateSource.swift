import Foundation
import NacreStore

/// A predicate as the condition of a query.
struct PredicateSource<E: Entity>: ConditionSource {
  let predicate: Predicate<E>
  /// Whether to evaluate the predicate on each stored object if a part of it has no SQL.
  let filtersInMemory: Bool

  func condition(
    _ request: FetchRequest,
    _ plan: RowPlan,
    on session: EntitySession
  ) throws -> Condition {
    do {
      return try PredicateContext(plan).condition(predicate)
    } catch {
      let error = NacreError.wrap(error, at: plan.schema, property: nil, identity: nil)
      let code = (error as? NacreError)?.code
      guard filtersInMemory, code == .untranslatablePredicate || code == .sealedCondition else {
        throw error
      }
      let found = try identities(request.prefetch, on: session)
      return Condition(.isAmongIdentifiers(found), isMade: true)
    }
  }

  /// The identifiers of the stored objects that match the predicate; it reads the objects in batches.
  private func identities(_ links: [Property], on session: EntitySession) throws -> Data {
    // The cursor then reads on this connection, in the transaction of the query.
    ThreadBinding.push(session.database)
    defer { ThreadBinding.pop(session.database) }
    let request = FetchRequest(prefetch: links)
    let cursor = try EntityCursor<E>(session.home, request) { $0.sql.select($1) }
    defer { cursor.close() }
    var found = Data()
    while let object = try cursor.next() {
      if try predicate.evaluate(object) { found.append(object.entityState.identity.data) }
    }
    return found
  }
}
