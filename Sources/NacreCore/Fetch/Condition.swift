import NacreStore

/// A condition as SQL has it: text with parameters, and a value for each of them.
struct Condition: Sendable {
  var text: String
  var arguments: [Value]
  /// Whether it was made of a predicate, and not written: of sealed columns it asks nothing but whether they are NULL.
  var isMade = false
}

/// A source of a condition, which makes it once the entity's plan and a connection are at hand.
protocol ConditionSource: Sendable {
  /// The condition of a request, for this plan on this connection.
  func condition(
    _ request: FetchRequest,
    _ plan: EntityPlan,
    on session: EntitySession
  ) throws -> Condition
}
