import Foundation
import NacreCore
@testable import TestSupport
import Testing

/// A thread that ends with a transaction open would keep every other from writing.
@Suite(.timeLimit(.minutes(10))) struct AbandonedTransactionTests {
  private struct Work: @unchecked Sendable {
    // Sendable holds: one thread has it, and then it is gone.
    let body: () throws -> Void
  }

  private final class Kept {
    var cursor: RowCursor?
  }

  private func onThread(_ body: @escaping () throws -> Void) {
    let work = Work(body: body)
    let ran = DispatchSemaphore(value: 0)
    Thread {
      #expect(throws: Never.self) { try work.body() }
      ran.signal()
    }.start()
    ran.wait()
  }

  @Test func `a transaction whose thread has ended is rolled back, in the file and in memory`()
    throws
  {
    let test = try TestStore()
    let store = test.store
    try store.write { try $0.execute("CREATE TABLE t (a)") }
    let news = Person.create()
    news.use(store)
    onThread {
      try store.begin()
      try store.write { try $0.execute("INSERT INTO t VALUES (1)") }
      try news.save()
    }
    // The thread has signalled, and may end while this waits; what it has left open is not.
    try store.write { database in
      let rows = try database.query("SELECT a FROM t")
      #expect(rows.isEmpty)
    }
    #expect(!news.isStored)
    try news.save()
    try store.begin()
    try store.commit()
  }

  @Test func `a cursor that a thread has left open ends with the thread`() throws {
    let test = try TestStore()
    let store = test.store
    try store.write { database in
      try database.execute("CREATE TABLE t (a)")
      for number in 0..<1_000 { try database.execute("INSERT INTO t VALUES (?)", number) }
    }
    let kept = Kept()
    onThread {
      try store.begin()
      try store.read { database in
        let cursor = try database.cursor("SELECT a FROM t")
        _ = try cursor.next()
        kept.cursor = cursor
      }
    }
    try store.write { try $0.execute("DELETE FROM t") }
    #expect(throws: (any Error).self) { while try kept.cursor?.next() != nil {} }
    try store.write { try $0.execute("DROP TABLE t") }
  }
}
