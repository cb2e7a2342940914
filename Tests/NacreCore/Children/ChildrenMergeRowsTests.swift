import Foundation
import Testing
@testable import TestSupport

@testable import NacreCore

/// Which rows a merged list writes, to-one children, and lists in two stores.
@Suite struct ChildrenMergeRowsTests {
  @Test(arguments: CartList.allCases)
  func `an append writes no row but those of the new child`(list: CartList) throws {
    let names = String(repeating: "a", count: 300)
    let scene = try CartScene(names, list)
    let cart = try scene.load()
    scene.add("x", to: cart)
    let writes = try scene.test.writes { try cart.save() }
    #expect(writes.count == (list.link == nil ? 2 : 1), "\(writes)")
    #expect(try scene.test.writes { try cart.save() } == [])
    #expect(try scene.stored() == names + "x")
  }

  @Test(arguments: CartList.allCases)
  func `a list that others changed alone is not written`(list: CartList) throws {
    let scene = try CartScene("abc", list)
    let (one, two) = (try scene.load(), try scene.load())
    scene.add("x", to: one)
    try one.save()
    // Set, and set back.
    two[keyPath: list.path].reverse()
    two[keyPath: list.path].reverse()
    #expect(try scene.test.writes { try two.save() } == [])
    #expect(try scene.stored() == "abcx")
  }

  @Test func `a class that notes nothing takes what is stored for what it loaded`() throws {
    let test = try TestStore()
    let car = Car.create()
    car.wheels = [Wheel.create(), Wheel.create()]
    car.use(test.store)
    try car.save()
    let loaded = try #require(try test.store.read { _ in try Car.fetch(id: car.objectID) })
    loaded.wheels.swapAt(0, 1)
    loaded.wheels.append(Wheel.create())
    try loaded.save()
    loaded.wheels.remove(at: 1)
    try loaded.save()
    let stored = try #require(try test.store.read { _ in try Car.fetch(id: car.objectID) })
    #expect(stored.wheels.map(\.objectID) == loaded.wheels.map(\.objectID))
  }

  @Test func `lists that share a change bit are merged each by its own difference`() throws {
    let test = try TestStore()
    let wide = Wide.create()
    (wide.first, wide.second) = ([Wheel.create()], [Wheel.create()])
    wide.use(test.store)
    try wide.save()
    let id = wide.objectID
    func load() throws -> Wide {
      try #require(try test.store.read { _ in try Wide.fetch(id: id) })
    }
    let (one, two, three) = (try load(), try load(), try load())
    one.first.append(Wheel.create())
    one.second.append(Wheel.create())
    try one.save()
    // It sets the second list alone, and leaves the first as it is stored.
    two.second.removeFirst()
    try two.save()
    #expect(try load().first.map(\.objectID) == one.first.map(\.objectID))
    #expect(try load().second.map(\.objectID) == one.second.dropFirst().map(\.objectID))
    three.second.append(Wheel.create())
    three.first.removeFirst()
    try three.save()
    #expect(try load().first.map(\.objectID) == one.first.dropFirst().map(\.objectID))
    #expect(try load().second.count == 2)
  }

  // MARK: To-one

  @Test func `a to-one child that others have put there is not deleted`() throws {
    let scene = try CartScene("", .joined)
    let first = try scene.load()
    first.best = Piece.named("a")
    try first.save()
    let (one, two) = (try scene.load(), try scene.load())
    one.best = Piece.named("b")
    try one.save()
    #expect(try scene.rows() == "b")
    two.best = Piece.named("c")
    try two.save()
    #expect(try scene.load().best?.name == "c")
    #expect(try scene.rows() == "bc")
    two.best = nil
    try two.save()
    #expect(try scene.rows() == "b")
  }

  @Test func `after a rollback the to-one child that was taken out is still the one to delete`()
    throws
  {
    struct Stop: Error {}
    let scene = try CartScene("", .joined)
    let cart = try scene.load()
    cart.best = Piece.named("a")
    try cart.save()
    #expect(throws: Stop.self) {
      try scene.test.store.write { _ in
        cart.best = Piece.named("b")
        try cart.save()
        cart.best = nil
        throw Stop()
      }
    }
    try cart.save()
    #expect(try scene.rows() == "")
  }

  // MARK: Two stores

  /// Stores a cart in another store, as what its row there becomes.
  private func move(_ cart: Cart, to other: TestStore) throws {
    let outer = Cart.create()
    outer.inner = cart
    try other.store.save([outer])
  }

  private func load(_ id: UUID, from test: TestStore) throws -> Cart {
    try #require(try test.store.read { _ in try Cart.fetch(id: id) })
  }

  @Test(arguments: CartList.allCases)
  func `a move to another store removes only the children that were taken out`(list: CartList)
    throws
  {
    let scene = try CartScene("abc", list)
    let other = try TestStore()
    try move(scene.load(), to: other)
    #expect(scene.names(try load(scene.id, from: other)) == "abc")
    let there = try load(scene.id, from: other)
    scene.add("x", to: there)
    try there.save()
    // From the first store again, with one that went, one that came, and two in another order.
    let again = try scene.load()
    scene.remove("b", from: again)
    again[keyPath: list.path].reverse()
    scene.add("y", to: again)
    try move(again, to: other)
    let stored = scene.names(try load(scene.id, from: other))
    #expect(stored.sorted() == Array("acxy"))
    #expect(stored.filter { $0 != "x" } == "cay")
    #expect(try scene.stored() == "abc")
    // It belongs to the other store now.
    scene.remove("c", from: again)
    try again.save()
    #expect(scene.names(try load(scene.id, from: other)).filter { $0 != "x" } == "ay")
  }

  @Test func `a to-one child of the other store is not deleted by a move`() throws {
    let scene = try CartScene("", .joined)
    let (other, cart) = (try TestStore(), try scene.load())
    cart.best = Piece.named("a")
    try cart.save()
    try move(scene.load(), to: other)
    let there = try load(scene.id, from: other)
    there.best = Piece.named("b")
    try there.save()
    try move(scene.load(), to: other)
    #expect(try load(scene.id, from: other).best?.name == "a")
    let names = try other.store.read { _ in try Piece.fetchAll() }.map(\.name)
    #expect(names.sorted() == ["a", "b"])
  }
}
