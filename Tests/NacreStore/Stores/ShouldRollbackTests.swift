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
}
