import NacreCore

/// A text that full-text search finds, and a number by which it is found in a range.
final class SearchedText: Entity {
  var text = "" { didSet { entityState.markChanged(0) } }
  var number = 0 { didSet { entityState.markChanged(1) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    text = try row.read(at: 0)
    number = try row.read(at: 1)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(text, at: 0)
    try row.bind(number, at: 1)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(SearchedText.self, name: "SearchedText")
    schema.add("text", \SearchedText.text, column: ColumnOptions(isFullText: true))
    schema.add("number", \SearchedText.number, column: ColumnOptions(isIndexed: true))
    return schema.build()
  }()
}
