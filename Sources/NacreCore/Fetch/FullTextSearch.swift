import NacreEngine
import NacreStore

/// A search in the full-text index of an entity.
struct FullTextSearch: ConditionSource {
  /// The text to look for.
  enum Text {
    /// All of these words, in any order; the last may be the beginning of one.
    case words([String], columns: [String], isPrefix: Bool)
    /// An expression that somebody wrote in the engine's own language.
    case expression(String)
  }

  private let entity: String
  private let index: FullTextIndex
  private let text: Text

  /// Makes a search.
  ///
  /// - Throws: `notFullText` if the entity has no full-text index.
  init(_ text: Text, of schema: RowSchema) throws {
    guard let index = schema.fullText else { throw NacreError(.notFullText, entity: schema.name) }
    entity = schema.name
    self.index = index
    self.text = text
  }

  /// Returns the words of a text: whatever is between its blanks.
  static func words(_ text: String) -> [String] {
    text.split { $0.isWhitespace || $0.unicodeScalars.contains("\0") }.map { word in
      String(word)
    }
  }

  /// Returns the condition that a row is among those that are found.
  func condition(
    _ request: FetchRequest,
    _ statements: RowStatements,
    on session: EntitySession
  ) throws -> Condition {
    let (sql, expression) = try begin(on: session)
    return Condition(text: sql.isFound, arguments: [expression], isMade: true)
  }

  /// Brings the index up to date, and returns its statements and the argument of the search.
  ///
  /// - Throws: `badSearch` for an expression that can't be read.
  func begin(on session: EntitySession) throws -> (sql: FullTextSQL, expression: Value) {
    let dialect = session.connection.dialect
    let sql = try index.sql(dialect)
    try session.database.bringUpToDate(sql)
    switch text {
    case .words(let words, let columns, let isPrefix):
      let made = dialect.fullText?.expression(words, columns: columns, isPrefix: isPrefix)
      return (sql, .text(made ?? ""))
    case .expression(let expression):
      try check(expression, sql, on: session)
      return (sql, .text(expression))
    }
  }

  /// Throws if an expression can't be read.
  ///
  /// The error does not show it: somebody may look for a secret.
  private func check(
    _ expression: String,
    _ sql: FullTextSQL,
    on session: EntitySession
  ) throws {
    if session.connection.dialect.fullText?.accepts(expression: expression) == true {
      do {
        _ = try session.database.scalar(sql.probe, [.text(expression)])
        return
      } catch let error as any EngineError where error.kind == .badStatement {
        // The statement is Nacre's own, so only the expression can be wrong.
      }
    }
    throw NacreError(
      .badSearch,
      entity: entity,
      detail:
        "quotes and parentheses have to be in pairs, operators between two terms, and the columns "
        + "are \(index.columns.joined(separator: ", "))"
    )
  }
}

/// The excerpts of a search by their columns, and the values of their parameters.
struct ExcerptTexts: Sendable {
  var texts: [FullTextExcerpt] = []
  var arguments: [Value] = []
}

extension FetchRequest {
  /// Searches the full-text index; the rank is the order of a request that has no other.
  mutating func add(_ search: FullTextSearch) {
    if self.search == nil { self.search = search } else { add(search as any ConditionSource) }
  }

  /// The condition with the search as a part of it.
  var searchingCondition: (any ConditionSource)? {
    guard let search else { return condition }
    return condition.map { AllConditions(sources: [search, $0]) } ?? search
  }

  /// Returns the terms in SQL of the rows that the search finds, by their rank unless the request has
  /// an order.
  ///
  /// - Parameters:
  ///   - search: The search.
  ///   - statements: The statements of the table.
  ///   - excerpts: The texts to make of each row.
  ///   - session: The state that entities keep for the connection.
  /// - Returns: The terms, which are meant for a table that is joined with what is found.
  /// - Throws: `badSearch`, `sealedCondition`, or what a condition throws.
  func ranked(
    by search: FullTextSearch,
    _ statements: RowStatements,
    _ excerpts: ExcerptTexts = ExcerptTexts(),
    on session: EntitySession
  ) throws -> (terms: QueryTerms, arguments: [Value]) {
    var other = self
    other.search = nil
    var (terms, arguments) = try other.resolved(statements, on: session)
    // The search comes first, so numbers of parameters would be wrong.
    let flat = try terms.condition.map {
      try SQLArguments(text: $0, values: arguments).flattened()
    }
    let (sql, expression) = try search.begin(on: session)
    terms.found = sql.found(excerpts.texts)
    terms.condition = statements.sql.isFound + (flat.map { " AND (\($0.text)\n)" } ?? "")
    terms.order = terms.order ?? FullTextSQL.foundRank
    arguments = excerpts.arguments + [expression] + (flat?.values ?? [])
    return (terms, arguments)
  }
}
