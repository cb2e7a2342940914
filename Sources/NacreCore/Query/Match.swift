import NacreEngine
import NacreStore

/// An object that a search has found, with its rank and the texts that were asked for.
@dynamicMemberLookup
public struct Match<E: Entity> {
  /// The object, with its children.
  public let object: E
  /// How well the object matches: the less, the better (FTS5's `bm25`).
  ///
  /// Ranks of two searches can't be compared.
  public let rank: Double
  /// The texts in the order in which they were asked for; nil where the property is nil.
  public let excerpts: [String?]

  /// A property of the object.
  public subscript<V>(dynamicMember property: KeyPath<E, V>) -> V { object[keyPath: property] }
}

/// A text that a search makes of each object that it finds: a property's text, or a part of it, with
/// marks around the words that were found.
///
/// The text between the marks is the property's own, as it is. Where it becomes HTML, use marks that
/// no text has, escape, and put the tags in their place.
public struct Excerpt<E: Entity> {
  private let property: PartialKeyPath<E>
  private let length: Int?
  /// The values of the parameters of the text.
  let arguments: [Value]

  /// The whole text of a property.
  ///
  /// - Parameters:
  ///   - property: A property that is in the full-text index.
  ///   - open: The mark before words that were found.
  ///   - close: The mark after them.
  /// - Returns: The excerpt.
  public static func highlight(
    _ property: PartialKeyPath<E>,
    open: String = "[",
    close: String = "]"
  ) -> Excerpt {
    Excerpt(property: property, length: nil, arguments: [.text(open), .text(close)])
  }

  /// The part of a property's text that holds most of the words that were looked for.
  ///
  /// - Parameters:
  ///   - property: A property that is in the full-text index.
  ///   - words: How many words the part has at most, from 1 to 64.
  ///   - open: The mark before words that were found.
  ///   - close: The mark after them.
  ///   - ellipsis: What stands for the text before and after the part.
  /// - Returns: The excerpt.
  public static func snippet(
    _ property: PartialKeyPath<E>,
    words: Int = 16,
    open: String = "[",
    close: String = "]",
    ellipsis: String = "…"
  ) -> Excerpt {
    Excerpt(
      property: property,
      length: words,
      arguments: [.text(open), .text(close), .text(ellipsis)]
    )
  }

  /// Returns the text of the excerpt, by its column.
  ///
  /// - Throws: `notFullText`, `sealedCondition`; `badSearch` for a length that a snippet can't have.
  func text(of schema: RowSchema) throws -> FullTextExcerpt {
    let column = try schema.fullTextColumn(property)
    if let length, !(1...64).contains(length) {
      throw NacreError(
        .badSearch,
        entity: schema.name,
        detail: "a snippet has 1 to 64 words, and not \(length)"
      )
    }
    return FullTextExcerpt(column: column, length: length)
  }
}

extension EntitySession {
  /// Fetches what a request's search finds, with excerpts.
  func matches<E: Entity>(
    _ type: E.Type,
    _ request: FetchRequest,
    _ excerpts: ExcerptTexts
  ) throws -> [Match<E>] {
    guard let search = request.search else {
      // A query that failed on the way has its own error.
      _ = try request.condition?.condition(request, statements(for: E.entitySchema).row, on: self)
      throw NacreError(.badSearch, entity: E.entitySchema.name, detail: "the query has no search")
    }
    return try database.consistently {
      let statements = try statements(for: E.entitySchema)
      let (terms, arguments) = try request.ranked(
        by: search,
        statements.row,
        excerpts,
        on: self
      )
      let count = excerpts.texts.count
      var found: [(identity: ObjectID, rank: Double, texts: [String?])] = []
      try database.each(statements.sql.selectFound(terms, textCount: count), arguments) { row in
        let texts = (0..<Int32(count)).map { row.isNull(at: 2 + $0) ? nil : row.text(at: 2 + $0) }
        found.append((try ObjectID.read(from: row, at: 0), row.double(at: 1), texts))
      }
      let objects = try objects(
        type,
        statements,
        found.map(\.identity),
        prefetch: request.prefetch
      )
      return found.compactMap { match in
        objects[match.identity].map { Match(object: $0, rank: match.rank, excerpts: match.texts) }
      }
    }
  }
}
