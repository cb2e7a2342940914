import Foundation
import NacreCore
import NacreOpen
import Synchronization
import TestSupport
import Testing

@testable import NacreDAO

/// Runs `body` on a thread of its own; nil where it does not end.
private func onThread<T: Sendable>(_ body: @escaping @Sendable () -> T) -> T? {
  let end = DispatchSemaphore(value: 0)
  let result = Mutex<T?>(nil)
  Thread.detachNewThread {
    let value = body()
    result.withLock { $0 = value }
    end.signal()
  }
  return end.wait(timeout: .now() + 20) == .success ? result.withLock { $0 } : nil
}

/// Code of the application that is called while a DAO or a data center is at work, and uses it.
@Suite struct ReentryTests {
  /// It uses a DAO when nobody has it any more.
  private final class Last: Sendable {
    private let dao: DAO

    init(_ dao: DAO) { self.dao = dao }

    deinit { _ = dao.tableName }
  }

  @Test func `an object that a DAO releases may use the DAO when it is freed`() throws {
    let desk = try Desk(methods: "")
    let dao = desk.dao
    let hasEnded = onThread {
      dao.eventHandler = { [last = Last(dao)] _, _ in withExtendedLifetime(last) {} }
      dao.eventHandler = nil
      dao.globalArguments = ["g": Last(dao)]
      // The call keeps what it worked with for the next.
      dao.call("add", [1, "a"])
      dao.globalArguments = [:]
      let methods: [CryptMethod] = [Last(dao), Last(dao)].map { last in
        { @Sendable value, _, _ in
          withExtendedLifetime(last) { value }
        }
      }
      (dao.encryptMethod, dao.decryptMethod) = (methods[0], methods[1])
      return true
    }
    #expect(hasEnded == true)
    let areGone = onThread {
      dao.call("add", [2, "b"])
      (dao.encryptMethod, dao.decryptMethod) = (nil, nil)
      return true
    }
    #expect(areGone == true)
    #expect(try desk.contents == ["a", "b"])
  }

  @Test func `a data center is used while one of its stores is being opened`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("center")
    let center = Mutex<DataCenter?>(nil)
    let seen = Mutex<[String?]>([])
    let codes = Mutex<[NacreError.Code?]>([])
    let made = DataCenter(directory: path) { place in
      var opening = DataCenter.Opening(
        unlock: .keyFile(path + "/center.key", createIfMissing: true)
      )
      guard place == .common else { return opening }
      opening.options.trace = { _ in
        guard let center = center.withLock({ $0 }), seen.withLock({ $0.isEmpty }) else { return }
        seen.withLock { $0.append("begun") }
        let own = center.currentUser
        let other = onThread { center.currentUser } ?? nil
        seen.withLock { $0 += [own, other] }
        // Its own store is none yet; another one is opened.
        do { _ = try center.commonStore } catch {
          codes.withLock { $0.append((error as? NacreError)?.code) }
        }
        _ = try? center.userStore
      }
      return opening
    }
    made.currentUser = "ada"
    center.withLock { $0 = made }
    let isOpen = onThread { (try? made.commonStore) != nil }
    center.withLock { $0 = nil }
    #expect(isOpen == true)
    #expect(seen.withLock { $0 } == ["begun", "ada", "ada"])
    #expect(codes.withLock { $0 } == [.transactionState])
    #expect(Store.exists(at: try made.path(of: .user("ada"))))
    try made.close()
  }

  @Test func `threads that ask for the same file at once get one store`() throws {
    let directory = try TemporaryDirectory()
    let center = DataCenter(directory: directory.file("center"))
    let stores = Mutex<[Store]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      let place: DataCenter.Place = index.isMultiple(of: 2) ? .common : .file("common.db")
      guard let store = try? center.store(at: place) else { return }
      stores.withLock { $0.append(store) }
    }
    let all = stores.withLock { $0 }
    #expect(all.count == 8)
    #expect(all.allSatisfy { $0 === all[0] })
    try center.close()
  }

  @Test func `a parallel select never waits for a reader while its thread has the writer`() throws {
    let desk = try Desk(
      methods: """
        <select id="other" parallel="true" result="int">select count(*) from ${T}</select>
        """,
      in: TestStore { $0.readerLimit = 1 }
    )
    let (dao, store) = (desk.dao, desk.store)
    #expect(dao.call("add", [1, "a"]).succeeded)
    let (begun, reading, counted, ended) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0),
      DispatchSemaphore(value: 0)
    )
    Thread.detachNewThread {
      begun.wait()
      try? store.read { _ in
        reading.signal()
        // It has the only reader that is open.
        counted.wait()
      }
      ended.signal()
    }
    let count = onThread { () -> Int? in
      dao.daoTransaction(.begin)
      dao.call("add", [2, "b"])
      begun.signal()
      reading.wait()
      let count = try? dao.call("other").get(as: Int.self)
      counted.signal()
      dao.daoTransaction(.commit)
      return count
    }
    #expect(count == 2)
    #expect(ended.wait(timeout: .now() + 20) == .success)
    #expect(try desk.contents == ["a", "b"])
  }
}
