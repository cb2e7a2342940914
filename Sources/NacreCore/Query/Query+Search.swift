import NacreEngine
import NacreStore

// Searches in the full-text index of an entity, which has the properties with `@Column(fullText:)`.

extension Query where Row: Entity {
  /// Returns the same query for those objects alone that hold all words of a text.
  ///
  /// Unless the query is ordered in another way, the best come first: those that hold the words most
  /// often in short texts, and rare words count more (FTS5's `bm25`). How words are told apart is the
  /// entity's tokenizer; by the usual one, case and accents don't count.
  ///
  /// Whatever somebody types is taken as words, not as an expression: quotes, signs and `OR` mean
  /// nothing. Signs part words, so `U.S.A` finds those three letters in a row. A text without a letter
  /// or digit finds nothing.
  ///
  /// - Parameters:
  ///   - text: The words, with blanks between them.
  ///   - properties: The properties of which one has to hold a word; none means all that are in the
  ///     index.
  ///   - isPrefix: Whether the last word may be the beginning of one, for a search as somebody types.
  /// - Returns: The query; an error, such as `notFullText`, is thrown when it runs.
  public func search(
    _ text: String,
    in properties: PartialKeyPath<Row>...,
    prefix isPrefix: Bool = false
  ) -> Query {
    search(text, inAll: properties, prefix: isPrefix)
  }

  /// Returns the same query for those objects alone that match an expression of FTS5.
  /// ```swift
  /// let notes = try Note.search(expression: "title : red AND (car OR NEAR(red wheel, 5)) NOT toy*").fetchAll()
  /// ```
  /// A column is named as in the table. Never pass what a user typed: ``search(_:in:prefix:)`` is made
  /// for that.
  ///
  /// - Parameter expression: The expression (sqlite.org/fts5.html#full_text_query_syntax).
  /// - Returns: The query; an expression that can't be read is `badSearch` when it runs.
  public func search(expression: String) -> Query {
    changed { $0.add(try FullTextSearch(.expression(expression), of: Row.entitySchema)) }
  }

  func search(_ text: String, inAll properties: [PartialKeyPath<Row>], prefix: Bool) -> Query {
    changed { request in
      let schema = Row.entitySchema
      let columns = try properties.map { try schema.fullTextColumn($0) }
      let words = FullTextSearch.words(text)
      request.add(
        try FullTextSearch(.words(words, columns: columns, isPrefix: prefix), of: schema)
      )
    }
  }

  /// Fetches what the search finds, each with its rank and some of its texts.
  /// ```swift
  /// let matches = try Note.search("red car").limit(20).matches(.highlight(\.title), .snippet(\.text))
  /// for match in matches { print(match.object.objectID, match.excerpts[0] ?? "") }  // A [red] [car]
  /// ```
  ///
  /// - Parameter excerpts: The texts to make of each object.
  /// - Returns: The objects in order, with their children.
  /// - Throws: ``NacreError``: `badSearch` if the query has no search.
  public func matches(_ excerpts: Excerpt<Row>...) throws -> [Match<Row>] {
    let made = try made(excerpts)
    return try read { try $0.matches(Row.self, request, made) }
  }

  /// The async twin of ``matches(_:)-(Excerpt<Row>...)``.
  ///
  /// - Throws: ``NacreError``: `badSearch` if the query has no search.
  public func matches(_ excerpts: Excerpt<Row>...) async throws -> sending [Match<Row>] {
    let made = try made(excerpts)
    return try await source().readFresh { [request] in
      try $0.entities.matches(Row.self, request, made)
    }
  }

  private func made(_ excerpts: [Excerpt<Row>]) throws -> ExcerptTexts {
    let texts = try excerpts.map { try $0.text(of: Row.entitySchema) }
    return ExcerptTexts(texts: texts, arguments: excerpts.flatMap(\.arguments))
  }
}

extension Entity {
  /// Returns the query for the objects that hold all words of a text, the best first.
  /// ```swift
  /// let notes = try Note.search("red car").where("year > ?", 1960).limit(20).fetchAll()
  /// ```
  /// ``Query/search(_:in:prefix:)`` says what a text finds.
  ///
  /// - Parameters:
  ///   - text: The words, with blanks between them.
  ///   - properties: The properties of which one has to hold a word; none means all that are in the
  ///     index.
  ///   - isPrefix: Whether the last word may be the beginning of one.
  /// - Returns: The query.
  public static func search(
    _ text: String,
    in properties: PartialKeyPath<Self>...,
    prefix isPrefix: Bool = false
  ) -> Query<Self> {
    all.search(text, inAll: properties, prefix: isPrefix)
  }

  /// Returns the query for the objects that match an expression of FTS5, the best first.
  ///
  /// Never pass what a user typed: ``search(_:in:prefix:)`` is made for that.
  ///
  /// - Parameter expression: The expression (sqlite.org/fts5.html#full_text_query_syntax).
  /// - Returns: The query; an expression that can't be read is `badSearch` when it runs.
  public static func search(expression: String) -> Query<Self> {
    all.search(expression: expression)
  }
}

extension RowSchema {
  /// Returns the column of a property that the full-text index has.
  ///
  /// - Throws: `notFullText`; `sealedCondition` for a sealed property.
  func fullTextColumn(_ path: AnyKeyPath) throws -> String {
    guard let property = try value(path) else { throw error(.notFullText, path, "is no text") }
    if property.isSealed {
      throw error(
        .sealedCondition,
        of: property,
        "a full-text index would hold the words of its sealed values in plain"
      )
    }
    guard property.isFullText else {
      throw NacreError(.notFullText, entity: name, property: property.name)
    }
    return property.column
  }
}
