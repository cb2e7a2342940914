/// A condition as SQL has it: text with parameters, and a value for each of them.
struct Condition: Sendable {
  var text: String
  var arguments: [Value]
}

/// What a condition is made from once the entity's plan and a connection are at hand.
protocol ConditionSource: Sendable {
  /// The condition, for this plan on this connection.
  func condition(_ plan: EntityPlan, on database: Database) throws -> Condition
}
