import Foundation
import NacreCore
import Synchronization
import TestSupport
import Testing

@testable import NacreDAO

/// A thread that runs what it is given, one after another.
private final class Worker: Sendable {
  private let work = Mutex<[@Sendable () -> Void]>([])
  private let isThere = DispatchSemaphore(value: 0)

  init() {
    Thread.detachNewThread { [self] in
      while true {
        isThere.wait()
        guard let next = work.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
        next()
      }
    }
  }

  /// Runs `body` on the thread, and waits for it.
  func run<T: Sendable>(_ body: @escaping @Sendable () -> T) -> T? {
    let end = DispatchSemaphore(value: 0)
    let result = Mutex<T?>(nil)
    work.withLock {
      $0.append {
        let value = body()
        result.withLock { $0 = value }
        end.signal()
      }
    }
    isThere.signal()
    end.wait()
    return result.withLock { $0 }
  }

  func end() { isThere.signal() }
}

/// Changes that other threads make while a DAO is used.
@Suite struct ThreadTests {
  private static let pair = """
    <insert id="pair" arguments="mark">
      <step>insert into ${T} (content) values (#{mark})</step>
      <step>insert into ${T} (content) values (#{mark})</step>
    </insert>
    <select id="single" result="int">
      select count(*) from (select content from ${T} group by content having count(*) != 2)
    </select>
    """

  private func center(_ directory: TemporaryDirectory) throws -> (DataCenter, DAO) {
    let center = DataCenter(directory: directory.file("center"))
    let models: [any Any.Type] = [Message.self, Letter.self]
    let module = Desk.module(Self.pair)
    return (center, try center.dao(config: module, userDependent: true, models: models))
  }

  private func begin(_ dao: DAO) -> NacreError.Code? { dao.daoTransaction(.begin).code }
  private func commit(_ dao: DAO) -> NacreError.Code? { dao.daoTransaction(.commit).code }
  private func rollback(_ dao: DAO) -> NacreError.Code? { dao.daoTransaction(.rollback).code }

  @Test(.timeLimit(.minutes(10)))
  func `two threads' transactions of one DAO end each by itself`() throws {
    let directory = try TemporaryDirectory()
    let (center, dao) = try center(directory)
    let (first, second) = (Worker(), Worker())
    defer {
      first.end()
      second.end()
    }
    center.currentUser = "ada"
    #expect(first.run { begin(dao) } == .some(nil))
    #expect(first.run { dao.call("add", [1, "of Ada"]).succeeded } == true)
    center.currentUser = "bob"
    #expect(second.run { begin(dao) } == .some(nil))
    #expect(second.run { dao.call("add", [1, "of Bob"]).succeeded } == true)
    // The first one's user is another by now, and its transaction is still Ada's.
    #expect(first.run { commit(dao) } == .some(nil))
    let isFree = first.run { (try? center.store(at: .user("ada")).isWritingOnThisThread) == false }
    #expect(isFree == true)
    #expect(second.run { commit(dao) } == .some(nil))
    #expect(try dao.call("contents").get() == ["of Bob"])
    center.currentUser = "ada"
    #expect(try dao.call("contents").get() == ["of Ada"])
    try center.close()
  }

  @Test(.timeLimit(.minutes(10)))
  func `a thread that has not begun ends nothing`() throws {
    let desk = try Desk(methods: "")
    let (dao, other) = (desk.dao, Worker())
    defer { other.end() }
    #expect(dao.daoTransaction(.begin).succeeded)
    #expect(dao.call("add", [1, "a"]).succeeded)
    #expect(other.run { commit(dao) } == .some(.transactionState))
    #expect(other.run { rollback(dao) } == .some(.transactionState))
    #expect(dao.call("add", [2, "b"]).succeeded)
    #expect(dao.daoTransaction(.commit).succeeded)
    #expect(dao.daoTransaction(.commit).code == .transactionState)
    #expect(dao.daoTransaction(.rollback).code == .transactionState)
    #expect(try desk.contents == ["a", "b"])
  }

  @Test(.timeLimit(.minutes(10)))
  func `a thread's open transaction is undone when the thread ends`() throws {
    let desk = try Desk(methods: "")
    let (dao, other) = (desk.dao, Worker())
    #expect(other.run { begin(dao) } == .some(nil))
    #expect(other.run { dao.call("add", [1, "a"]).succeeded } == true)
    other.end()
    #expect(dao.call("add", [2, "b"]).succeeded)
    #expect(dao.daoTransaction(.begin).succeeded)
    #expect(dao.call("add", [3, "c"]).succeeded)
    #expect(dao.daoTransaction(.commit).succeeded)
    #expect(try desk.contents == ["b", "c"])
  }

  @Test(.timeLimit(.minutes(10)))
  func `another DAO's transaction is not taken for that of an ended thread`() throws {
    let directory = try TemporaryDirectory()
    let (center, dao) = try center(directory)
    let models: [any Any.Type] = [Message.self, Letter.self]
    let second = try center.dao(
      config: Desk.module(Self.pair),
      userDependent: true,
      models: models
    )
    let other = Worker()
    center.currentUser = "ada"
    #expect(other.run { begin(dao) } == .some(nil))
    other.end()
    #expect(begin(second) == nil)
    #expect(second.call("add", [1, "of Ada"]).succeeded)
    // What is committed is what this thread has begun, by whichever DAO.
    #expect(commit(dao) == nil)
    #expect(commit(second) == .transactionState)
    #expect(try second.call("contents").get() == ["of Ada"])
    try center.close()
  }

  @Test(.timeLimit(.minutes(10)))
  func `a table's name that threads change is a whole one in each call`() throws {
    let desk = try Desk(methods: Self.pair)
    let (dao, names) = (desk.dao, (0..<4).map { "chat_\($0)" })
    let failed = Mutex<[NacreError.Code?]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for index in 0..<40 {
        dao.tableName = names[(thread + index) % names.count]
        let result = dao.call("pair", ["\(thread) \(index)"])
        if result.failed { failed.withLock { $0.append(result.code) } }
      }
    }
    #expect(failed.withLock { $0 } == [])
    var count = 0
    for name in names {
      let table = dao.forTable(name)
      #expect(try table.call("single").get() == 0)
      count += try table.call("count").get(as: Int.self)
    }
    #expect(count == 2 * 8 * 40)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a call stays with the user for whom it began`() throws {
    let directory = try TemporaryDirectory()
    let (center, dao) = try center(directory)
    let users = ["ada", "bob", "cleo"]
    center.currentUser = users[0]
    let failed = Mutex<[NacreError.Code?]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for index in 0..<40 {
        if thread == 0 {
          center.currentUser = users[index % users.count]
        } else {
          let result = dao.call("pair", ["\(thread) \(index)"])
          if result.failed { failed.withLock { $0.append(result.code) } }
        }
      }
    }
    #expect(failed.withLock { $0 } == [])
    var count = 0
    for user in users {
      center.currentUser = user
      #expect(try dao.call("single").get() == 0)
      count += try dao.call("count").get(as: Int.self)
    }
    #expect(count == 2 * 3 * 40)
    try center.close()
  }
}
