// Codes of full-text search.
extension NacreError.Code {
  /// The entity has no full-text index, or the index does not have the property.
  public static let notFullText = Self(
    "notFullText",
    "There is no full-text index to search",
    "Mark the properties to search `@Column(fullText: true)`."
  )
  /// An expression is not one of FTS5, or a search was asked for something that it can't give.
  public static let badSearch = Self(
    "badSearch",
    "The search can't be made",
    "Write the expression as sqlite.org/fts5.html says, or use `search(_:)`, which takes any text."
  )
}
