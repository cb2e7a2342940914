import Foundation
import NacreCore
import NacreUpkeep
import Testing
@testable import TestSupport

/// What others have changed of a full-text index is refused, named or made again.
@Suite(.sqliteOnly("a store on a server has no full-text search")) struct FullTextForeignTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private typealias Bare = SearchedRobots.Bare
  private typealias Named = SearchedRobots.Named

  @Test(arguments: [
    "CREATE TRIGGER \"Robot__fulltext__update\" AFTER UPDATE ON \"Robot\" BEGIN SELECT 1; END",
    "CREATE TRIGGER \"robot__FULLTEXT__update\" AFTER DELETE ON \"Robot\" BEGIN SELECT 1; END",
    "CREATE TABLE \"Robot__fulltext__update\" (a)",
  ])
  func `a part that is not as the catalog says is refused as foreign`(definition: String) throws {
    let store = try scene.open()
    try SearchedRobots.save(in: store)
    #expect(try SearchedRobots.count("red", Named.self, in: store) == 1)
    try store.close()
    try scene.edit("DROP TRIGGER \"Robot__fulltext__update\"")
    try scene.edit(definition)
    let again = try scene.open()
    let error = thrown(.foreignSchema) {
      _ = try SearchedRobots.count("red", Named.self, in: again)
    }
    #expect(error?.detail?.contains("DROP ") == true)
    #expect(try again.verify().faults.map(\.kind).contains(.foreignSchema))
  }

  @Test func `a part that is gone is made again, with all texts`() throws {
    let store = try scene.open()
    try SearchedRobots.save(in: store)
    #expect(try SearchedRobots.count("red", Named.self, in: store) == 1)
    let before = try SearchedRobots.parts(of: scene)
    for drop in ["TRIGGER \"Robot__fulltext__update\"", "TABLE \"Robot__fulltext__row\""] {
      try store.close()
      try scene.edit("DROP \(drop)")
      try scene.edit("UPDATE \"Robot\" SET name = 'red'")
      let again = try scene.open()
      #expect(try again.verify().faults.map(\.kind) == [.missingIndex])
      #expect(try SearchedRobots.count("red", Named.self, in: again) == 2)
      #expect(try again.verify().isSound)
      try again.close()
      #expect(try SearchedRobots.parts(of: scene) == before)
    }
  }

  @Test func `verify names an index that does not fit its own texts, and it is made anew`() throws {
    var store = try scene.open()
    try Robot<Named>.store(in: store) { $0[text: "name"] = "TERMinindex" }
    try store.close()
    // Only the term of the index is in lower case.
    let file = URL(fileURLWithPath: scene.path)
    var bytes = try Data(contentsOf: file)
    while let place = bytes.range(of: Data("terminindex".utf8)) {
      bytes.replaceSubrange(place, with: Data("terminindey".utf8))
    }
    try bytes.write(to: file)
    store = try scene.open()
    #expect(try store.verify().faults.map(\.kind) == [.fullText])
    #expect(try SearchedRobots.count("terminindex", Named.self, in: store) == 0)
    try store.rebuildFullText(of: ["Robot"])
    #expect(try store.verify().isSound)
    #expect(try SearchedRobots.count("terminindex", Named.self, in: store) == 1)
  }

  @Test func `a table of the application with a name of the index is left alone and refused`()
    throws
  {
    let store = try scene.open()
    try SearchedRobots.save(in: store)
    try store.write { try $0.execute("CREATE TABLE \"Robot__fulltext\" (mine TEXT)") }
    expectError(.foreignSchema) { _ = try SearchedRobots.count("red", Named.self, in: store) }
    #expect(try SearchedRobots.parts(of: scene).count == 1)
    #expect(try Robot<Bare>.texts("name", in: store).count == 2)
  }

  @Test func `the catalog's MAC covers which properties the index has`() throws {
    let store = try scene.open()
    try SearchedRobots.save(in: store)
    #expect(try SearchedRobots.count("red", Named.self, in: store) == 1)
    try store.close()
    try scene.edit("UPDATE nacre_property SET normalizer = 'trigram' WHERE name = 'name'")
    let again = try scene.open()
    expectError(.catalogTampered) { _ = try SearchedRobots.count("red", Named.self, in: again) }
  }
}
