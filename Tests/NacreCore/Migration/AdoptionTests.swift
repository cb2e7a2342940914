import Foundation
import NacreCore
import NacreOpen
@testable import TestSupport
import Testing

/// Marking stored properties as sealed, unmarking them, and changing their indexes.
@Suite struct AdoptionTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  /// Fails where a plaintext lies in the file, its log or its index.
  private func expectNoPlaintext(sourceLocation: SourceLocation = #_sourceLocation) throws {
    for (name, bytes) in try scene.fileBytes() {
      #expect(
        bytes.range(of: Data("MARKER".utf8)) == nil,
        "\(name)",
        sourceLocation: sourceLocation
      )
    }
  }

  /// Fails unless the file has the shape that a store has which was made by this form at once.
  private func expectShape<D: PaperForm>(of form: D.Type) throws {
    let fresh = try Scene()
    let store = try fresh.open()
    try Paper<D>.store(1, in: store)
    try store.close()
    func columns(_ scene: Scene) throws -> Set<String> {
      Set(
        try scene.reading { try $0.columns(of: "Paper") }
          .map { "\($0.name) \($0.declaredType) \($0.isNotNull)" }
      )
    }
    func indexes(_ scene: Scene) throws -> Set<String> {
      Set(
        try scene.reading { try $0.indexes(of: "Paper") }.map { "\($0.name) \($0.isUnique)" }
      )
    }
    let catalog = "SELECT * FROM nacre_property WHERE entity = 'Paper' ORDER BY name"
    #expect(try columns(scene) == columns(fresh))
    #expect(try indexes(scene) == indexes(fresh))
    #expect(try scene.edit(catalog) == fresh.edit(catalog))
  }

  @Test func `plain properties are sealed, and their plaintext is gone`() throws {
    let store = try scene.open()
    try Paper<PlainPaper>.store(1200, in: store)
    let before = try Paper<PlainPaper>.values(in: store)
    expectError(.migrationPending, entity: "Paper", property: "text") {
      _ = try Paper<SealedPaper>.values(in: store)
    }
    let plan = try store.migrationPlan(Paper<SealedPaper>.self).conversions
    #expect(
      plan.map(\.description).sorted() == [
        "Paper.note: plain → sealed", "Paper.number: plain → sealed",
        "Paper.text: plain → sealed, searchable by 16 bits (exact)",
      ]
    )
    #expect(plan.map(\.total) == [1200, 1200, 1200])
    var phases: Set<String> = []
    let done = try store.migrate(Paper<SealedPaper>.self) { progress in
      phases.insert(progress.phase)
      return true
    }
    #expect(done.count == 3)
    #expect(phases == ["converting", "verifying", "clearing"])
    #expect(try Paper<SealedPaper>.values(in: store) == before)
    try store.read { (_) throws in
      let found = try Paper<SealedPaper>.fetchAll(\.text, equals: "MARKER-text-77")
      #expect(found.map(\.label) == ["77"])
      expectError(.sealedCondition) { _ = try Paper<SealedPaper>.fetchAll(where: "text = 'x'") }
    }
    try expectNoPlaintext()
    try store.close()
    try expectNoPlaintext()
    try expectShape(of: SealedPaper.self)
    #expect(try scene.open().migrationPlan(Paper<SealedPaper>.self).isEmpty)
  }

  @Test func `sealed properties are made plain again`() throws {
    let store = try scene.open()
    try Paper<WidePaper>.store(700, in: store)
    let before = try Paper<WidePaper>.values(in: store)
    try store.migrate(Paper<PlainPaper>.self)
    #expect(try Paper<PlainPaper>.values(in: store) == before)
    try store.read { (_) throws in
      #expect(try Paper<PlainPaper>.count(where: "text = 'MARKER-text-5'") == 1)
      #expect(try Paper<PlainPaper>.count(where: "note IS NULL") == 234)
    }
    try store.close()
    try expectShape(of: PlainPaper.self)
  }

  @Test func `an index gets another width and normalizer, and nil is hidden`() throws {
    let store = try scene.open()
    try Paper<SealedPaper>.store(700, in: store)
    let before = try Paper<SealedPaper>.values(in: store)
    #expect(
      try store.migrationPlan(Paper<WidePaper>.self).conversions.map(\.description).sorted() == [
        "Paper.note: sealed → sealed, searchable by 16 bits (exact), nil hidden",
        "Paper.text: sealed, searchable by 16 bits (exact) → sealed, searchable by 40 bits (casefold/1)",
      ]
    )
    try store.migrate(Paper<WidePaper>.self)
    #expect(try Paper<WidePaper>.values(in: store) == before)
    try store.read { (_) throws in
      #expect(try Paper<WidePaper>.fetchOne(\.text, equals: "marker-TEXT-7")?.label == "7")
      #expect(try Paper<WidePaper>.fetchAll(\.note, equals: nil).count == 234)
    }
    #expect(try scene.edit("SELECT count(*) FROM \"Paper\" WHERE note IS NULL") == [[.integer(0)]])
    try store.close()
    try expectShape(of: WidePaper.self)
  }

  @Test func `an unfinished conversion blocks its entity and no other`() throws {
    let store = try scene.open()
    let old = try scene.open()
    try Paper<PlainPaper>.store(1200, in: store)
    let object = try old.read { _ in try #require(try Paper<PlainPaper>.fetchOne()) }
    let stopped = try store.migrate(Paper<SealedPaper>.self) { _ in false }
    #expect(stopped.isEmpty)
    for store in [store, try scene.open()] {
      expectError(.migrationPending, entity: "Paper") {
        _ = try Paper<SealedPaper>.values(in: store)
      }
      expectError(.migrationPending, entity: "Paper") {
        _ = try Paper<PlainPaper>.values(in: store)
      }
    }
    // A process that has used the old class all along can neither read nor write.
    #expect(throws: NacreError.self) { _ = try Paper<PlainPaper>.values(in: old) }
    object.text = "MARKER-late"
    #expect(throws: NacreError.self) { try object.save() }
    try scene.save(Car.create(), in: old)
    let unfinished = try store.migrationPlan(Paper<SealedPaper>.self).conversions
    #expect(unfinished.first { $0.property == "text" }?.done == 500)
    try store.migrate(Paper<SealedPaper>.self)
    #expect(try Paper<SealedPaper>.values(in: store).count == 1200)
    try expectNoPlaintext()
  }

  @Test func `an old class can't write plaintext into what is sealed by now`() throws {
    let store = try scene.open()
    try Paper<PlainPaper>.store(10, in: store)
    // Without the ring, it does not hear of what has become of the rows.
    let old = try scene.open(nil)
    let object = try old.read { _ in try #require(try Paper<PlainPaper>.fetchOne()) }
    try store.migrate(Paper<SealedPaper>.self)
    object.text = "MARKER-late"
    #expect(throws: NacreError.self) { try object.save() }
    let another = Paper<PlainPaper>.create()
    another.text = "MARKER-late"
    #expect(throws: NacreError.self) { try scene.save(another, in: old) }
    try old.close()
    try store.close()
    try expectNoPlaintext()
  }

  @Test func `a migration that is taken back leaves everything as it was`() throws {
    let store = try scene.open()
    try Paper<PlainPaper>.store(1200, in: store)
    let before = try Paper<PlainPaper>.values(in: store)
    try store.migrate(Paper<SealedPaper>.self) { _ in false }
    #expect(try store.abandonMigration().count == 3)
    #expect(try Paper<PlainPaper>.values(in: store) == before)
    #expect(try store.abandonMigration().isEmpty)
    try store.close()
    try expectShape(of: PlainPaper.self)
  }

  @Test func `values that are not unique are named, and the migration is taken back`() throws {
    let store = try scene.open()
    try Paper<PlainPaper>.store(600, in: store)
    let before = try Paper<PlainPaper>.values(in: store)
    let twin = Paper<PlainPaper>.create()
    twin.text = "MARKER-text-7"
    try scene.save(twin, in: store)
    expectError(.constraint, entity: "Paper", property: "text") {
      try store.migrate(Paper<UniquePaper>.self)
    }
    #expect(try store.abandonMigration().isEmpty)
    #expect(try Paper<PlainPaper>.values(in: store).count == 601)
    try #require(try store.read { _ in try Paper<PlainPaper>.fetch(id: twin.objectID) }).delete()
    try store.migrate(Paper<UniquePaper>.self)
    #expect(try Paper<UniquePaper>.values(in: store) == before)
    try store.close()
    try expectShape(of: UniquePaper.self)
  }

  @Test func `opening a store finds the properties that have to be converted`() throws {
    try Paper<PlainPaper>.store(10, in: scene.open())
    let store = try scene.open { $0.entities = [Paper<SealedPaper>.self, Car.self] }
    #expect(try store.migrationPlan().conversions.count == 3)
    #expect(try scene.edit("SELECT count(*) FROM \"Car\"") == [[.integer(0)]])
    #expect(try store.migrate().count == 3)
    #expect(try store.migrationPlan().isEmpty)
    #expect(try Paper<SealedPaper>.values(in: store).count == 10)
  }

  @Test func `the async twins of conversions do the same`() async throws {
    let store = try scene.open()
    try Paper<PlainPaper>.store(10, in: store)
    #expect(try await store.migrationPlan(Paper<SealedPaper>.self).conversions.count == 3)
    #expect(try await store.migrate(Paper<SealedPaper>.self) { _ in false }.isEmpty)
    #expect(try await store.abandonMigration().count == 3)
    #expect(try await store.convert("text", of: "Paper", to: .init(isUnique: true)).count == 1)
    #expect(try Paper<UniquePaper>.values(in: store).count == 10)
  }

  @Test func `a property is converted by name, without its class`() throws {
    let store = try scene.open()
    try Paper<PlainPaper>.store(20, in: store)
    let before = try Paper<PlainPaper>.values(in: store)
    #expect(try store.convert("text", of: "Paper", to: .init(isUnique: true)).count == 1)
    #expect(try store.convert("text", of: "Paper", to: .init(isUnique: true)).isEmpty)
    #expect(try Paper<UniquePaper>.values(in: store) == before)
    for options in [SealedOptions(isUnique: true, bits: 8), .init(isSearchable: true, bits: 999)] {
      expectError(.badDeclaration, entity: "Paper", property: "note") {
        try store.convert("note", of: "Paper", to: options)
      }
    }
    #expect(try store.migrationPlan().isEmpty)
    expectError(.noSuchEntity) { try store.convert("text", of: "None", to: nil) }
    expectError(.noSuchProperty) { try store.convert("none", of: "Paper", to: nil) }
  }

  @Test func `a cell that does not open stops the migration by name, and nothing is lost`() throws {
    let store = try scene.open()
    try Paper<SealedPaper>.store(20, in: store)
    let broken = Value.blob(Data(count: 60))
    try scene.edit("UPDATE \"Paper\" SET note = ? WHERE label = '7'", broken)
    expectError(.notAnEnvelope, entity: "Paper", property: "note") {
      try store.migrate(Paper<PlainPaper>.self)
    }
    try store.abandonMigration()
    #expect(
      try scene.edit("SELECT count(*) FROM \"Paper\" WHERE note = ?", broken) == [[.integer(1)]]
    )
  }

  @Test func `without a ring nothing can be sealed`() throws {
    let store = try scene.open(nil)
    try Paper<PlainPaper>.store(2, in: store)
    expectError(.noKeyRing) { try store.migrate(Paper<SealedPaper>.self) }
    #expect(try Paper<PlainPaper>.values(in: store).count == 2)
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  func `a process that is killed in a migration goes on at the next call`(step: Int) async throws {
    try Paper<PlainPaper>.store(900, in: scene.open())
    let path = scene.path
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, step = step as Int] in
      try AdoptionTests.die(at: step, path)
    }
    try expectMigrated()
  }

  private static func die(at step: Int, _ path: String) throws {
    var left = step
    let store = try Store.open(path, unlock: Scene.unlock)
    try store.migrate(Paper<SealedPaper>.self) { _ in
      if left == 0 { kill(getpid(), SIGKILL) }
      left -= 1
      return true
    }
  }

  private func expectMigrated() throws {
    let store = try scene.open()
    try store.migrate(Paper<SealedPaper>.self)
    let values = try Paper<SealedPaper>.values(in: store)
    let fresh = try Scene()
    let other = try fresh.open()
    try Paper<SealedPaper>.store(900, in: other)
    #expect(try values == Paper<SealedPaper>.values(in: other))
    try expectNoPlaintext()
  }
}
