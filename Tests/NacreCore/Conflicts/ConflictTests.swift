import Foundation
@testable import NacreCore
import Testing
@testable import TestSupport

/// A class that detects conflicts neither overwrites nor deletes a row that was changed since its object was loaded.
@Suite struct ConflictTests {
  private struct Stop: Error {}

  private let bank: BankScene
  private var store: Store { bank.store }

  init() throws { bank = try BankScene() }

  private func expectConflict(
    _ object: any Entity,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    let entity = type(of: object).entitySchema.name
    expectError(
      .conflict,
      entity: entity,
      objectID: object.objectID,
      sourceLocation: sourceLocation,
      body
    )
  }

  @Test func `a save over a row that was changed is a conflict and writes nothing`() throws {
    let account = try bank.account("a")
    try bank.change(account)
    account.title = "b"
    expectConflict(account) { try account.save() }
    #expect(account.hasChanges && account.isStored && account.title == "b")
    expectConflict(account) { try account.save() }
    let stored = try bank.other(account)
    #expect(stored.title == "a" && stored.balance == 1)
  }

  @Test func `a conflict that is caught inside a write leaves the rest of it`() throws {
    let (stale, other) = (try bank.account("a"), try bank.account("b"))
    try bank.change(stale)
    (stale.title, other.title) = ("stale", "changed")
    let new = Deposit.create()
    new.title = "new"
    new.use(store)
    try store.write { _ in
      try new.save()
      expectConflict(stale) { try stale.save() }
      try other.save()
    }
    let titles = try store.read { _ in try Deposit.fetchAll().map(\.title).sorted() }
    #expect(titles == ["a", "changed", "new"])
    #expect(stale.hasChanges && !other.hasChanges && new.isStored)
  }

  @Test func `a delete of a row that was changed is a conflict and deletes nothing`() throws {
    let account = try bank.account("a")
    try bank.change(account)
    expectConflict(account) { try account.delete() }
    account.isMarkedForDeletion = true
    expectConflict(account) { try account.save() }
    #expect(account.isStored && account.isMarkedForDeletion)
    let stored = try bank.other(account)
    try stored.delete()
    try account.delete()
    #expect(try store.read { _ in try Deposit.count() } == 0)
  }

  @Test func `without conflict detection columns merge, and rows have no versions`() throws {
    let account = Deposit.Former.create()
    try bank.save(account)
    let other = try bank.other(account)
    other.balance = 3
    try other.save()
    account.title = "b"
    try account.save()
    let stored = try bank.other(account)
    #expect(stored.title == "b" && stored.balance == 3)
    #expect(try bank.scene.columns(of: "Deposit").count == 4)
  }

  @Test func `one object can be saved again and again, also after its deletion`() throws {
    let account = try bank.account("a")
    for balance in 1...3 {
      account.balance = balance
      try account.save()
    }
    try account.delete()
    account.balance = 4
    try account.save()
    account.balance = 5
    try account.save()
    #expect(try bank.other(account).balance == 5)
    try account.delete()
  }

  @Test func `a rollback takes the version back, that of a savepoint, too`() throws {
    let account = try bank.account("a")
    #expect(throws: Stop.self) {
      try store.write { _ in
        account.balance = 1
        try account.save()
        try? store.write { _ in
          account.balance = 2
          try account.save()
          throw Stop()
        }
        #expect(account.hasChanges)
        try account.save()
        throw Stop()
      }
    }
    try account.save()
    #expect(try bank.other(account).balance == 2)
    try store.begin()
    try account.delete()
    try store.rollback()
    try account.delete()
    #expect(try store.read { _ in try Deposit.count() } == 0)
  }

  @Test func `a version that was rolled back does not come back with other values`() throws {
    let account = try bank.account("a")
    var found: [Deposit] = []
    #expect(throws: Stop.self) {
      try store.write { _ in
        try bank.change(account)
        found = try Deposit.fetchAll()
        throw Stop()
      }
    }
    try bank.change(account) { $0.title = "b" }
    let lost = try #require(found.first)
    lost.title = "c"
    expectConflict(lost) { try lost.save() }
  }

  @Test func `an object of a row that was stored anew conflicts with it`() throws {
    let account = try bank.account("a")
    try bank.other(account).delete()
    account.title = "b"
    expectError(.objectDeleted, entity: "Deposit", objectID: account.objectID) {
      try account.save()
    }
    let again = Deposit.create(objectID: account.objectID)
    try bank.save(again)
    expectConflict(account) { try account.save() }
  }

  @Test func `updates of many rows and increments count as changes`() throws {
    let changes: [Assignment<Deposit>] = [
      .set(\.title, to: "all"), .increment(\.balance, by: 2), .set(\.note, to: "sealed"),
    ]
    for change in changes {
      let account = try bank.account("a")
      try store.write { _ in _ = try Deposit.all.updateAll(change) }
      account.balance = 7
      expectConflict(account) { try account.save() }
      #expect(try bank.other(account).balance != 7)
    }
  }

  @Test func `every way to load an object brings its version`() throws {
    let watched = try bank.account("w")
    let owner = try bank.bank(partner: watched, watched: [watched])
    let id = owner.objectID
    func save(_ account: Deposit?) throws {
      let account = try #require(account)
      account.balance += 1
      try account.save()
    }
    try store.write { _ in
      try save(Deposit.fetchAll(where: "title = ?", "w").first)
      try save(Deposit.fetchOne(\.title, equals: "w"))
      try save(Deposit.fetch(ids: [watched.objectID]).first)
      try save(Deposit.cursor(where: "title = ?", "w").next())
      try save(Deposit.find(sql: "SELECT * FROM \"Deposit\" WHERE title = 'w'").first?.object)
      try save(Deposit.where("title = ?", "w").page(1, size: 1, startingAt: 1).items.first)
      try save(Bank.fetch(id: id)?.main)
      try save(Bank.fetch(id: id)?.accounts.last)
      try save(Bank.fetch(id: id)?.partner?.get())
      try save(Bank.fetch(id: id, with: \.partner)?.partner?.loaded)
      try save(Bank.fetch(id: id)?.watched.fetchAll().first)
    }
    #expect(try bank.other(watched).balance == 9)
    let found = try store.read { _ in try Deposit.find(sql: "SELECT * FROM \"Deposit\"") }
    #expect(found[0].extras.values.isEmpty)
  }

  @Test func `tasks that change one row and try again lose nothing`() async throws {
    let (store, id) = (bank.store, try bank.account("a").objectID)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        group.addTask {
          let found = try await store.read { _ in try Deposit.fetch(id: id) }
          guard let account = found else { return }
          for _ in 0..<20 {
            while true {
              account.balance += 1
              do {
                try await account.save()
                break
              } catch let error as NacreError where error.code == .conflict {
                try await account.refresh()
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await store.read { _ in try Deposit.fetch(id: id)?.balance } == 120)
  }
}
