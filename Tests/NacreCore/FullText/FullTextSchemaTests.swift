import Foundation
import NacreCore
import NacreUpkeep
import Testing
@testable import TestSupport

/// A full-text index comes, changes and goes with the class, and is what the catalog says.
@Suite(.sqliteOnly("a store on a server has no full-text search")) struct FullTextSchemaTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private typealias Bare = SearchedRobots.Bare
  private typealias Named = SearchedRobots.Named

  private enum Both: RobotForm {
    static var parts: [RobotPart] {
      [
        .init("name", column: .init(isFullText: true)),
        .init("note", .optionalText, column: .init(isFullText: true)),
      ]
    }
  }

  private enum Stemmed: RobotForm {
    static var parts: [RobotPart] { Named.parts }
    static var tokenizer: Tokenizer { .porter }
  }

  private enum Parted: RobotForm {
    static var parts: [RobotPart] { Named.parts }
    static var tokenizer: Tokenizer { .trigram }
  }

  private enum Renamed: RobotForm {
    static var parts: [RobotPart] {
      [
        .init("title", column: .init(renamedFrom: "name", isFullText: true)),
        .init("note", .optionalText),
      ]
    }
  }

  private enum Without: RobotForm {
    static var parts: [RobotPart] {
      [.init("note", .optionalText, column: .init(isFullText: true))]
    }
  }

  @Test func `an index is made for rows that are there, widened, and dropped`() throws {
    let store = try scene.open()
    try SearchedRobots.save(in: store)
    #expect(try SearchedRobots.parts(of: scene).isEmpty)
    #expect(try SearchedRobots.count("red", Named.self, in: store) == 1)
    #expect(try SearchedRobots.count("red", Both.self, in: store) == 2)
    #expect(try store.verify().isSound)
    #expect(try SearchedRobots.count("red", Named.self, in: store) == 1)
    try Robot<Bare>.use(in: store)
    #expect(try SearchedRobots.parts(of: scene).isEmpty)
    let tokenizers = try scene.edit("SELECT normalizer FROM nacre_property WHERE entity = 'Robot'")
    #expect(tokenizers == [[.null], [.null]])
    #expect(try store.verify().isSound)
  }

  @Test func `another tokenizer makes the index anew`() throws {
    let store = try scene.open()
    try SearchedRobots.save(in: store)
    #expect(try SearchedRobots.count("drives", Named.self, in: store) == 0)
    #expect(try SearchedRobots.count("drives", Stemmed.self, in: store) == 1)
    #expect(try SearchedRobots.count("rivi", Stemmed.self, in: store) == 0)
    #expect(try SearchedRobots.count("rivi", Parted.self, in: store) == 1)
    #expect(try SearchedRobots.count("ri", Parted.self, in: store) == 0)
    #expect(try store.verify().isSound)
  }

  @Test func `the index follows a property that is renamed or taken out`() throws {
    let store = try scene.open()
    try SearchedRobots.save(in: store)
    #expect(try SearchedRobots.count("red", Both.self, in: store) == 2)
    #expect(try SearchedRobots.count("red", Without.self, in: store) == 1)
    #expect(try store.verify().isSound)
    #expect(try SearchedRobots.count("red", Named.self, in: store) == 1)
    #expect(try SearchedRobots.count("red", Renamed.self, in: store) == 1)
    try store.read { (_) throws in
      #expect(try Robot<Renamed>.search(expression: "title : red").count() == 1)
    }
    #expect(try store.verify().isSound)
  }

  @Test func `steps that rebuild the table, or change its columns, leave the index to the class`()
    throws
  {
    var store = try scene.open { $0.migrator = Migrator(.init("1")) }
    try SearchedRobots.save(in: store)
    #expect(try SearchedRobots.count("red", Both.self, in: store) == 2)
    try store.close()
    let rebuild: Migrator.Step.Change = { database in
      try database.execute(
        "CREATE TABLE made (\"objectID\" BLOB NOT NULL PRIMARY KEY, name TEXT NOT NULL, note TEXT) "
          + "WITHOUT ROWID"
      )
      try database.execute(
        "INSERT INTO made SELECT \"objectID\", name || ' new', note FROM \"Robot\""
      )
      try database.execute("DROP TABLE \"Robot\"; ALTER TABLE made RENAME TO \"Robot\"")
    }
    store = try scene.open { $0.migrator = Migrator(.init("1"), .init("2", up: rebuild)) }
    #expect(try SearchedRobots.count("new", Both.self, in: store) == 2)
    #expect(try store.verify().isSound)
    try store.close()
    store = try scene.open { options in
      options.migrator = Migrator(
        .init("1"),
        .init("2"),
        .init("3") { try $0.execute("ALTER TABLE \"Robot\" RENAME COLUMN note TO remark") },
        .init("4") { try $0.renameColumn("remark", of: "Robot", to: "note") },
        .init("5") { try $0.dropColumn("note", of: "Robot") }
      )
    }
    #expect(try SearchedRobots.count("new", Named.self, in: store) == 2)
    #expect(try store.verify().isSound)
  }

  private enum Remarked: RobotForm {
    static var parts: [RobotPart] {
      [
        .init("name", column: .init(isFullText: true)),
        .init("remark", .optionalText, column: .init(isFullText: true)),
      ]
    }
  }

  private enum Only: RobotForm {
    static var parts: [RobotPart] { [.init("name", column: .init(isFullText: true))] }
  }

  private enum Relaxed: RobotForm {
    static var parts: [RobotPart] {
      [
        .init("name", .optionalText, column: .init(isFullText: true)),
        .init("note", .optionalText, column: .init(isFullText: true)),
      ]
    }
  }

  @Test(arguments: [false, true])
  func `SQL of a step renames a column of the index`(isKept: Bool) throws {
    var store = try scene.open { $0.migrator = Migrator(.init("1")) }
    try SearchedRobots.save(in: store)
    #expect(try SearchedRobots.count("wheel", Both.self, in: store) == 1)
    try store.close()
    store = try scene.open { options in
      options.migrator = Migrator(
        .init("1"),
        .init("2") { try $0.execute("ALTER TABLE \"Robot\" RENAME COLUMN note TO remark") }
      )
    }
    if isKept {
      #expect(try SearchedRobots.count("wheel", Remarked.self, in: store) == 1)
    } else {
      #expect(try SearchedRobots.count("red", Only.self, in: store) == 1)
    }
    #expect(try store.verify().isSound)
  }

  @Test func `a column of the index is made optional, gets another type, and is dropped`() throws {
    let store = try scene.open()
    try SearchedRobots.save(in: store)
    #expect(try SearchedRobots.count("wheel", Both.self, in: store) == 1)
    #expect(try SearchedRobots.count("wheel", Relaxed.self, in: store) == 1)
    try store.write { database in
      try database.changeType(of: "note", in: "Robot", to: .text, using: "note || ' new'")
    }
    #expect(try SearchedRobots.count("new", Relaxed.self, in: store) == 2)
    #expect(try store.verify().isSound)
    try store.write { try $0.dropColumn("note", of: "Robot") }
    #expect(try SearchedRobots.count("red", Named.self, in: store) == 1)
    #expect(try store.verify().isSound)
  }

  @Test func `a table that is dropped takes its index along`() throws {
    let store = try scene.open()
    try SearchedRobots.save(in: store)
    #expect(try SearchedRobots.count("red", Both.self, in: store) == 2)
    try store.write { try $0.dropTable("Robot") }
    #expect(try SearchedRobots.parts(of: scene).isEmpty)
    #expect(try SearchedRobots.count("red", Both.self, in: store) == 0)
    #expect(try store.verify().isSound)
  }

  // MARK: Declarations

  private enum Sealed: RobotForm {
    static var parts: [RobotPart] {
      [.init("name", column: .init(isFullText: true), sealed: .init())]
    }
  }

  private enum Number: RobotForm {
    static var parts: [RobotPart] { [.init("name", .number, column: .init(isFullText: true))] }
  }

  private enum Rank: RobotForm {
    static var parts: [RobotPart] { [.init("name", column: .init(name: "Rank", isFullText: true))] }
  }

  @Test(arguments: [false, true])
  func `a sealed property, a number and a reserved column are refused by name`(
    isSealedFile: Bool
  ) throws {
    let store = try scene.open { if isSealedFile { $0.seals = .file } }
    expectError(.badDeclaration, entity: "Robot", property: "name") {
      try Robot<Sealed>.use(in: store)
    }
    expectError(.badDeclaration, entity: "Robot", property: "name") {
      try Robot<Number>.use(in: store)
    }
    expectError(.badDeclaration, entity: "Robot", property: "name") {
      try Robot<Rank>.use(in: store)
    }
  }

  private enum Clashing: RobotForm {
    static var parts: [RobotPart] {
      [
        .init("name", column: .init(isFullText: true)),
        .init("code", column: .init(name: "FullText", isIndexed: true)),
      ]
    }
  }

  @Test func `a column whose index would have the name of the full-text index is refused`() throws {
    let store = try scene.open()
    expectError(.badDeclaration, entity: "Robot", property: "code") {
      try Robot<Clashing>.use(in: store)
    }
    #expect(try SearchedRobots.parts(of: scene).isEmpty)
  }

  private enum Odd: RobotForm {
    static var table: String? { "My \"Robot\" 'x'" }
    static var parts: [RobotPart] {
      [
        .init("name", column: .init(name: "the \"name\", it's", isFullText: true)),
        .init("note", .optionalText, column: .init(name: "tokenize", isFullText: true)),
      ]
    }
  }

  @Test func `names with quotes and blanks are searched`() throws {
    let store = try scene.open()
    let robot = try Robot<Odd>.store(in: store) { robot in
      robot[text: "name"] = "red"
      robot[optionalText: "note"] = "blue"
    }
    #expect(try SearchedRobots.count("red blue", Odd.self, in: store) == 1)
    robot[text: "name"] = "green"
    try store.write { _ in try robot.save() }
    #expect(try SearchedRobots.count("red", Odd.self, in: store) == 0)
    #expect(try SearchedRobots.count("green", Odd.self, in: store) == 1)
    #expect(try store.verify().isSound)
  }
}
