import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
@testable import TestSupport
import Testing

/// Versions of a store, and the steps from one to the next.
@Suite struct MigratorTests {
  private typealias Form1 = StepScene.Form1
  private typealias Form4 = StepScene.Form4
  private let steps: StepScene
  private var scene: Scene { steps.scene }

  init() throws { steps = try StepScene() }

  private func expectFailure(
    _ code: NacreError.Code,
    _ detail: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    let error = thrown(code, sourceLocation: sourceLocation, body)
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains(detail), "\(text)", sourceLocation: sourceLocation)
  }

  @Test(
    arguments: [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]
  )
  func `a store of an earlier version runs the steps that it lacks`(from: Int, to: Int) throws {
    let old = try steps.open(1)
    try Robot<Form1>.store(in: old) { $0[text: "name"] = "kept" }
    #expect(try old.schemaVersion == "1")
    try old.close()
    let middle = try steps.open(from)
    #expect(try middle.schemaVersion == "\(from)")
    #expect(try scene.columns(of: "Robot").count == from + 1)
    try middle.close()
    let store = try steps.open(to)
    #expect(try store.schemaVersion == "\(to)")
    let names = ["objectID", "name", "two", "three", "four"]
    #expect(try scene.columns(of: "Robot") == Array(names.prefix(to + 1)))
    #expect(try Robot<Form1>.texts("name", in: store) == ["kept"])
    #expect(try store.inspect().schemaVersion == "\(to)")
  }

  @Test func `a new store runs no step and has the newest version`() throws {
    let store = try steps.open(4)
    #expect(try store.schemaVersion == "4")
    try Robot<Form4>.store(in: store)
    #expect(try scene.columns(of: "Robot").count == 5)
    try store.close()
    #expect(try steps.open(4).schemaVersion == "4")
  }

  @Test func `a store that had no migrator runs all steps`() throws {
    let old = try scene.open()
    try Robot<Form1>.store(in: old)
    #expect(try old.schemaVersion == nil)
    try old.close()
    let store = try steps.open(4)
    #expect(try store.schemaVersion == "4")
    #expect(try scene.columns(of: "Robot").count == 5)
  }

  @Test func `a column that a step has added without a default gives older rows the property's`()
    throws
  {
    let old = try steps.open(1)
    try Robot<Form1>.store(in: old)
    try old.close()
    let store = try steps.open(4)
    #expect(try scene.edit("SELECT four FROM \"Robot\"") == [[.null]])
    let robot = try #require(try store.read { _ in try Robot<Form4>.fetchOne() })
    #expect(robot[number: "four"] == 4)
    #expect(robot[text: "two"] == "" && robot[text: "three"] == "3")
    robot[number: "four"] = 5
    try robot.save()
    try Robot<Form4>.store(in: store)
    #expect(try scene.edit("SELECT four FROM \"Robot\" ORDER BY four") == [[4], [5]])
  }

  private struct Refusal: Error {}

  @Test func `a step that fails is taken back and named, and the steps before it stay`() throws {
    let old = try steps.open(1)
    try Robot<Form1>.store(in: old)
    try old.close()
    let broken = Migrator(
      StepScene.steps.prefix(2) + [
        .init("3") { database in
          try database.execute("DELETE FROM \"Robot\"")
          throw Refusal()
        }
      ] + StepScene.steps.suffix(1)
    )
    for _ in 0..<2 {
      let error = thrown(.migrationFailed) {
        _ = try scene.open { $0.migrator = broken }
      }
      #expect(error?.cause is Refusal)
      #expect(error?.detail == "step 3")
    }
    let store = try scene.open()
    #expect(try store.schemaVersion == "2")
    #expect(try Robot<Form1>.texts("name", in: store).count == 1)
    #expect(try scene.columns(of: "Robot") == ["objectID", "name", "two"])
    try store.close()
    #expect(try steps.open(4).schemaVersion == "4")
  }

  @Test func `a version that no step leads to is an error that names it`() throws {
    let old = try steps.open(4)
    try Robot<Form4>.store(in: old)
    try old.close()
    expectFailure(.newerSchema, "4") { _ = try steps.open(3) }
    #expect(try scene.open().schemaVersion == "4")
  }

  @Test func `a store is taken down and up again`() throws {
    let old = try steps.open(1)
    try Robot<Form1>.store(in: old) { $0[text: "name"] = "kept" }
    try old.close()
    let store = try steps.open(3)
    try store.migrate(to: "1")
    #expect(try store.schemaVersion == "1")
    #expect(try scene.columns(of: "Robot") == ["objectID", "name"])
    try store.migrate(to: "2")
    #expect(try scene.columns(of: "Robot") == ["objectID", "name", "two"])
    expectFailure(.newerSchema, "none") { try store.migrate(to: "none") }
    try store.migrate(to: "1")
    expectFailure(.migrationFailed, "step 1") { try store.migrate(to: nil) }
    #expect(try Robot<Form1>.texts("name", in: store) == ["kept"])
    expectError(.badDeclaration) { try scene.open().migrate(to: "1") }
  }

  @Test func `a step without a way down changes nothing on the way`() throws {
    let store = try steps.open(4)
    try Robot<Form4>.store(in: store)
    expectFailure(.migrationFailed, "step 4") { try store.migrate(to: "2") }
    #expect(try store.schemaVersion == "4")
    #expect(try scene.columns(of: "Robot").count == 5)
  }

  @Test func `an entity that is used in a step is refused, and the step is taken back`() throws {
    let old = try steps.open(1)
    try Robot<Form1>.store(in: old)
    try old.close()
    let uses: [@Sendable (Database) throws -> Void] = [
      { _ in _ = try Robot<Form1>.fetchAll() }, { _ in try Robot<Form1>.create().save() },
      { _ in try Car.create().save() },
      { database in _ = try database.store?.read { _ in try Robot<Form1>.count() } },
    ]
    for use in uses {
      expectError(.insideMigration) {
        _ = try scene.open { $0.migrator = Migrator(.init("1"), .init("2", up: use)) }
      }
    }
    let calls: [@Sendable (Database) throws -> Void] = [
      { try $0.store?.migrate(to: "1") }, { try $0.store?.close() },
      { _ = try $0.store?.migrate(Robot<Form1>.self) },
    ]
    for call in calls {
      let error = thrown(.migrationFailed) {
        _ = try scene.open { $0.migrator = Migrator(.init("1"), .init("2", up: call)) }
      }
      #expect((error?.cause as? NacreError)?.code == .transactionState)
    }
    #expect(try scene.open().schemaVersion == "1")
  }

  @Test func `a step that is run later finds no entity that was used before`() throws {
    let old = try steps.open(1)
    try Robot<Form1>.store(in: old)
    try old.close()
    let store = try scene.open { options in
      options.migratesWhenOpened = false
      options.migrator = Migrator(
        .init("1") { _ in
        } down: { _ in
        },
        .init("2") { _ in _ = try Robot<Form1>.fetchAll() }
      )
    }
    try store.migrate(to: "1")
    try store.write { _ in _ = try Robot<Form1>.fetchAll() }
    expectError(.insideMigration, entity: "Robot") { try store.migrate(to: "2") }
    #expect(try Robot<Form1>.texts("name", in: store).count == 1)
  }

  // MARK: - Choosing

  private func schemaVersion(_ name: String, _ change: (inout StoreOptions) -> Void) throws
    -> String?
  {
    let directory = try TemporaryDirectory()
    var options = StoreOptions()
    change(&options)
    return try Store.open(directory.file(name), options: options).schemaVersion
  }

  @Test(arguments: [
    ("shop.db", "name"), ("SHOP.DB", "name"), ("shop-7.db", "pattern"), ("Shop-12.DB", "pattern"),
    ("shop-7.db.old", "other"), ("my-shop-7.db", "other"), ("shopxdb", "name"),
  ])
  func `a migrator is chosen by name or pattern, of the whole name in any case`(
    name: String,
    expected: String
  ) throws {
    let version = try schemaVersion(name) { options in
      options.migrator = Migrator(.init("other"))
      options.migrators = [
        ("shop.db", Migrator(.init("name"))), (#"shop-\d+\.db"#, Migrator(.init("pattern"))),
        (".*7.*", Migrator(.init("other"))),
      ]
    }
    #expect(version == expected)
  }

  @Test func `a migrator with a malformed pattern or two steps of one name is refused`() throws {
    expectError(.badDeclaration) {
      _ = try schemaVersion("a.db") { $0.migrators = [("(", Migrator(.init("1")))] }
    }
    expectError(.badDeclaration) {
      _ = try schemaVersion("a.db") { $0.migrator = Migrator(.init("1"), .init("1")) }
    }
    #expect(try schemaVersion("a.db") { $0.migrator = Migrator([]) } == nil)
  }

  @Test func `stores that are opened at once run each step once`() async throws {
    let old = try steps.open(1)
    try Robot<Form1>.store(in: old)
    try await old.close()
    let migrator = Migrator(
      .init("1"),
      .init("2") { try $0.execute("UPDATE \"Robot\" SET name = name || 'x'") }
    )
    let path = scene.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var options = StoreOptions()
          options.migrator = migrator
          try await Store.open(path, unlock: Scene.unlock, options: options).close()
        }
      }
      try await group.waitForAll()
    }
    #expect(try scene.edit("SELECT name FROM \"Robot\"") == [["x"]])
  }
}
