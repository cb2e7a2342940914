import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// A class that no longer matches the table that an earlier version of it made.
@Suite struct SchemaTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private func stored(_ object: any Entity) throws {
    let store = try scene.open()
    try scene.save(object, in: store)
    try store.close()
  }

  private func expectMismatch<E: Entity>(
    _ type: E.Type,
    _ code: NacreError.Code = .schemaMismatch,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try scene.edit("SELECT * FROM \"Thing\"")
    let store = try scene.open()
    for _ in 0..<2 {
      expectError(
        code,
        entity: "Thing",
        property: "title",
        sourceLocation: sourceLocation
      ) { try scene.save(type.create(), in: store) }
      try store.read { _ in
        expectError(
          code,
          entity: "Thing",
          property: "title",
          sourceLocation: sourceLocation
        ) { _ = try type.fetchAll() }
      }
    }
    #expect(try scene.edit("SELECT * FROM \"Thing\"") == before, sourceLocation: sourceLocation)
  }

  @Test func `a plain property that is declared otherwise is a mismatch`() throws {
    let thing = Thing.Plain.create()
    thing.title = "title"
    try stored(thing)
    try expectMismatch(Thing.Sealed.self, .migrationPending)
    try expectMismatch(Thing.Owner.self)
    try expectMismatch(Thing.Number.self)
    let store = try scene.open()
    #expect(try store.read { _ in try Thing.Plain.fetchOne()?.title } == "title")
  }

  @Test func `a sealed property that is declared otherwise is a mismatch`() throws {
    let thing = Thing.Sealed.create()
    thing.title = Marker.text
    try stored(thing)
    try expectMismatch(Thing.Plain.self, .migrationPending)
    try expectMismatch(Thing.Owner.self)
    try expectMismatch(Thing.SealedNumber.self)
    let store = try scene.open()
    #expect(try store.read { _ in try Thing.Sealed.fetchOne()?.title } == Marker.text)
  }

  @Test func `a child that is declared as a value is a mismatch`() throws {
    let thing = Thing.Owner.create()
    thing.title = Wheel.create()
    try stored(thing)
    try expectMismatch(Thing.Plain.self)
  }

  @Test func `a new property is added to older rows, with its default, or refused`() throws {
    let thing = Thing.Plain.create()
    thing.title = "old"
    try stored(thing)
    let strict = try scene.open { $0.addsMissingColumns = false }
    try strict.read { (_) throws in
      expectError(.schemaMismatch, entity: "Thing", property: "color") {
        _ = try Thing.Grown.fetchAll()
      }
      #expect(try Thing.Plain.fetchOne()?.title == "old")
    }
    try strict.close()
    let locked = try scene.open(nil)
    try locked.read { _ in
      expectError(.storeLocked) { _ = try Thing.Grown.fetchAll() }
    }
    #expect(try scene.columns(of: "Thing").count == 2)
    try locked.close()
    let store = try scene.open()
    let grown = try #require(try store.read { _ in try Thing.Grown.fetchOne() })
    #expect(
      grown.title == "old" && grown.color == "it's\(TestPlace.nul)red"
        && grown.code == "MARKER-default"
    )
    try store.close()
    for (name, bytes) in try scene.fileBytes() {
      #expect(bytes.range(of: Data("MARKER".utf8)) == nil, "\(name)")
    }
  }

  @Test func `one read asks for entities whose tables are made in the middle of it`() throws {
    let store = try scene.open()
    try store.read { (_) throws in
      #expect(try Node.count() == 0)
      #expect(try Car.fetchAll().isEmpty)
      #expect(try Vault.fetchOne() == nil)
    }
    let later = try scene.open()
    try later.read { database in
      _ = try database.query("SELECT count(*) FROM \"Node\"")
      try scene.save(Safe.create(), in: store)
      #expect(try Safe.count() <= 1)
      #expect(try Node.count() == 0)
    }
  }

  @Test func `a table that is in the file and not in the catalog is a mismatch`() throws {
    let store = try scene.open()
    try store.write { try $0.execute("CREATE TABLE \"Node\" (a text)") }
    expectError(.schemaMismatch, entity: "Node") { try scene.save(Node.create(), in: store) }
    #expect(try store.read { try $0.query("SELECT count(*) FROM \"Node\"") } == [[.integer(0)]])
  }

  @Test func `a table that somebody dropped is an error and no crash`() throws {
    let store = try scene.open()
    let node = Node.create()
    try scene.save(node, in: store)
    try store.write { try $0.execute("DROP TABLE \"Node\"") }
    node.label = 1
    expectError(.schemaMismatch, entity: "Node") { try node.save() }
    try store.read { _ in
      expectError(.schemaMismatch, entity: "Node") { _ = try Node.fetchAll() }
    }
    #expect(node.hasChanges)
  }
}
