import NacreCore
import Testing
@testable import TestSupport

@Suite struct ShouldRollbackTests {
  @Test(arguments: [TransactionKind.deferred, .immediate, .exclusive])
  func `a transaction that should roll back stores nothing and returns all the same`(
    kind: TransactionKind
  ) throws {
    let test = try TestStore(isSealed: false)
    let node = Node.create()
    let count = try test.store.write(kind) { database in
      try node.save()
      database.shouldRollback = true
      return try Node.count()
    }
    #expect(count == 1)
    #expect(!node.isStored)
    #expect(try test.store.read { _ in try Node.count() } == 0)
    try test.store.write(kind) { _ in try node.save() }
    #expect(try test.store.read { _ in try Node.count() } == 1)
  }

  @Test func `shouldRollback in a nested transaction undoes the inner one alone`() throws {
    let test = try TestStore(isSealed: false)
    let (outer, inner) = (Node.create(), Node.create())
    try test.store.write { _ in
      try outer.save()
      try test.store.write { database in
        try inner.save()
        database.shouldRollback = true
      }
      #expect(try Node.count() == 1)
    }
    #expect(outer.isStored && !inner.isStored)
    #expect(try test.store.read { _ in try Node.count() } == 1)
  }

  @Test func `shouldRollback in an outer transaction undoes the inner one, too`() throws {
    let test = try TestStore(isSealed: false)
    let inner = Node.create()
    try test.store.write { database in
      database.shouldRollback = true
      try test.store.write { _ in try inner.save() }
      #expect(database.shouldRollback)
    }
    #expect(!inner.isStored)
    #expect(try test.store.read { _ in try Node.count() } == 0)
  }

  @Test(arguments: [(456, true), (789, false)])
  func `updates count their rows, and the counts decide over the transaction`(
    receiver: Int,
    isKept: Bool
  ) throws {
    let test = try TestStore(isSealed: false)
    try test.store.write { database in
      try database.execute("CREATE TABLE account (id INTEGER PRIMARY KEY, cash INTEGER)")
      try database.execute("INSERT INTO account VALUES (123, 500), (456, 0)")
    }
    try test.store.write { database in
      let sql = "UPDATE account SET cash = cash + ? WHERE id = ?"
      let taken = try database.execute(sql, -100, 123)
      let given = try database.execute(sql, 100, receiver)
      database.shouldRollback = taken != 1 || given != 1
    }
    let cash = try test.store.read { try $0.query("SELECT cash FROM account ORDER BY id") }
    let expected: [[Value]] = isKept ? [[400], [100]] : [[500], [0]]
    #expect(cash == expected)
  }
}
