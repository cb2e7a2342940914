import Foundation
@testable import NacreCore
import NacreSQLite
@testable import NacreUpkeep
import Testing
@testable import TestSupport

/// The column of the versions: made for tables that are there, and no harm where somebody else writes to it.
@Suite struct VersionColumnTests {
  private let bank: BankScene
  private var store: Store { bank.store }

  init() throws { bank = try BankScene() }

  private func versions() throws -> [[Value]] {
    try bank.scene.edit("SELECT \"objectID__version\" FROM \"Deposit\" ORDER BY \"objectID\"")
  }

  @Test
  func `a table that is there gets the column, and its rows begin at 0`() throws {
    let former = Deposit.Former.create()
    former.title = "old"
    former.note = Marker.text
    try bank.save(former)
    let plan = try store.completePlan(for: [Deposit.self])
    #expect("\(plan)".contains("objectID__version"))
    let account = try #require(try store.read { _ in try Deposit.fetch(id: former.objectID) })
    #expect(try versions() == [[.integer(0)]])
    let other = try bank.other(account)
    account.title = "new"
    try account.save()
    #expect(try versions() != [[.integer(0)]])
    other.balance = 1
    expectError(.conflict, entity: "Deposit") { try other.save() }
    // The former class goes on, and is not seen.
    former.balance = 9
    try former.save()
    try bank.save(Deposit.Former.create())
    account.balance = 10
    try account.save()
    let stored = try bank.other(account)
    #expect(stored.balance == 10 && stored.note == Marker.text)
    #expect(try store.read { _ in try Deposit.fetchAll() }.count == 2)
    #expect(try store.verify().isSound)
  }

  @Test
  func `a store that adds no properties' columns adds its own`() throws {
    try bank.save(Deposit.Former.create())
    try store.close()
    let strict = try bank.scene.open { $0.addsMissingColumns = false }
    #expect(try strict.read { _ in try Deposit.count() } == 1)
    #expect(try bank.scene.columns(of: "Deposit").contains("objectID__version"))
    #expect(try strict.verify().isSound)
  }

  @Test func `no property has the column's name, in any case`() throws {
    expectError(.badDeclaration, entity: "Misnamed", property: "count") {
      try bank.save(Deposit.Misnamed.create())
    }
  }

  @Test func `a column of another type is refused`() throws {
    try bank.save(Deposit.Former.create())
    try store.write { try $0.addColumn("objectID__version", to: "Deposit", type: .text) }
    expectError(.schemaMismatch, entity: "Deposit") {
      try store.read { _ in _ = try Deposit.count() }
    }
  }

  @Test
  func `a rotation leaves the versions alone`() throws {
    let account = try bank.account("a") { $0.note = Marker.text }
    let before = try versions()
    #expect(try store.rotate().outcome == .finished)
    #expect(try versions() == before)
    account.title = "b"
    try account.save()
  }

  @Test func `a row's version at the end of its range begins anew`() throws {
    let account = try bank.account("a")
    for version in [Int64.max, .min, -1] {
      try bank.scene.edit("UPDATE \"Deposit\" SET \"objectID__version\" = ?1", .integer(version))
      try account.refresh()
      account.balance += 1
      try account.save()
      account.balance += 1
      try account.save()
      try bank.scene.edit("UPDATE \"Deposit\" SET \"objectID__version\" = ?1", .integer(version))
      try store.write { _ in _ = try Deposit.all.updateAll(.increment(\.balance, by: 1)) }
      try account.refresh()
      account.title += "b"
      try account.save()
    }
    #expect(account.balance == 9)
    guard case .integer(let version)? = try versions().first?.first else {
      Issue.record("the version is no integer")
      return
    }
    #expect(version > 0)
  }

  @Test(
    .sqliteOnly("a column of a server holds values of its own type alone"),
    arguments: [Value.text("x"), .blob(Data([1])), .real(0.5)]
  )
  func `a row's version that is no integer is an error that names the row`(_ planted: Value) throws
  {
    let account = try bank.account("a")
    try bank.scene.edit("UPDATE \"Deposit\" SET \"objectID__version\" = ?1", planted)
    account.title = "b"
    let calls: [() throws -> Void] = [
      { _ = try bank.other(account) }, { try account.save() }, { try account.delete() },
    ]
    for call in calls {
      expectError(.valueMismatch, entity: "Deposit", objectID: account.objectID, call)
    }
  }
}
