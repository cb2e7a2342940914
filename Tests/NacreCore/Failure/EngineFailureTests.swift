import Foundation
import NacreCore
import NacreEngine
import NacreStore
import Testing
@testable import TestSupport

/// Work on entities, of which every call of the engine fails once.
///
/// SQLite shows few of these failures; a server can fail at any call.
@Suite(.sqliteOnly("its faults are put into SQLite's connections")) struct EngineFailureTests {
  /// How a call fails, and what the failure does to the transaction.
  struct Way: CustomTestStringConvertible {
    let kind: EngineErrorKind
    let aborts: Bool

    static let all = [
      Way(kind: .inputOutput, aborts: false), Way(kind: .other, aborts: true),
      Way(kind: .busy, aborts: false), Way(kind: .constraint, aborts: true),
    ]

    var testDescription: String { "\(kind)\(aborts ? ", and the transaction is aborted" : "")" }
  }

  // MARK: Scenes

  private static func describe(_ piece: Piece) -> String {
    "\(piece.name) \(piece.isStored) \(piece.hasChanges) \(piece.cart?.objectID as Any) "
      + "\(piece.owner?.objectID as Any)"
  }

  private static func describe(_ cart: Cart) -> [String] {
    let lists = [cart.joined, cart.joinedOnly, cart.linked, cart.linkedOnly]
    let inner = cart.inner.map(describe) ?? []
    return ["\(cart.label) \(cart.isStored) \(cart.hasChanges) \(cart.isMarkedForDeletion)"]
      + lists.map { $0.map(describe).joined(separator: "; ") }
      + [cart.best.map(describe) ?? "no best"] + inner.map { "inner: " + $0 }
  }

  /// Two carts, one in the other, with pieces in every list.
  private static func makeCart() -> Cart {
    let (cart, inner) = (Cart.create(), Cart.create())
    for (cart, prefix) in [(cart, "o"), (inner, "i")] {
      cart.label = prefix
      cart.joined = [.named(prefix + "a"), .named(prefix + "b")]
      cart.joinedOnly = [.named(prefix + "c"), .named(prefix + "d")]
      cart.linked = [.named(prefix + "e"), .named(prefix + "f")]
      cart.linkedOnly = [.named(prefix + "g"), .named(prefix + "h")]
      cart.best = .named(prefix + "best")
    }
    cart.inner = inner
    return cart
  }

  private static func stored(in store: Store) throws -> Cart {
    let cart = makeCart()
    cart.use(store)
    try cart.save()
    return try #require(try store.read { _ in try Cart.fetch(id: cart.objectID) })
  }

  private static func change(_ cart: Cart) {
    cart.label = "changed"
    cart.joined = [.named("new"), cart.joined[1]]
    cart.joinedOnly.removeFirst()
    cart.linked = [cart.linked[1]]
    cart.linkedOnly = [.named("linked"), cart.linkedOnly[1]]
    cart.best = .named("better")
    cart.inner?.label = "inner, changed"
  }

  // MARK: Saving

  @Test(arguments: Way.all)
  func `a save of new objects that fails anywhere changes nothing`(way: Way) throws {
    let sweep = FaultSweep(
      seed: { store in
        _ = try Self.stored(in: store)
        let cart = Self.makeCart()
        cart.use(store)
        return cart
      },
      work: { _, cart in try cart.save() },
      memory: Self.describe
    )
    let calls = try sweep.run(way.kind, abortsTransactions: way.aborts)
    #expect(calls.contains(.commit) && calls.count > 20)
  }

  @Test(arguments: Way.all)
  func `a save of changes that fails anywhere changes nothing`(way: Way) throws {
    let sweep = FaultSweep(
      seed: { store in
        let cart = try Self.stored(in: store)
        Self.change(cart)
        return cart
      },
      work: { _, cart in try cart.save() },
      memory: Self.describe
    )
    let calls = try sweep.run(way.kind, abortsTransactions: way.aborts)
    #expect(calls.contains(.commit) && calls.count > 20)
  }

  @Test func `a first save that fails anywhere makes no table`() throws {
    let sweep = FaultSweep(
      seed: { store in
        let cart = Self.makeCart()
        cart.use(store)
        return cart
      },
      work: { _, cart in try cart.save() },
      memory: Self.describe
    )
    try sweep.run(.inputOutput, abortsTransactions: true, isCold: true)
  }

  @Test(arguments: Way.all)
  func `a write of several saves and a savepoint that fails anywhere changes nothing`(
    way: Way
  ) throws {
    let sweep = FaultSweep(
      seed: { store in
        let cart = try Self.stored(in: store)
        Self.change(cart)
        return cart
      },
      work: { store, cart in
        try store.write { _ in
          try cart.inner?.save(cascade: false)
          try store.write { _ in try cart.save() }
        }
      },
      memory: Self.describe
    )
    let calls = try sweep.run(way.kind, abortsTransactions: way.aborts)
    #expect(calls.contains(.savepoint) && calls.contains(.release))
  }

  // MARK: Deleting

  @Test(arguments: Way.all)
  func `a delete that fails anywhere changes nothing`(way: Way) throws {
    let sweep = FaultSweep(
      seed: { store in try Self.stored(in: store) },
      work: { _, cart in try cart.delete(cascade: true) },
      memory: Self.describe
    )
    let calls = try sweep.run(way.kind, abortsTransactions: way.aborts)
    #expect(calls.contains(.commit) && calls.count > 20)
  }

  // MARK: Fetching and refreshing

  @Test(arguments: Way.all)
  func `a fetch that fails anywhere finds nothing by half`(way: Way) throws {
    let sweep = FaultSweep(
      seed: { store in try Self.stored(in: store).objectID },
      work: { store, id in
        let found = try store.read { _ in try Cart.fetchAll(where: "objectID = ?", id) }
        #expect(found.first?.inner?.linkedOnly.count == 2)
      },
      memory: { _ in [] }
    )
    try sweep.run(way.kind, abortsTransactions: way.aborts)
    try sweep.run(way.kind, abortsTransactions: way.aborts, isCold: true)
  }

  @Test(arguments: Way.all)
  func `a refresh that fails anywhere leaves the objects as they were`(way: Way) throws {
    let sweep = FaultSweep(
      seed: { store in
        let cart = try Self.stored(in: store)
        let other = try #require(try store.read { _ in try Cart.fetch(id: cart.objectID) })
        Self.change(other)
        try other.save()
        return cart
      },
      work: { _, cart in try cart.refresh() },
      memory: Self.describe
    )
    try sweep.run(way.kind, abortsTransactions: way.aborts)
  }

  // MARK: Queries and upkeep

  @Test(arguments: Way.all)
  func `a query that changes and deletes changes nothing if it fails anywhere`(way: Way) throws {
    let sweep = FaultSweep(
      seed: { store in _ = try Self.stored(in: store) },
      work: { store, _ in
        try store.write { _ in
          try Piece.where("name LIKE ?", "o%").updateAll(.set(\.name, to: "all"))
          try Piece.where("name = ?", "ia").deleteAll()
        }
      },
      memory: { _ in [] }
    )
    try sweep.run(way.kind, abortsTransactions: way.aborts)
  }

  // MARK: Waiting

  @Test func `others read the state before while a commit takes long`() throws {
    let scene = try FaultyScene()
    nonisolated(unsafe) let cart = try Self.stored(in: scene.store)
    cart.label = "changed"
    let gate = Gate()
    scene.faults.arm(.delay(gate), after: 0) { $0 == .commit }
    nonisolated(unsafe) var failure: (any Error)?
    let saving = TestThread { do { try cart.save() } catch { failure = error } }
    #expect(gate.waitUntilReached())
    let before = try scene.store.read { _ in try Cart.fetchAll().map(\.label).sorted() }
    gate.open()
    saving.wait()
    #expect(failure == nil && before == ["i", "o"])
    let after = try scene.store.read { _ in try Cart.fetchAll().map(\.label).sorted() }
    #expect(after == ["changed", "i"])
  }

  @Test func `a store whose commit takes longer than the timeout stays open`() throws {
    let scene = try FaultyScene { $0.busyTimeout = 0.05 }
    nonisolated(unsafe) let cart = try Self.stored(in: scene.store)
    cart.label = "changed"
    let gate = Gate()
    scene.faults.arm(.delay(gate), after: 0) { $0 == .commit }
    nonisolated(unsafe) var failure: (any Error)?
    let saving = TestThread { do { try cart.save() } catch { failure = error } }
    #expect(gate.waitUntilReached())
    expectError(.stillUsed) { try scene.store.close() }
    gate.open()
    saving.wait()
    #expect(failure == nil)
    let after = try scene.store.read { _ in try Cart.fetchAll().map(\.label).sorted() }
    #expect(after == ["changed", "i"])
    try scene.store.close()
  }
}
