import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// `hasChanges` is true as long as a save has something to do.
@Suite struct HasChangesTests {
  private struct Stop: Error {}

  private let bank: BankScene

  init() throws { bank = try BankScene() }

  @Test(arguments: 0..<5)
  func `additions and removals of links are changes until they are saved`(number: Int) throws {
    let (one, two) = (try bank.account("1"), try bank.account("2"))
    let owner = try bank.bank(watched: [one])
    #expect(!owner.hasChanges)
    let changes: [(Links<Deposit>) -> Void] = [
      { $0.add(two) }, { $0.add(objectID: two.objectID) }, { $0.remove(one) },
      { $0.remove(objectID: one.objectID) }, { $0.removeAll() },
    ]
    for (owner, cascade) in [(owner, true), (try bank.other(owner), false)] {
      changes[number](owner.watched)
      #expect(owner.hasChanges)
      #expect(throws: Stop.self) {
        try bank.store.write { _ in
          try owner.save(cascade: cascade)
          #expect(!owner.hasChanges)
          throw Stop()
        }
      }
      #expect(owner.hasChanges)
      try owner.save(cascade: cascade)
      #expect(!owner.hasChanges)
    }
  }

  @Test(arguments: 0..<4)
  func `changes of links after a save survive the rollback of the save`(number: Int) throws {
    let (one, two) = (try bank.account("1"), try bank.account("2"))
    let owner = try bank.bank(watched: [one])
    typealias Step = (Links<Deposit>) -> Void
    let cases: [(before: Step, after: Step, left: Set<String>)] = [
      ({ $0.add(two) }, { $0.remove(two) }, ["1"]),
      ({ $0.remove(one) }, { $0.add(one) }, ["1"]),
      ({ $0.add(two) }, { $0.removeAll() }, []),
      ({ $0.removeAll() }, { $0.add(two) }, ["2"]),
    ]
    let (before, after, left) = cases[number]
    before(owner.watched)
    #expect(throws: Stop.self) {
      try bank.store.write { _ in
        try owner.save()
        after(owner.watched)
        throw Stop()
      }
    }
    try owner.save()
    #expect(Set(try owner.watched.fetchAll().map(\.title)) == left)
    #expect(!owner.hasChanges)
  }

  @Test func `a mark for deletion is a change until it is taken off`() throws {
    let account = try bank.account("a")
    account.isMarkedForDeletion = true
    #expect(account.hasChanges)
    account.isMarkedForDeletion = false
    #expect(!account.hasChanges)
  }
}
