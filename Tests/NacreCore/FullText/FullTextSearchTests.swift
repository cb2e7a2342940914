import Foundation
@testable import NacreCore
import Testing
@testable import TestSupport

/// What a search in a full-text index finds, and in which order.
@Suite(.sqliteOnly("a store on a server has no full-text search")) struct FullTextSearchTests {
  private let scene: Scene
  private let store: Store

  init() throws {
    scene = try Scene()
    store = try scene.open()
    try store.write { _ in
      for (index, (title, text)) in Self.articles.enumerated() {
        let article = Article.create()
        (article.title, article.text, article.year) = (title, text, 2000 + index)
        try article.save()
      }
    }
  }

  private static let articles: [(String, String?)] = [
    ("Red car", "A red Chevrolet Impala stood in the red light of the evening, alone."),
    ("Blue car", "The Chevrolet was blue once."),
    ("Ämter und Größen", nil),
    ("Wheels", "A wheel is round; \"quoted\" wheels are red."),
    ("C++ and U.S.A.", "foo-bar AND NOT near OR star*"),
  ]

  private func found(
    _ text: String,
    in properties: PartialKeyPath<Article>...,
    prefix: Bool = false
  ) throws -> [String] {
    try store.read { _ in
      try Article.all.search(text, inAll: properties, prefix: prefix).values(\.title)
    }
  }

  // MARK: Words

  @Test func `all words must be there, in any property, whatever their case and accents`() throws {
    #expect(try found("chevrolet") == ["Blue car", "Red car"])
    #expect(try found("CHEVROLET red") == ["Red car"])
    #expect(try found("red chevrolet blue") == [])
    #expect(try found("amter GRÖSSEN") == [])
    #expect(try found("amter großen") == ["Ämter und Größen"])
    #expect(try found("chev") == [])
  }

  @Test func `the last word may be the beginning of one where that is asked for`() throws {
    #expect(try Set(found("chev", prefix: true)) == ["Blue car", "Red car"])
    #expect(try found("red che", prefix: true) == ["Red car"])
    #expect(try found("re chevrolet", prefix: true) == [])
    #expect(try found("", prefix: true) == [])
  }

  @Test func `a search can be in some properties alone`() throws {
    #expect(try found("red", in: \.title) == ["Red car"])
    #expect(try Set(found("red", in: \.text)) == ["Red car", "Wheels"])
    #expect(try found("red car", in: \.text) == [])
    #expect(try found("red car", in: \.title, \.text) == ["Red car"])
    #expect(try found("re", in: \.title, prefix: true) == ["Red car"])
  }

  @Test(arguments: [
    "\"", "'", "(", "*", "^", "-", "+", "a AND", "NOT", "OR", "{", ":", "\u{0}", "NEAR(", "\"red",
    "rank:x", "*reads", "red*", "title:red", "🚗", "-- red", "'; DROP TABLE Article; --",
  ])
  func `whatever somebody types is taken as words`(text: String) throws {
    let found = try found(text) + found("red \(text)") + found(text, prefix: true)
    #expect(found.allSatisfy { title in Self.articles.contains { $0.0 == title } })
    #expect(try self.found("\(text) chevrolet \"red\"").allSatisfy { $0 == "Red car" })
  }

  @Test func `signs part words, and words without a letter or digit do not count`() throws {
    #expect(try found("c++") == ["C++ and U.S.A."])
    #expect(try found("U.S.A") == ["C++ and U.S.A."])
    #expect(try found("foo-bar") == ["C++ and U.S.A."])
    #expect(try found("bar-foo") == [])
    #expect(try found("near AND or") == ["C++ and U.S.A."])
    #expect(try Set(found("- chevrolet !")) == ["Blue car", "Red car"])
    #expect(try found("red\u{0}chevrolet") == ["Red car"])
    for text in ["", "  \n", "-", "\"\""] { #expect(try found(text) == [], "\(text)") }
  }

  @Test func `a text of twenty thousand words is searched`() throws {
    let words = (0..<20_000).map { "word\($0)" }
    #expect(try found(words.joined(separator: " ")) == [])
    let long = try Article.store("Long", words.joined(separator: " "), in: store)
    #expect(try found(words.reversed().joined(separator: " ")) == [long.title])
  }

  // MARK: Order and terms

  @Test func `the best come first, and conditions, limits and pages keep that order`() throws {
    try store.read { (_) throws in
      let query = Article.search("red")
      #expect(try query.fetchAll().map(\.title) == ["Red car", "Wheels"])
      #expect(try query.fetchOne()?.title == "Red car")
      #expect(try query.limit(1, offset: 1).fetchAll().map(\.title) == ["Wheels"])
      #expect(try query.where("year > ?", 2001).fetchAll().map(\.title) == ["Wheels"])
      #expect(try query.where("year > :y", ["y": 2001]).count() == 1)
      let numbered = query.where("\"body\" LIKE ?2 AND title <> ?1", "x", "%round%")
      #expect(try numbered.count() == 1 && numbered.values(\.title) == ["Wheels"])
      #expect(try Article.where("year < ?", 2003).search("red").values(\.year) == [2000])
      #expect(try Article.where(\.title, equals: "Wheels").search("red").count() == 1)
      #expect(try query.where(#Predicate<Article> { $0.year > 2001 }).values(\.title) == ["Wheels"])
      #expect(try query.search("wheels").values(\.title) == ["Wheels"])
      let first = try query.page(0, size: 1)
      #expect(first.items.map(\.title) == ["Red car"] && first.totalItems == 2)
      #expect(try query.page(1, size: 1).items.map(\.title) == ["Wheels"])
      #expect(try query.page(2, size: 1).items.isEmpty)
      let counted = try query.where("year = ?", 2003).page(0, size: 5)
      #expect(counted.items.map(\.title) == ["Wheels"] && counted.totalItems == 1)
    }
  }

  @Test func `a search takes another order, aggregates, and distinct values`() throws {
    try store.read { (_) throws in
      let query = Article.search("red")
      #expect(try query.ordered(by: "year DESC").values(\.title) == ["Wheels", "Red car"])
      #expect(try query.ordered(by: "year DESC").page(0, size: 1).items[0].title == "Wheels")
      #expect(try query.ordered(by: "year DESC").fetchOne()?.title == "Wheels")
      #expect(try query.count() == 2 && query.exists())
      #expect(try query.max(\.year) == 2003 && query.sum(\.year) == 4003)
      #expect(try Set(query.distinct().values(\.year)) == [2000, 2003])
      #expect(try Article.search("nothing").exists() == false)
      #expect(try query.values(\.objectID).count == 2)
    }
  }

  @Test func `a cursor reads what a search finds in its order`() throws {
    let cursor = try Article.search("red").in(store).cursor()
    var titles: [String] = []
    while let article = try cursor.next() { titles.append(article.title) }
    #expect(titles == ["Red car", "Wheels"])
  }

  @Test func `what a search finds is changed and deleted`() throws {
    try store.write { (_) throws in
      #expect(try Article.search("red").updateAll(.set(\.title, to: "green")) == 2)
      #expect(try Article.search("green").count() == 2)
      #expect(try Article.search("green").limit(1).deleteAll() == 1)
      #expect(try Article.search("green").count() == 1)
      #expect(try Article.search("chevrolet").deleteAll(cascade: true) > 0)
    }
    #expect(try found("chevrolet") == [])
    #expect(try store.verify().isSound)
  }

  @Test func `tasks search, too`() async throws {
    let query = Article.search("red").in(store)
    #expect(try await query.fetchAll().map(\.title) == ["Red car", "Wheels"])
    #expect(try await query.page(0, size: 1).items.map(\.title) == ["Red car"])
    #expect(try await query.count() == 2)
    #expect(try await query.values(\.title) == ["Red car", "Wheels"])
    let matches = try await query.matches(.highlight(\.title))
    #expect(matches.map { $0.excerpts[0] } == ["[Red] car", "Wheels"])
  }

  // MARK: Matches

  @Test func `matches have a rank and marks around what was found`() throws {
    try store.read { (_) throws in
      let matches = try Article.search("red chevrolet").matches(
        .highlight(\.text, open: "<b>", close: "</b>"),
        .snippet(\.text, words: 3, ellipsis: "..."),
        .highlight(\.title)
      )
      let match = try #require(matches.first)
      #expect(matches.count == 1 && match.object.title == "Red car" && match.year == 2000)
      #expect(match.rank < 0)
      #expect(
        match.excerpts == [
          "A <b>red</b> <b>Chevrolet</b> Impala stood in the <b>red</b> light of the evening, alone.",
          "A [red] [Chevrolet]...", "[Red] car",
        ]
      )
    }
  }

  @Test func `matches keep conditions, limits and orders, and a nil property has no excerpt`()
    throws
  {
    try store.read { (_) throws in
      let query = Article.search("red")
      let ranked = try query.matches()
      #expect(ranked.map(\.title) == ["Red car", "Wheels"])
      #expect(ranked[0].rank < ranked[1].rank && ranked[0].excerpts.isEmpty)
      #expect(try query.limit(1, offset: 1).matches().map(\.title) == ["Wheels"])
      let some = try query.where("year > :y", ["y": 2001]).matches(.highlight(\.text))
      #expect(some.map { $0.excerpts[0] } == ["A wheel is round; \"quoted\" wheels are [red]."])
      let ordered = try query.ordered(by: "year DESC").matches(.highlight(\.title))
      #expect(ordered.map { $0.excerpts[0] } == ["Wheels", "[Red] car"])
      let bare = try Article.search("ämter").matches(.highlight(\.text), .highlight(\.title))
      #expect(bare.map(\.excerpts) == [[nil, "[Ämter] und Größen"]])
    }
  }

  // MARK: Expressions

  @Test func `an expression of FTS5 is searched as it stands`() throws {
    func found(_ expression: String) throws -> [String] {
      try store.read { _ in try Article.search(expression: expression).values(\.title).sorted() }
    }
    #expect(try found("blue OR wheel") == ["Blue car", "Wheels"])
    #expect(try found("chevrolet NOT blue") == ["Red car"])
    #expect(try found("chev*") == ["Blue car", "Red car"])
    #expect(try found("title : red") == ["Red car"])
    #expect(try found("body : red") == ["Red car", "Wheels"])
    #expect(try found("NEAR(red impala, 2)") == ["Red car"])
    #expect(try found("\"red chevrolet\"") == ["Red car"])
  }

  @Test(arguments: [
    "\"red", "(red", "red AND", "other : red", "*reads", " *id", "NEAR(", "red\u{0}", "", "^",
    "source : red", "MARKER : \"",
  ])
  func `an expression that can't be read is refused, and the error does not show it`(
    expression: String
  ) throws {
    try store.read { (_) throws in
      expectError(.badSearch, entity: "Article") {
        _ = try Article.search(expression: expression).fetchAll()
      }
      expectError(.badSearch) { _ = try Article.search(expression: expression).count() }
      expectError(.badSearch) { _ = try Article.search(expression: expression).matches() }
    }
  }

  // MARK: Refusals

  @Test func `a sealed property is refused by name, and so is one that is not in the index`() throws
  {
    try store.read { (_) throws in
      expectError(.sealedCondition, entity: "Article", property: "source") {
        _ = try Article.search("red", in: \.source).fetchAll()
      }
      expectError(.sealedCondition, entity: "Article", property: "source") {
        _ = try Article.search("red").matches(.snippet(\.source))
      }
      expectError(.notFullText, entity: "Article", property: "year") {
        _ = try Article.search("red", in: \.year).count()
      }
      expectError(.notFullText, entity: "Article") {
        _ = try Article.search("red", in: \.objectID).count()
      }
      expectError(.sealedCondition) { _ = try Article.search("red").where("source = 'x'").count() }
      expectError(.sealedCondition) {
        _ = try Article.search("red").where("source = 'x'").fetchAll()
      }
      expectError(.sealedCondition) {
        _ = try Article.search("red").ordered(by: "source").matches()
      }
    }
  }

  @Test func `an entity without an index, and a query without a search, are refused`() throws {
    try store.write { (_) throws in
      expectError(.notFullText, entity: "Journal") { _ = try Journal.search("red").fetchAll() }
      expectError(.notFullText, entity: "Journal") { _ = try Journal.search("red").matches() }
      expectError(.badSearch, entity: "Article") { _ = try Article.all.matches() }
      expectError(.badSearch) { _ = try Article.search("red").matches(.snippet(\.text, words: 0)) }
      expectError(.badSearch) { _ = try Article.search("red").matches(.snippet(\.text, words: 65)) }
    }
  }
}
