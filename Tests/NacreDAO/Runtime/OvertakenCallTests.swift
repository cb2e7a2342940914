import Foundation
import NacreCore
import Synchronization
import TestSupport
import Testing

@testable import NacreDAO

/// Calls whose table is deleted, or whose store is closed, before they come to it.
@Suite struct OvertakenCallTests {
  private static let methods = """
    <insert id="say" arguments="text">insert into ${T} (content) values (#{text})</insert>
    <insert id="sayAll" arguments="texts" foreach="texts.text">
      insert into ${T} (content) values (#{text})
    </insert>
    <select id="safe" result="int">
      <try>select count(*) from ${T}<except>select -1</except></try>
    </select>
    <select id="apart" result="int" parallel="true">select count(*) from ${T}</select>
    <update id="steps" arguments="text">
      <step resumable="true">update ${T} set uin = 1</step>
      <step resumable="true">insert into ${T} (content) values (#{text})</step>
    </update>
    """
  private static let calls: [(id: String, arguments: [any Sendable])] = [
    ("say", ["a"]), ("sayAll", [["a", "b"]]), ("count", []), ("safe", []), ("apart", []),
    ("steps", ["a"]), ("contents", []),
  ]

  /// Whether a result is that of a method which found its table.
  private static func isWhole(_ result: DAOResult) -> Bool {
    result.succeeded && result.flags.allSatisfy { $0 == .ran }
  }

  @Test(arguments: calls.map(\.id))
  func `a table that was dropped behind the DAO's back is made anew by any call`(
    id: String
  ) throws {
    let desk = try Desk(methods: Self.methods)
    let arguments = Self.calls.first { $0.id == id }?.arguments ?? []
    #expect(desk.dao.call("say", ["before"]).error == nil)
    try desk.store.write { try $0.execute("drop table notes") }
    let result = desk.dao.call(id, arguments)
    #expect(Self.isWhole(result), "\(String(describing: result.error)) \(result.flags)")
    #expect(desk.dao.call("count").error == nil)
  }

  @Test func `a table that its initializer does not make is missed once, with its name`() throws {
    let desk = try Desk(
      """
      <module tableName="notes" initializer="make">
        <update id="make">create table if not exists others (a)</update>
        <insert id="add">insert into ${T} values (1)</insert>
      </module>
      """
    )
    let result = desk.dao.call("add")
    #expect(result.code == .badStatement)
    #expect("\(String(describing: result.error))".contains("no such table"))
  }

  @Test(.timeLimit(.minutes(10)))
  func `no call fails while another thread deletes the table again and again`() throws {
    let desk = try Desk(methods: Self.methods, attributes: "version=\"1.0\"")
    let dao = desk.dao
    let running = Mutex(5)
    let failed = Mutex<[String]>([])
    concurrently(6) { thread in
      if thread == 0 {
        while running.withLock({ $0 > 0 }) {
          let result = dao.deleteTable()
          if result.failed { failed.withLock { $0.append("\(String(describing: result.error))") } }
        }
        return
      }
      for round in 0..<400 {
        let (id, arguments) = Self.calls[(round + thread) % Self.calls.count]
        let result = dao.call(id, arguments)
        if Self.isWhole(result) { continue }
        failed.withLock { $0.append("\(id) \(String(describing: result.error)) \(result.flags)") }
      }
      running.withLock { $0 -= 1 }
    }
    #expect(failed.withLock { Set($0) } == [])
  }

  // MARK: - Closing

  /// Does something again and again, each time that a few calls have ended, while threads are running.
  private static func meanwhile(
    _ running: borrowing Mutex<Int>,
    _ ended: borrowing Mutex<Int>,
    _ body: () throws -> Void
  ) rethrows {
    var last = 0
    while running.withLock({ $0 > 0 }) {
      let count = ended.withLock { $0 }
      if count < last + 3 {
        sched_yield()
      } else {
        last = count
        try body()
      }
    }
  }

  private func center(_ directory: TemporaryDirectory) throws -> (DataCenter, DAO) {
    let key = directory.file("center.key")
    let center = DataCenter(directory: directory.file("center")) { _ in
      DataCenter.Opening(unlock: .keyFile(key, createIfMissing: true), options: .patient)
    }
    let dao = try center.dao(
      config: Desk.module(Self.methods),
      userDependent: true,
      models: [Message.self, Letter.self]
    )
    center.currentUser = "ada"
    return (center, dao)
  }

  @Test(.timeLimit(.minutes(10)))
  func `no call fails while the data center is closed again and again`() throws {
    let directory = try TemporaryDirectory()
    let (center, dao) = try center(directory)
    let running = Mutex(5)
    let failed = Mutex<[String]>([])
    let ended = Mutex(0)
    let values = center.userValues
    concurrently(6) { thread in
      if thread == 0 {
        Self.meanwhile(running, ended) {
          do { try center.close() } catch { failed.withLock { $0.append("close: \(error)") } }
        }
        return
      }
      for round in 0..<60 {
        defer { ended.withLock { $0 += 1 } }
        let result = dao.call("say", ["\(thread) \(round)"])
        if result.failed { failed.withLock { $0.append("\(String(describing: result.error))") } }
        do {
          try values.set(round, forKey: "\(thread)")
          if try values.get("\(thread)", as: Int.self) != round {
            failed.withLock { $0.append("another value") }
          }
        } catch {
          failed.withLock { $0.append("value: \(error)") }
        }
      }
      running.withLock { $0 -= 1 }
    }
    #expect(failed.withLock { Set($0) } == [])
    #expect(try dao.call("count").get() == 5 * 60)
    try center.close()
  }

