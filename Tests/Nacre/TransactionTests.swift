import Foundation
import Nacre
import Testing
@testable import TestSupport

/// Transactions, in the file and in memory.
@Suite struct TransactionTests {
  let test: TestStore

  private struct Stop: Error {}

  init() throws { test = try TestStore() }

  private func node(_ title: String) -> Node {
    let node = Node.create()
    node.use(test.store)
    node.title = title
    return node
  }

  private func titles() throws -> [String] {
    try test.store.read { _ in try Node.fetchValues(\.title, orderBy: "title") }
  }

  @Test func `a write that throws leaves file and objects as they were`() throws {
    let kept = node("kept")
    try kept.save()
    kept.title = "changed"
    let fresh = node("fresh")
    fresh.next = node("below")
    #expect(throws: Stop.self) {
      try test.store.write { _ in
        try kept.save()
        try fresh.save()
        kept.next = fresh
        throw Stop()
      }
    }
    #expect(try titles() == ["kept"])
    #expect(kept.isStored && kept.hasChanges)
    #expect(!fresh.isStored && fresh.next?.isStored == false)
    try kept.save()
    #expect(try titles() == ["below", "changed", "fresh"])
  }

  @Test func `an inner write that throws undoes only itself`() throws {
    let (outer, inner) = (node("outer"), node("inner"))
    try test.store.write { (_) throws in
      try outer.save()
      #expect(throws: Stop.self) {
        try test.store.write { _ in
          try inner.save()
          outer.title = "again"
          try outer.save()
          throw Stop()
        }
      }
      #expect(outer.isStored && outer.hasChanges)
      #expect(!inner.isStored)
    }
    #expect(try titles() == ["outer"])
  }

  @Test func `a save that fails inside a transaction undoes its own rows alone`() throws {
    let first = node("first")
    let broken = node("broken")
    broken.children = [node("child")]
    broken.friend = Link(objectID: UUID())
    let car = Car.create()
    try test.store.write { (_) throws in
      try first.save()
      broken.next = first
      let engine = Engine.create()
      car.engine = engine
      try engine.save()
      let twin = Engine.create(objectID: engine.objectID)
      let wheel = Wheel.create()
      car.wheels = [wheel]
      car.engine = twin
      let error = #expect(throws: NacreError.self) { try car.save() }
      #expect(error?.code == .constraint)
      #expect(!wheel.isStored && !car.isStored)
      #expect(try Wheel.count() == 0)
    }
    #expect(try titles() == ["first"])
  }

  @Test func `a deletion is undone in memory, too`() throws {
    let root = node("root")
    root.next = node("next")
    try root.save()
    #expect(throws: Stop.self) {
      try test.store.write { _ in
        try root.delete(cascade: true)
        throw Stop()
      }
    }
    #expect(root.isStored && root.next?.isStored == true)
    #expect(!root.hasChanges)
    #expect(try titles() == ["next", "root"])
  }

  @Test func `transactions by hand commit and roll back`() throws {
    let (a, b) = (node("a"), node("b"))
    try test.store.begin()
    try a.save()
    try test.store.commit()
    try test.store.begin(.exclusive)
    try b.save()
    #expect(try titles() == ["a", "b"])
    try test.store.rollback()
    #expect(try titles() == ["a"])
    #expect(!b.isStored)
  }

  @Test func `commit and rollback need a begin, and begin none before it`() throws {
    for end in [test.store.commit, test.store.rollback] {
      let error = #expect(throws: NacreError.self) { try end() }
      #expect(error?.code == .transactionState)
    }
    try test.store.begin()
    #expect(throws: NacreError.self) { try test.store.begin() }
    try test.store.rollback()
    let error = try test.store.write { _ in
      #expect(throws: NacreError.self) { try test.store.commit() }
    }
    #expect(error?.code == .transactionState)
  }

  @Test func `a deferred key that does not hold fails the commit and leaves nothing`() throws {
    let a = node("a")
    a.friend = Link(objectID: UUID())
    let error = #expect(throws: NacreError.self) {
      try test.store.write { _ in try a.save() }
    }
    #expect(error?.code == .constraint)
    #expect(!a.isStored)
    #expect(try titles() == [])
  }

  @Test func `a read sees one state while another thread writes`() throws {
    try node("a").save()
    let store = test.store
    try store.read { (_) throws in
      #expect(try Node.count() == 1)
      let done = DispatchSemaphore(value: 0)
      nonisolated(unsafe) var failure: (any Error)?
      Thread.detachNewThread {
        do {
          try store.write { _ in try Node.create().save() }
        } catch {
          failure = error
        }
        done.signal()
      }
      done.wait()
      #expect(failure == nil)
      #expect(try Node.count() == 1)
    }
    #expect(try store.read { _ in try Node.count() } == 2)
  }

  @Test func `statements after the caller's own COMMIT or ROLLBACK are refused`() throws {
    for end in ["COMMIT", "ROLLBACK"] {
      let error = #expect(throws: NacreError.self) {
        try test.store.write { (database) throws in
          try database.execute(end)
          try database.execute("CREATE TABLE late (a)")
        }
      }
      #expect(error?.code == .transactionState)
    }
    let tables = try test.store.read {
      try $0.query(
        TestPlace.sql(
          "SELECT name FROM sqlite_schema WHERE name = 'late'",
          onServer: "SELECT 1 WHERE to_regclass('late') IS NOT NULL"
        )
      )
    }
    #expect(tables == [])
  }

  @Test(.sqliteOnly("its trigger is SQLite's; BatchFailureTests have a server's"))
  func `a failed save of several new rows is undone where triggers take part, too`() throws {
    try node("first").save()
    try test.store.write { (database) throws in
      try database.execute("CREATE TABLE log (title TEXT)")
      try database.execute(
        """
        CREATE TRIGGER logging AFTER INSERT ON "Node" BEGIN \
        INSERT INTO log VALUES (new.title); END
        """
      )
      let kept = node("kept")
      try kept.save()
      let broken = node("broken")
      broken.children = [node("child"), Node.create(objectID: kept.objectID)]
      let error = #expect(throws: NacreError.self) { try broken.save() }
      #expect(error?.code == .constraint)
    }
    #expect(try titles() == ["first", "kept"])
    let logged = try test.store.read { try $0.query("SELECT title FROM log") }
    #expect(logged == [[.text("kept")]])
  }

  @Test(.sqliteOnly("its trigger is SQLite's; BatchFailureTests have a server's"))
  func `an insert that a trigger ignores is an error, not a lost object`() throws {
    try node("first").save()
    try test.store.write { (database) throws in
      try database.execute(
        """
        CREATE TRIGGER ignoring BEFORE INSERT ON "Node" BEGIN SELECT RAISE(IGNORE); END
        """
      )
    }
    let lost = node("lost")
    let error = #expect(throws: NacreError.self) { try lost.save() }
    #expect(error?.code == .constraint)
    #expect(error?.objectID == lost.objectID)
    #expect(!lost.isStored && lost.hasChanges)
  }

  @Test func `raw SQL runs in the transaction, with arguments`() throws {
    try test.store.write { (database) throws in
      try database.execute(
        TestPlace.sql(
          "CREATE TABLE plain (a INTEGER PRIMARY KEY, b TEXT)",
          onServer:
            "CREATE TABLE plain (a bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, b text)"
        )
      )
      #expect(try database.execute("INSERT INTO plain (b) VALUES (?)", "it's") == 1)
      #expect(database.lastInsertedRowID == 1)
      #expect(try database.query("SELECT b, ? FROM plain", nil) == [[.text("it's"), .null]])
    }
    let error = #expect(throws: NacreError.self) {
      try test.store.read { try $0.query("SELECT b FROM plain WHERE a = ?") }
    }
    #expect(error?.code == .badStatement)
  }
}
