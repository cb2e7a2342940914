import NacreEngine
import NacreStore

/// A condition in SQL: its text with parameters, and a value for each of them.
package struct Condition: Sendable {
  var text: String
  var arguments: [Value]
  /// Whether the condition was made from a predicate, and not written by a caller.
  ///
  /// Such a condition asks of sealed columns only whether they are NULL.
  var isMade = false
}

/// A source of a condition, which makes it once the entity's statements and a connection are
/// at hand.
protocol ConditionSource: Sendable {
  /// Returns the condition of a request, for these statements on this connection.
  func condition(
    _ request: FetchRequest,
    _ statements: RowStatements,
    on session: EntitySession
  ) throws -> Condition
}
