import NacreCore

/// An entity with two properties in its full-text index, one of which may be nil.
final class Article: Entity {
  var title = "" { didSet { entityState.markChanged(0) } }
  var text: String? { didSet { entityState.markChanged(1) } }
  var year = 0 { didSet { entityState.markChanged(2) } }
  var source: String? { didSet { entityState.markChanged(3) } }
  var journal: Link<Journal>? { didSet { entityState.markChanged(4) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    title = try row.read(at: 0)
    text = try row.read(at: 1)
    year = try row.read(at: 2)
    source = try row.open(at: 3)
    journal = try row.read(at: 4)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(title, at: 0)
    try row.bind(text, at: 1)
    try row.bind(year, at: 2)
    try row.seal(source, at: 3)
    try row.bind(journal, at: 4)
  }

  func visitChildren(_ walk: GraphWalk) { walk.visit(journal, at: 4) }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Article.self, name: "Article")
    schema.add("title", \Article.title, column: ColumnOptions(isFullText: true))
    schema.add("text", \Article.text, column: ColumnOptions(name: "body", isFullText: true))
    schema.add("year", \Article.year)
    schema.add("source", \Article.source, sealed: SealedOptions())
    schema.add("journal", \Article.journal)
    return schema.build()
  }()

  /// Stores an article.
  @discardableResult
  static func store(
    _ title: String,
    _ text: String? = nil,
    year: Int = 0,
    in store: Store
  ) throws -> Article {
    let article = Article.create()
    article.title = title
    article.text = text
    article.year = year
    try store.write { _ in try article.save() }
    return article
  }

  /// Returns the titles of what a search finds, in its order.
  static func found(_ text: String, in store: Store) throws -> [String] {
    try store.read { _ in try Article.search(text).values(\.title) }
  }
}

/// An owner of articles, which a cascade deletes with it.
final class Journal: Entity {
  var name = "" { didSet { entityState.markChanged(0) } }
  var articles: [Article] = [] { didSet { entityState.markChanged(1) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    name = try row.read(at: 0)
    articles = try row.read(at: 1)
    entityState = row.entityState()
  }

  deinit { GraphRelease.take(&articles) }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(name, at: 0)
    try row.bind(articles, at: 1)
  }

  func visitChildren(_ walk: GraphWalk) { walk.visit(articles, at: 1) }

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Journal.self, name: "Journal")
    schema.add("name", \Journal.name)
    schema.add("articles", \Journal.articles, inverse: \Article.journal)
    return schema.build()
  }()
}
