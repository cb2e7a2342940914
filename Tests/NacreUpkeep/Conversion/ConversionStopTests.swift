import Foundation
import NacreCore
import NacreUpkeep
@testable import TestSupport
import Testing

/// Migrations of several properties that end before their end: nothing is left between the old class and the new one.
@Suite struct ConversionStopTests {
  private enum Before: PaperForm {
    static var text: SealedOptions? { .init() }
    static var note: SealedOptions? { .init() }
    static var number: SealedOptions? { nil }
  }

  /// Makes the text plain, and no two notes equal.
  private enum After: PaperForm {
    static var text: SealedOptions? { nil }
    static var note: SealedOptions? { .init(isUnique: true) }
    static var number: SealedOptions? { .init() }
  }

  /// Makes the text plain, and no two of them equal.
  private enum PlainUnique: PaperForm {
    static var text: SealedOptions? { nil }
    static var note: SealedOptions? { nil }
    static var number: SealedOptions? { nil }
    static var isUnique: Bool { true }
  }

  private let scene: Scene

  init() throws { scene = try Scene() }

  private func expectNoPlaintext(_ store: Store, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    try store.close()
    for (name, bytes) in try scene.fileBytes() {
      let found = bytes.range(of: Data("MARKER-text".utf8))
      #expect(found == nil, "\(name)", sourceLocation: sourceLocation)
    }
  }

  private func storeTwins(in store: Store) throws {
    try Paper<Before>.store(20, in: store)
    try store.write { _ in
      let twin = Paper<Before>.create()
      (twin.label, twin.text, twin.note) = ("twin", "MARKER-text-1", "MARKER-note-1")
      try twin.save()
    }
  }

  @Test func `two equal values of one property keep another one from being unsealed`() throws {
    let store = try scene.open()
    try storeTwins(in: store)
    let before = try Paper<Before>.values(in: store)
    expectError(.constraint, entity: "Paper", property: "note") {
      try store.migrate(Paper<After>.self)
    }
    #expect(try Paper<Before>.values(in: store) == before)
    #expect(try store.verify().isSound)
    #expect(try store.migrationPlan(Paper<Before>.self).isEmpty)
    try expectNoPlaintext(store)
  }

  @Test func `two equal values undo the conversion to a plain and unique property`() throws {
    let store = try scene.open()
    try storeTwins(in: store)
    let before = try Paper<Before>.values(in: store)
    expectError(.constraint) { try store.migrate(Paper<PlainUnique>.self) }
    #expect(try Paper<Before>.values(in: store) == before)
    try expectNoPlaintext(store)
  }

  @Test func `a property of another type keeps others from being unsealed`() throws {
    let store = try scene.open()
    try store.write { _ in
      let memo = Memo.Numbered.create()
      memo.text = "MARKER-text"
      try memo.save()
    }
    let plan = try store.migrationPlan(Memo.Worded.self)
    #expect(plan.conversions.map(\.property) == ["text"])
    #expect(plan.columns.map(\.property) == ["number"])
    expectError(.schemaMismatch, entity: "Memo", property: "number") {
      try store.migrate(Memo.Worded.self)
    }
    #expect(try store.read { _ in try Memo.Numbered.fetchAll().map(\.text) } == ["MARKER-text"])
    try expectNoPlaintext(store)
  }

  /// How many batches the whole migration reports.
  private func reports() throws -> Int {
    let other = try Scene()
    let store = try other.open()
    try Paper<Before>.store(20, in: store)
    var count = 0
    try store.migrate(Paper<After>.self) { _ in
      count += 1
      return true
    }
    return count
  }

  @Test func `a conversion that is stopped at any batch goes on`() throws {
    for stop in 0..<(try reports()) {
      let scene = try Scene()
      let store = try scene.open()
      try Paper<Before>.store(20, in: store)
      let before = try Paper<Before>.values(in: store)
      var count = 0
      try store.migrate(Paper<After>.self) { _ in
        defer { count += 1 }
        return count < stop
      }
      try store.close()
      let again = try scene.open()
      try again.migrate(Paper<After>.self)
      #expect(try Paper<After>.values(in: again) == before, "stopped at \(stop)")
      #expect(try again.verify().isSound)
    }
  }

  @Test func `one of the two classes can use the rows after a stop at any batch`() throws {
    var (oldCount, newCount) = (0, 0)
    for stop in 0..<(try reports()) {
      let scene = try Scene()
      let store = try scene.open()
      try Paper<Before>.store(20, in: store)
      let before = try Paper<Before>.values(in: store)
      var count = 0
      try store.migrate(Paper<After>.self) { _ in
        defer { count += 1 }
        return count < stop
      }
      if try store.abandonMigration().isEmpty {
        newCount += 1
        #expect(try Paper<After>.values(in: store) == before, "stopped at \(stop)")
      } else {
        oldCount += 1
        #expect(try Paper<Before>.values(in: store) == before, "stopped at \(stop)")
        for (name, bytes) in try scene.fileBytes() {
          #expect(bytes.range(of: Data("MARKER-text".utf8)) == nil, "\(name) at \(stop)")
        }
      }
    }
    #expect(oldCount > 0 && newCount > 0)
  }
}

/// An entity whose number becomes a text while its text becomes plain.
private enum Memo {
  final class Numbered: Entity {
    var text = "" { didSet { entityState.markChanged(0) } }
    var number = 0 { didSet { entityState.markChanged(1) } }
    @exclusivity(unchecked) var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      text = try row.open(at: 0)
      number = try row.read(at: 1)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws {
      try row.seal(text, at: 0)
      try row.bind(number, at: 1)
    }
    func visitChildren(_ walk: GraphWalk) {}
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Numbered.self, name: "Memo")
      schema.add("text", \Numbered.text, sealed: SealedOptions())
      schema.add("number", \Numbered.number)
      return schema.build()
    }()
  }

  final class Worded: Entity {
    var text = "" { didSet { entityState.markChanged(0) } }
    var number = "" { didSet { entityState.markChanged(1) } }
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
      var schema = EntitySchemaBuilder(Worded.self, name: "Memo")
      schema.add("text", \Worded.text)
      schema.add("number", \Worded.number)
      return schema.build()
    }()
  }
}
