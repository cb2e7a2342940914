import NacreEngine
import NacreStore

/// Conditions that must all be true of a row.
struct AllConditions: ConditionSource {
  let sources: [any ConditionSource]

  func condition(
    _ request: FetchRequest,
    _ statements: RowStatements,
    on session: EntitySession
  ) throws -> Condition {
    // A search for one of them must not stop at the limit: the others may rule out what it found.
    var request = request
    request.limit = nil
    var (texts, arguments): ([String], [Value]) = ([], [])
    for source in sources {
      let condition = try source.condition(request, statements, on: session)
      // Each is checked alone, because only those that a caller wrote are checked.
      if !condition.isMade {
        try statements.verify(QueryTerms(condition: condition.text), condition.arguments)
      }
      // Each has its own numbers and names of parameters.
      let part = try SQLArguments(text: condition.text, values: condition.arguments).flattened()
      texts.append("(\(part.text)\n)")
      arguments += part.values
    }
    return Condition(text: texts.joined(separator: " AND "), arguments: arguments, isMade: true)
  }
}
