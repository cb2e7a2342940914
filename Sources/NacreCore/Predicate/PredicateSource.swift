import Foundation

/// A predicate as the condition of a query.
struct PredicateSource<E: Entity>: ConditionSource {
  let predicate: Predicate<E>

  func condition(_ plan: EntityPlan, on database: Database) throws -> Condition {
    do {
      return try PredicateContext(database).condition(predicate, plan.schema)
    } catch {
      throw NacreError.wrap(error, at: plan.schema, property: nil, identity: nil)
    }
  }
}

extension Entity {
  /// The request of a predicate and an order.
  static func request(
    _ predicate: Predicate<Self>?,
    _ order: [SortDescriptor<Self>],
    _ page: Int?,
    _ size: Int?,
    _ links: [PartialKeyPath<Self>]
  ) throws -> FetchRequest {
    var request = try request(nil, [], sql(order), page, size, links)
    request.source = predicate.map { PredicateSource(predicate: $0) }
    return request
  }
}
