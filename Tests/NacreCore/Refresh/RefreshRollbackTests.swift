import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// A refresh inside of a transaction that is rolled back: what it brought may be nowhere any more.
@Suite struct RefreshRollbackTests {
  private struct Stop: Error {}

  private let bank: BankScene
  private var store: Store { bank.store }

  init() throws { bank = try BankScene() }

  private func rollingBack(_ body: () throws -> Void) {
    #expect(throws: Stop.self) {
      try store.write { _ in
        try body()
        throw Stop()
      }
    }
  }

  @Test func `values of a transaction that is rolled back are taken back`() throws {
    let account = try bank.account("a") { $0.balance = 1 }
    account.title = "unsaved"
    rollingBack {
      _ = try Deposit.all.updateAll(.set(\.balance, to: 5), .set(\.title, to: "all"))
      try account.refresh()
      #expect(account.balance == 5 && account.title == "all" && !account.hasChanges)
    }
    #expect(account.balance == 1 && account.title == "unsaved" && account.hasChanges)
    try account.save()
    let stored = try bank.other(account)
    #expect(stored.balance == 1 && stored.title == "unsaved")
  }

  @Test func `values that are set after a refresh survive the rollback`() throws {
    let account = try bank.account("a")
    rollingBack {
      _ = try Deposit.all.updateAll(.increment(\.balance, by: 5))
      try account.refresh()
      account.balance += 1
      try account.save()
      account.note = Marker.text
    }
    #expect(account.balance == 6 && account.note == Marker.text && account.title == "a")
    try account.save()
    let stored = try bank.other(account)
    #expect(stored.balance == 6 && stored.note == Marker.text)
  }

  @Test func `a rollback by hand or of a savepoint takes refreshed values back`() throws {
    let account = try bank.account("a")
    try store.begin()
    _ = try Deposit.all.updateAll(.increment(\.balance, by: 1))
    try account.refresh()
    rollingBack {
      _ = try Deposit.all.updateAll(.increment(\.balance, by: 1))
      try account.refresh()
      #expect(account.balance == 2)
    }
    #expect(account.balance == 1 && !account.hasChanges)
    try store.rollback()
    #expect(account.balance == 0 && !account.hasChanges)
    account.balance = 9
    try account.save()
    #expect(try bank.other(account).balance == 9)
  }

  @Test func `a rollback brings back children, links and the mark for deletion`() throws {
    let watched = try bank.account("w")
    let owner = try bank.bank(watched: [watched])
    let accounts = owner.accounts
    owner.watched.remove(watched)
    owner.accounts.append(Deposit.create())
    owner.isMarkedForDeletion = true
    rollingBack {
      let other = try bank.other(owner)
      other.accounts = []
      other.main = nil
      other.accounts = other.accounts
      try other.save()
      try owner.refresh(cascade: true)
      #expect(owner.accounts.isEmpty && owner.main == nil && !owner.hasChanges)
    }
    #expect(owner.accounts.count == 3 && owner.accounts[0] === accounts[0] && owner.main != nil)
    #expect(owner.isMarkedForDeletion && owner.hasChanges)
    owner.isMarkedForDeletion = false
    try owner.save()
    let stored = try bank.other(owner)
    #expect(try stored.accounts.count == 3 && stored.main != nil && stored.watched.count() == 0)
  }

  @Test func `a refresh that is committed is kept`() throws {
    let account = try bank.account("a")
    try store.write { _ in
      _ = try Deposit.all.updateAll(.increment(\.balance, by: 1))
      try account.refresh()
    }
    #expect(account.balance == 1 && !account.hasChanges)
    try store.read { _ in try account.refresh() }
    account.balance += 1
    try account.save()
    #expect(try bank.other(account).balance == 2)
  }
}
