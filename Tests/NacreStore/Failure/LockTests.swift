import Foundation
import NacreCore
import NacreSQLite
import NacreUpkeep
import Testing
@testable import TestSupport

/// A store that somebody else has locked.
@Suite struct LockTests {
  private func locked(
    _ scene: Scene,
    _ sql: String,
    _ body: () throws -> Void
  ) throws {
    let connection = try Connection(path: scene.path, mode: .readWrite)
    defer { try? connection.close() }
    try connection.execute(sql)
    try body()
    if connection.isInTransaction { try connection.rollback() }
  }

  @Test func `a write waits for the lock as long as it is told and is then busy`() throws {
    let scene = try Scene()
    let store = try scene.open { $0.busyTimeout = 0.2 }
    let node = Node.create()
    try scene.save(node, in: store)
    node.label = 5
    try locked(scene, "BEGIN IMMEDIATE") { () throws in
      let elapsed = ContinuousClock().measure { expectError(.busy) { try node.save() } }
      #expect(elapsed >= .milliseconds(150) && elapsed < .seconds(5))
      #expect(node.hasChanges)
      expectError(.busy) { try store.begin() }
      expectError(.busy) { try store.write { _ in } }
      #expect(try store.read { _ in try Node.fetchOne()?.label } == 0)
    }
    try node.save()
    #expect(try store.read { _ in try Node.fetchOne()?.label } == 5)
  }

  @Test func `a transaction that would change a former state is a conflict, and can run again`()
    throws
  {
    let scene = try Scene()
    let store = try scene.open()
    try scene.save(Node.create(), in: store)
    let other = try Connection(path: scene.path, mode: .readWrite)
    defer { try? other.close() }
    var count = 0
    let change = { (_: Database) throws in
      let node = try #require(try Node.fetchOne())
      if count == 0 { try other.execute("UPDATE Node SET label = label + 10") }
      count += 1
      node.label += 1
      try node.save()
    }
    expectError(.transactionConflict) { try store.write(.deferred, change) }
    #expect(count == 1)
    count = 0
    try store.write(.deferred, retries: 1, change)
    #expect(count == 2)
    #expect(try store.read { _ in try Node.fetchOne()?.label } == 21)
  }

  @Test func `an existing store is opened and read while another writes`() throws {
    let scene = try Scene()
    let first = try scene.open()
    try scene.save(Node.create(), in: first)
    try locked(scene, "BEGIN IMMEDIATE; UPDATE Node SET label = 9") { () throws in
      let store = try scene.open { $0.busyTimeout = 0.1 }
      #expect(try store.read { _ in try store.inspect().entities.count } == 1)
      #expect(try store.read { _ in try Node.fetchOne()?.label } == 0)
    }
  }

  @Test func `a store that another holds for itself alone is busy`() throws {
    let scene = try Scene()
    try scene.open().close()
    let sql =
      "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; DELETE FROM nacre_slot WHERE id = 0"
    try locked(scene, sql) {
      expectError(.busy) { _ = try scene.open { $0.busyTimeout = 0.1 } }
    }
    try scene.open().close()
  }
}
