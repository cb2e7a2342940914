import Foundation
@testable import NacreCore
import Observation
import Synchronization
import Testing
@testable import TestSupport

/// An object's own row, read anew.
@Suite struct RefreshTests {
  private let bank: BankScene
  private var store: Store { bank.store }

  init() throws { bank = try BankScene() }

  @Test func `a refresh brings what is stored and discards what is not`() throws {
    let account = try bank.account("a")
    try bank.change(account) {
      $0.balance = 5
      $0.note = Marker.text
    }
    account.title = "unsaved"
    account.isMarkedForDeletion = true
    try account.refresh()
    #expect(account.title == "a" && account.balance == 5 && account.note == Marker.text)
    #expect(!account.hasChanges && !account.isMarkedForDeletion && account.isStored)
    account.balance += 1
    try account.save()
    #expect(try bank.other(account).balance == 6)
    try bank.change(account) { $0.note = nil }
    try account.refresh()
    #expect(account.note == nil)
  }

  @Test func `an object that is not stored can't be refreshed`() throws {
    let new = Deposit.create()
    expectError(.notFound, entity: "Deposit", objectID: new.objectID) { try new.refresh() }
    expectError(.notFound, entity: "Deposit") { try Deposit().refresh(cascade: true) }
    let account = try bank.account("a")
    try bank.other(account).delete()
    account.title = "b"
    expectError(.objectDeleted, entity: "Deposit", objectID: account.objectID) {
      try account.refresh()
    }
    #expect(account.title == "b" && account.hasChanges)
  }

  @Test func `a refresh notifies the observer of a property`() throws {
    let account = try bank.account("a")
    try bank.change(account) { $0.title = "b" }
    let notice = Notice()
    withObservationTracking {
      _ = account.title
    } onChange: {
      notice.give()
    }
    try account.refresh()
    #expect(notice.isGiven && account.title == "b")
  }

  @Test func `children that are still there stay the same instances`() throws {
    let owner = try bank.bank()
    let (first, second) = (owner.accounts[0], owner.accounts[1])
    let main = try #require(owner.main)
    let other = try bank.other(owner)
    other.name = "new"
    other.accounts[1].balance = 2
    other.accounts = [other.accounts[1], Deposit.create()]
    other.main?.balance = 3
    try other.save()
    owner.accounts = []
    owner.accounts = [first, second, Deposit.create()]
    second.title = "unsaved"
    try owner.refresh()
    #expect(owner.name == "new" && !owner.hasChanges)
    #expect(owner.accounts.count == 2 && owner.accounts[0] === second && owner.main === main)
    #expect(owner.accounts[1].isStored && owner.accounts[1] !== first)
    // They are as they were, with what is not saved.
    #expect(second.title == "unsaved" && second.balance == 0 && main.balance == 0)
    try owner.refresh(cascade: true)
    #expect(owner.accounts[0] === second && owner.main === main)
    #expect(second.title == "2" && second.balance == 2 && main.balance == 3)
    #expect(!second.hasChanges)
    owner.main?.balance += 1
    second.balance += 1
    try owner.save()
    #expect(try bank.other(owner).accounts[0].balance == 3)
  }

  @Test func `a refresh takes over a child that was replaced, and drops one that is gone`() throws {
    let owner = try bank.bank()
    let other = try bank.other(owner)
    other.main = other.accounts[0]
    try other.save()
    for cascade in [false, true] {
      owner.main = Deposit.create()
      try owner.refresh(cascade: cascade)
      #expect(owner.main === owner.accounts[0])
    }
    other.main = nil
    try other.save()
    try owner.refresh()
    #expect(owner.main == nil && owner.accounts.count == 2)
  }

  @Test func `a refresh drops unsaved changes of links and keeps their loaded objects`() throws {
    let (partner, watched) = (try bank.account("p"), try bank.account("w"))
    let owner = try bank.bank(partner: partner, watched: [watched])
    let links = owner.watched
    owner.watched.add(Deposit.create())
    owner.watched.remove(watched)
    try owner.refresh()
    #expect(!owner.hasChanges && owner.watched === links && owner.partner?.loaded === partner)
    owner.watched.removeAll()
    owner.watched = Links()
    owner.watched.add(Deposit.create())
    owner.partner = Link(Deposit.create())
    try owner.refresh(cascade: true)
    #expect(!owner.hasChanges && owner.partner?.objectID == partner.objectID)
    #expect(try owner.watched.fetchAll().map(\.title) == ["w"])
    owner.name = "new"
    try owner.save()
    #expect(try store.read { _ in try Deposit.count() } == 5)
    #expect(try bank.other(owner).watched.count() == 1)
  }

  @Test(arguments: [false, true])
  func `chains and cycles are refreshed without end`(cascade: Bool) throws {
    let nodes = (0..<3000).map { label in
      let node = Node.create()
      node.label = label
      return node
    }
    for (node, next) in zip(nodes, nodes.dropFirst()) { node.next = next }
    nodes[2999].next = nodes[0]
    try bank.save(nodes[0])
    try store.write { _ in _ = try Node.all.updateAll(.increment(\.label, by: 1)) }
    try nodes[0].refresh(cascade: cascade)
    #expect(nodes[0].label == 1)
    #expect(nodes[1].label == (cascade ? 2 : 1) && nodes[2999].label == (cascade ? 3000 : 2999))
    #expect(nodes[0].next === nodes[1] && nodes[2999].next === nodes[0])
    #expect(nodes.allSatisfy { !$0.hasChanges })
    nodes[2999].next = nil
  }

  @Test func `an observer of one property may set another`() throws {
    let bill = Bill.create()
    bill.net = 100
    try bank.save(bill)
    try store.write { _ in
      _ = try Bill.all.updateAll(.set(\.gross, to: 7), .set(\.count, to: 8), .set(\.net, to: 9))
    }
    try bill.refresh()
    // `gross` comes later and is as it is stored; `count` was set after it was, and is unsaved.
    #expect(bill.net == 9 && bill.gross == 7 && bill.count == 1 && bill.hasChanges)
    try bill.save()
    #expect(try bank.other(bill).count == 1)
  }

  @Test func `the async twin refreshes and refuses the same`() async throws {
    let account = try bank.account("a")
    try bank.change(account)
    try await account.refresh()
    #expect(account.balance == 1)
    try await bank.other(account).delete()
    for (object, code) in [(account, NacreError.Code.objectDeleted), (Deposit.create(), .notFound)]
    {
      do {
        try await object.refresh(cascade: true)
        Issue.record("nothing was thrown instead of \(code)")
      } catch let error as NacreError {
        #expect(error.code == code)
      }
    }
  }
}

/// Whether a tracking was told of a change.
private final class Notice: Sendable {
  private let isTold = Atomic(false)
  var isGiven: Bool { isTold.load(ordering: .relaxed) }

  func give() { isTold.store(true, ordering: .relaxed) }
}

/// A class whose observer of one property sets the others.
private final class Bill: Entity {
  var count = 0 { didSet { entityState.markChanged(0) } }
  var net = 0 {
    didSet {
      entityState.markChanged(1)
      gross = net * 2
      count = 1
    }
  }
  var gross = 0 { didSet { entityState.markChanged(2) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    count = try row.read(at: 0)
    net = try row.read(at: 1)
    gross = try row.read(at: 2)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(count, at: 0)
    try row.bind(net, at: 1)
    try row.bind(gross, at: 2)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Bill.self, name: "RefreshedBill")
    schema.add("count", \Bill.count)
    schema.add("net", \Bill.net)
    schema.add("gross", \Bill.gross)
    return schema.build()
  }()
}
