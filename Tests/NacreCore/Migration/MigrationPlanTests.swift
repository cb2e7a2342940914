import Foundation
import NacreCore
import NacreOpen
@testable import TestSupport
import Testing

/// The plan before a store is migrated, and the copy that is made of it.
@Suite struct MigrationPlanTests {
  private typealias Form1 = StepScene.Form1
  private typealias Form4 = StepScene.Form4
  private let steps: StepScene
  private var scene: Scene { steps.scene }

  init() throws { steps = try StepScene() }

  @Test
  func `the plan tells beforehand what opening would do`() throws {
    let old = try steps.open(1)
    try Robot<Form1>.store(in: old)
    try old.close()
    let store = try steps.open(3) { options in
      options.migratesWhenOpened = false
      options.entities = [Robot<Form4>.self, Node.self]
    }
    let plan = try store.migrationPlan()
    #expect(plan.steps == ["2", "3"])
    #expect(
      plan.description.split(separator: "\n") == [
        "step 2", "step 3", "Node: new, version 1", "Robot.two: added", "Robot.three: added",
        "Robot.four: added",
      ]
    )
    expectError(.stepsPending, entity: "Robot") { try Robot<Form1>.use(in: store) }
    #expect(try scene.columns(of: "Robot").count == 2)
    #expect(try store.migrate().isEmpty)
    #expect(try store.migrationPlan().isEmpty)
    #expect(try store.migrationPlan().description == "nothing has to be changed")
    #expect(try scene.columns(of: "Robot").count == 5)
    #expect(try store.read { _ in try Robot<Form4>.fetchAll().count } == 1)
  }

  @Test(.sqliteOnly("Nacre makes no backup of a server"))
  func `a backup is made before migrating, and only then`() throws {
    let old = try steps.open(1)
    try Robot<Form1>.store(in: old)
    try old.close()
    let path = scene.directory.file("before.db")
    let choose: @Sendable (MigrationPlan) -> String? = { plan in
      plan.steps == ["2", "3"] ? path : nil
    }
    try steps.open(1) { $0.backupBeforeMigrating = { _ in path } }.close()
    #expect(!Store.exists(at: path))
    try steps.open(3) { $0.backupBeforeMigrating = choose }.close()
    let copy = try Store.open(path, unlock: Scene.unlock)
    #expect(try copy.schemaVersion == "1")
    #expect(try Robot<Form1>.texts("name", in: copy).count == 1)
    try copy.close()
    // The file is there: no copy can be made, and nothing is migrated.
    expectError(.cannotOpen) { _ = try steps.open(4) { $0.backupBeforeMigrating = { _ in path } } }
    #expect(try scene.open().schemaVersion == "3")
    let second = scene.directory.file("second.db")
    try steps.open(3) { options in
      options.entities = [Robot<Form4>.self]
      options.backupBeforeMigrating = { _ in second }
    }.close()
    #expect(Store.exists(at: second))
  }

  @Test(.sqliteOnly("Nacre backs up no server"))
  func `a backup is made before a conversion, too`() throws {
    let path = scene.directory.file("before.db")
    let store = try scene.open { $0.backupBeforeMigrating = { _ in path } }
    try Paper<PlainPaper>.store(3, in: store)
    #expect(try store.migrate(Paper<PlainPaper>.self).isEmpty)
    #expect(!Store.exists(at: path))
    #expect(try store.migrate(Paper<SealedPaper>.self).count == 3)
    let copy = try Store.open(path, unlock: Scene.unlock)
    #expect(try Paper<PlainPaper>.values(in: copy).count == 3)
  }

  @Test func `the async twins of steps and plans do the same`() async throws {
    let old = try steps.open(1)
    try Robot<Form1>.store(in: old)
    try await old.close()
    let store = try steps.open(3)
    try await store.migrate(to: "2")
    #expect(try scene.columns(of: "Robot").count == 3)
    #expect(try await store.schema().map(\.name) == ["Robot"])
    #expect(try await store.migrationPlan(Robot<Form1>.self).steps == ["3"])
  }
}