  @Test(.timeLimit(.minutes(10)))
  func `a call goes on for its own user when its store is closed and the user switched`() throws {
    let directory = try TemporaryDirectory()
    let (center, dao) = try center(directory)
    let users = ["ada", "bob"]
    let running = Mutex(4)
    let failed = Mutex<[String]>([])
    let ended = Mutex(0)
    concurrently(6) { thread in
      var round = 0
      if thread < 2 {
        Self.meanwhile(running, ended) {
          round += 1
          if thread == 0 { center.currentUser = users[round % 2] } else { try? center.close() }
        }
        return
      }
      while round < 80 {
        defer { ended.withLock { $0 += 1 } }
        let result = dao.call("sayAll", [["\(thread) \(round)", "\(thread) \(round)"]])
        if result.failed { failed.withLock { $0.append("\(String(describing: result.error))") } }
        round += 1
      }
      running.withLock { $0 -= 1 }
    }
    #expect(failed.withLock { Set($0) } == [])
    var all: [String] = []
    for user in users {
      center.currentUser = user
      all += try dao.call("contents").get(as: [String].self)
    }
    #expect(all.count == 4 * 80 * 2)
    try center.close()
  }

  /// Whether a store gives other threads no connection any more.
  private static func isRefusing(_ store: Store) -> Bool {
    let end = DispatchSemaphore(value: 0)
    let code = Mutex<NacreError.Code?>(nil)
    Thread.detachNewThread {
      do { try store.read { _ in } } catch {
        code.withLock { $0 = (error as? NacreError)?.code }
      }
      end.signal()
    }
    end.wait()
    return code.withLock { $0 } == .storeClosed
  }

  @Test(.timeLimit(.minutes(10)))
  func `a transaction that has begun when its store is closed is finished and stored`() throws {
    let directory = try TemporaryDirectory()
    let (center, dao) = try center(directory)
    #expect(dao.daoTransaction(.begin).error == nil)
    #expect(dao.call("say", ["first"]).error == nil)
    let store = try dao.store
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      #expect(throws: Never.self) { try center.close() }
      end.signal()
    }
    // Until the other thread is at it.
    while !Self.isRefusing(store) { sched_yield() }
    #expect(dao.call("say", ["second"]).error == nil)
    try center.userValues.set(1, forKey: "draft")
    #expect(try dao.call("apart").get(as: Int.self) >= 0)
    #expect(try dao.store === store)
    #expect(dao.daoTransaction(.commit).error == nil)
    end.wait()
    #expect(try dao.call("contents").get() == ["first", "second"])
    #expect(try center.userValues.get("draft", default: 0) == 1)
    #expect(try dao.store !== store)
    try center.close()
  }

  @Test(.timeLimit(.minutes(10)))
  func `a store in a transaction is still used when it is to be closed, and goes on`() throws {
    let directory = try TemporaryDirectory()
    let center = DataCenter(directory: directory.file("center")) { _ in
      var opening = DataCenter.Opening()
      opening.options.busyTimeout = 1
      return opening
    }
    let dao = try center.dao(
      config: Desk.module(Self.methods),
      userDependent: false,
      models: [Message.self, Letter.self]
    )
    #expect(dao.daoTransaction(.begin).error == nil)
    let code = Mutex<NacreError.Code?>(nil)
    concurrently(1) { _ in
      do { try center.close() } catch { code.withLock { $0 = (error as? NacreError)?.code } }
    }
    #expect(code.withLock { $0 } == .stillUsed)
    #expect(dao.call("say", ["first"]).error == nil)
    #expect(dao.daoTransaction(.commit).error == nil)
    #expect(try dao.call("contents").get() == ["first"])
    try center.close()
  }

  @Test(.timeLimit(.minutes(10)))
  func `no call fails while its file is removed again and again`() throws {
    let directory = try TemporaryDirectory()
    let (center, dao) = try center(directory)
    let running = Mutex(3)
    let failed = Mutex<[String]>([])
    let ended = Mutex(0)
    concurrently(4) { thread in
      if thread == 0 {
        Self.meanwhile(running, ended) {
          do { try center.removeFile(of: .user("ada")) } catch {
            failed.withLock { $0.append("remove: \(error)") }
          }
        }
        return
      }
      for round in 0..<60 {
        defer { ended.withLock { $0 += 1 } }
        let result = dao.call("say", ["\(round)"])
        if result.failed { failed.withLock { $0.append("\(String(describing: result.error))") } }
      }
      running.withLock { $0 -= 1 }
    }
    #expect(failed.withLock { Set($0) } == [])
    try center.close()
  }
}
