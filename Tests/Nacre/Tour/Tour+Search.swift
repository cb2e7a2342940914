import Nacre
import Testing

extension DefaultStoreTests.Tour {
  // tour: searched
  @Entity(tokenizer: .porter) final class Story {  // English stems: "drives" finds "driving"
    @Column(fullText: true) var title = ""
    @Column(fullText: true) var text: String?
    var year = 0
  }
  // end

  private func stories() throws -> Store {
    let store = try Store.open(directory + "/stories.db")
    try store.makeDefault()
    for (title, text, year) in [
      ("The red car", "In the dusk a red Impala came driving by the river.", 1967),
      ("A toy car", nil, 1950), ("Wheels", "Two red cars, and nobody in them.", 1958),
    ] {
      let story = Story.create()
      (story.title, story.text, story.year) = (title, text, year)
      try story.save()
    }
    return store
  }

  @Test func `texts are searched by their words`() throws {
    let store = try stories()
    // tour: searching
    let best = try Story.search("red car").limit(20).fetchAll()  // all words, the best first
    let recent = try Story.search("red").where("year > ?", 1960).page(0, size: 20)
    for match in try Story.search("impa", prefix: true).matches(.snippet(\.text, words: 5)) {
      print(match.object.title, match.rank, match.excerpts[0] ?? "")  // … red [Impala] …
    }
    let exact = try Story.search(expression: "title : car NOT (toy OR model)").count()
    // end
    #expect(Set(best.map(\.title)) == ["The red car", "Wheels"])
    #expect(recent.items.map(\.title) == ["The red car"] && recent.totalItems == 1)
    #expect(exact == 1)
    let match = try #require(try Story.search("drives").matches(.snippet(\.text, words: 5)).first)
    #expect(match.excerpts[0]?.contains("[driving]") == true && match.year == 1967)
    best[0].title = "The blue lorry"
    try best[0].save()
    #expect(try Story.search("lorry").fetchOne()?.objectID == best[0].objectID)
    let error = #expect(throws: NacreError.self) { try Story.search(expression: "\"red").count() }
    #expect(error?.code == .badSearch)
    try store.close()
  }
}
