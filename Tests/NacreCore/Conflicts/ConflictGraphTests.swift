import Foundation
import NacreCore
import NacreUpkeep
import Testing
@testable import TestSupport

/// Conflicts in graphs, between stores, and with imports.
@Suite struct ConflictGraphTests {
  private let bank: BankScene
  private var store: Store { bank.store }

  init() throws { bank = try BankScene() }

  @Test
  func `a conflict of one child undoes the whole graph, and nothing around it`() throws {
    let owner = try bank.bank()
    try bank.change(owner.accounts[1])
    owner.name = "new"
    owner.main?.title = "new"
    owner.accounts[0].title = "new"
    owner.accounts[1].title = "new"
    owner.accounts.append(Deposit.create())
    let bystander = Deposit.create()
    let before = try bank.scene.tables()
    expectError(.conflict, entity: "Deposit", objectID: owner.accounts[1].objectID) {
      try owner.save()
    }
    #expect(try bank.scene.tables() == before)
    try store.write { _ in
      try bystander.save()
      expectError(.conflict, entity: "Deposit") { try owner.save() }
    }
    #expect(bystander.isStored && !owner.accounts[2].isStored)
    #expect(owner.hasChanges && owner.accounts[0].hasChanges && owner.main?.hasChanges == true)
    try owner.accounts[1].refresh()
    owner.accounts[1].title = "new"
    try owner.save()
    #expect(try bank.other(owner).accounts.count == 3)
    #expect(try store.read { _ in try Deposit.count(where: "title = 'new'") } == 3)
    #expect(try store.verify().isSound)
  }

  @Test func `lists, and links that a delete sets to nil, are no changes of a row`() throws {
    let partner = try bank.account("p")
    let owner = try bank.bank(partner: partner)
    let other = try bank.other(owner)
    other.accounts.append(Deposit.create())
    other.watched.add(owner.accounts[0])
    try other.save()
    try bank.other(partner).delete()
    owner.name = "new"
    try owner.save()
    #expect(try bank.other(owner).partner == nil)
  }

  @Test func `a cascade compares the children that it was given, and deletes the others`() throws {
    let owner = try bank.bank()
    let stale = try bank.other(owner)
    try bank.change(owner.accounts[0])
    let before = try bank.scene.tables()
    expectError(.conflict, entity: "Deposit", objectID: stale.accounts[0].objectID) {
      try stale.delete(cascade: true)
    }
    #expect(try bank.scene.tables() == before && stale.isStored && stale.accounts[1].isStored)
    // Nobody has loaded the children that are not in memory any more.
    stale.accounts = []
    stale.main = nil
    try stale.delete(cascade: true)
    #expect(try store.read { _ in [try Bank.count(), try Deposit.count()] } == [0, 0])
  }

  @Test func `a child that is marked for deletion is compared, too`() throws {
    let owner = try bank.bank()
    try bank.change(owner.accounts[0])
    owner.name = "new"
    owner.accounts[0].isMarkedForDeletion = true
    expectError(.conflict, entity: "Deposit") { try owner.save() }
    #expect(owner.hasChanges)
    #expect(try bank.other(owner).name == "bank")
    try owner.accounts[0].refresh()
    owner.accounts[0].isMarkedForDeletion = true
    try owner.save()
    #expect(try bank.other(owner).accounts.map(\.title) == ["2"])
  }

  @Test func `rows are deleted by conditions as they are`() throws {
    let account = try bank.account("a")
    try bank.change(account)
    try store.write { _ in _ = try Deposit.deleteAll(where: "title = 'a'") }
    #expect(try store.read { _ in try Deposit.count() } == 0)
  }

  @Test func `an object that moves takes the place of a row as it is there`() throws {
    let two = try BankScene()
    let owner = try bank.bank()
    let copy = try bank.other(owner)
    copy.use(two.store)
    try copy.save()
    let there = try two.other(owner)
    try two.change(there.accounts[0])
    // The children have rows there, which become what they are here.
    let again = try bank.other(owner)
    again.use(two.store)
    try two.store.write { _ in
      try Bank.truncate()
      try again.save()
    }
    #expect(try two.other(owner).accounts[0].balance == 0)
    again.accounts[0].balance = 5
    try again.save()
    there.accounts[0].balance = 6
    expectError(.conflict, entity: "Deposit") { try there.save() }
    owner.accounts[0].title = "still here"
    try owner.save()
  }

  @Test
  func `an export says nothing of versions, and an import changes rows`() throws {
    let account = try bank.account("a")
    let lines = try Lines(store, revealing: true)
    #expect(!lines.text.contains("objectID__version"))
    try lines.load(into: store, existing: .replace)
    account.title = "b"
    expectError(.conflict, entity: "Deposit") { try account.save() }
    try account.refresh()
    account.title = "b"
    try account.save()

    let two = try BankScene()
    try lines.load(into: two.store)
    let copy = try two.other(account)
    copy.title = "c"
    try copy.save()
    let stale = try two.other(account)
    try two.other(account).delete()
    try lines.load(into: two.store)
    stale.title = "d"
    expectError(.conflict, entity: "Deposit") { try stale.save() }
    let three = try BankScene()
    let named = lines.replacing("\"name\":\"balance\"", "\"name\":\"objectID__version\"")
    expectError(.badImport) { try named.load(into: three.store) }
  }
}
