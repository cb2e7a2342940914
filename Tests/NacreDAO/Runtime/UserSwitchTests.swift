import Foundation
import NacreCore
import Synchronization
import TestSupport
import Testing

@testable import NacreDAO

/// A transaction keeps the store on which it was begun, whoever is the user by then.
@Suite struct UserSwitchTests {
  private let directory: TemporaryDirectory
  private let center: DataCenter
  private let dao: DAO

  init() throws {
    directory = try TemporaryDirectory()
    center = DataCenter(directory: directory.file("center"))
    dao = try center.dao(
      config: Desk.module(
        """
        <insert id="say" arguments="text">insert into ${T} (content) values (#{text})</insert>
        <select id="apart" result="int" parallel="true">select count(*) from ${T}</select>
        """
      ),
      userDependent: true,
      models: [Message.self, Letter.self]
    )
  }

  /// Lets another thread switch the user, and waits for it.
  private func switchElsewhere(to user: String?) {
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [center] in
      center.currentUser = user
      end.signal()
    }
    end.wait()
  }

  private func contents(of user: String) throws -> [String] {
    center.currentUser = user
    return try dao.call("contents").get()
  }

  @Test(arguments: ["bob", nil])
  func `a transaction goes on in its user's store when another thread switches`(
    next: String?
  ) throws {
    center.currentUser = "ada"
    #expect(dao.daoTransaction(.begin).error == nil)
    #expect(dao.call("say", ["first"]).error == nil)
    switchElsewhere(to: next)
    #expect(dao.call("say", ["second"]).error == nil)
    #expect(try dao.call("count").get() == 2)
    #expect(dao.call("apart").error == nil)
    try center.userValues.set(1, forKey: "draft")
    #expect(dao.daoTransaction(.begin).code == .transactionState)
    #expect(dao.daoTransaction(.commit).error == nil)
    #expect(try contents(of: "bob") == [])
    #expect(try center.userValues.contains("draft") == false)
    #expect(try contents(of: "ada") == ["first", "second"])
    #expect(try center.userValues.contains("draft"))
    try center.close()
  }

  @Test func `a rollback ends the transaction of the former user`() throws {
    center.currentUser = "ada"
    #expect(dao.daoTransaction(.begin).error == nil)
    #expect(dao.call("say", ["first"]).error == nil)
    switchElsewhere(to: "bob")
    #expect(dao.daoTransaction(.rollback).error == nil)
    #expect(try !center.store(at: .user("ada")).isWritingOnThisThread)
    #expect(dao.daoTransaction(.rollback).code == .transactionState)
    #expect(try contents(of: "ada") == [])
    try center.close()
  }

  @Test func `a thread that switches the user itself commits what it began`() throws {
    center.currentUser = "ada"
    #expect(dao.daoTransaction(.begin).error == nil)
    #expect(dao.call("say", ["first"]).error == nil)
    center.currentUser = "bob"
    #expect(dao.daoTransaction(.commit).error == nil)
    #expect(try contents(of: "bob") == [])
    #expect(try contents(of: "ada") == ["first"])
    try center.close()
  }

  @Test func `no part of a transaction is stored when a call of it was refused`() throws {
    center.currentUser = "ada"
    #expect(dao.daoTransaction(.begin).error == nil)
    #expect(dao.call("say", ["first"]).error == nil)
    center.currentUser = "bob"
    #expect(dao.call("say", ["of Bob"]).code == .transactionState)
    #expect(dao.daoTransaction(.commit).code == .transactionState)
    #expect(dao.call("say", ["of Bob"]).error == nil)
    #expect(try contents(of: "ada") == [])
    // The next transaction on the same store is not concerned.
    #expect(dao.daoTransaction(.begin).error == nil)
    #expect(dao.call("say", ["again"]).error == nil)
    switchElsewhere(to: "bob")
    #expect(dao.call("say", ["more"]).error == nil)
    #expect(dao.daoTransaction(.commit).error == nil)
    #expect(try contents(of: "ada") == ["again", "more"])
    #expect(try contents(of: "bob") == ["of Bob"])
    try center.close()
  }

  @Test func `a write goes on in its user's store when another thread switches`() throws {
    center.currentUser = "ada"
    try dao.store.write { _ in
      #expect(dao.call("say", ["first"]).error == nil)
      switchElsewhere(to: "bob")
      #expect(dao.call("say", ["second"]).error == nil)
    }
    #expect(try contents(of: "bob") == [])
    #expect(try contents(of: "ada") == ["first", "second"])
    try center.close()
  }

  @Test(.timeLimit(.minutes(10)))
  func `values that threads store are there, however often the user is switched`() throws {
    let users = ["ada", "bob", "cleo"]
    for user in users { #expect(try contents(of: user) == []) }
    let stored = Mutex<[String]>([])
    let isOpen = Mutex(0)
    let running = Mutex(7)
    concurrently(8) { thread in
      var round = 0
      if thread == 0 {
        while running.withLock({ $0 > 0 }) {
          center.currentUser = users[round % users.count]
          round += 1
        }
        return
      }
      while round < 280 {
        let texts: [String] = [0, 1].map { number in "\(thread) \(round) \(number)" }
        round += 1
        let isBegun = dao.daoTransaction(.begin).succeeded
        let areSaid: [Bool] = texts.map { text in dao.call("say", [text]).succeeded }
        let isEnded = dao.daoTransaction(.commit).succeeded
        if isBegun && isEnded && areSaid == [true, true] {
          stored.withLock { $0 += texts }
        }
        if Store.isInUseOnThisThread { isOpen.withLock { $0 += 1 } }
      }
      running.withLock { $0 -= 1 }
    }
    #expect(isOpen.withLock { $0 } == 0)
    let texts: [String] = stored.withLock { $0.sorted() }
    // Two texts in each of 280 rounds of 7 threads.
    #expect(texts.count == 3_920)
    let found: [String] = try users.flatMap(contents)
    #expect(found.sorted() == texts)
    try center.close()
  }
}
