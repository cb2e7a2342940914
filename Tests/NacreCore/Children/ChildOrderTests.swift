import Foundation
import NacreSQLite
@testable import NacreUpkeep
import Testing
@testable import TestSupport

@testable import NacreCore

/// The order of children that are found by their own link.
@Suite struct ChildOrderTests {
  private func positions(_ scene: CartScene) throws -> [String: Value] {
    let rows = try scene.test.store.read {
      try $0.query("SELECT name, cart__position FROM \"Piece\"")
    }
    var positions: [String: Value] = [:]
    for row in rows { if case .text(let name) = row[0] { positions[name] = row[1] } }
    return positions
  }

  private func columns(_ store: Store) throws -> [String] {
    let tables = try store.schema()
    return tables.first { $0.name == "Piece" }?.columns.map(\.name) ?? []
  }

  @Test func `an array is fetched in the order in which it was saved`() throws {
    let scene = try CartScene("", .linked)
    let pieces = "1234".map { Piece.named(String($0)) }
    let cart = try scene.load()
    cart.linked = pieces.reversed()
    try cart.save()
    #expect(try scene.stored() == "4321")
    let other = Cart.create()
    other.linked = "abc".map { Piece.named(String($0)) }.reversed()
    other.use(scene.test.store)
    try other.save()
    #expect(try scene.stored(other.objectID) == "cba")
    let all = try scene.test.store.read { _ in try Cart.fetchAll() }
    #expect(Set(all.map(scene.names)) == ["4321", "cba"])
  }

  @Test func `children that detect conflicts keep their order, too`() throws {
    let scene = try Scene()
    let store = try scene.open()
    let rack = Rack.create()
    rack.slots = "gacebdf".map { name in
      let slot = Slot.create()
      slot.name = String(name)
      return slot
    }
    try store.write { _ in try rack.save(cascade: true) }
    func stored() throws -> String {
      try store.read { _ in
        try Rack.fetchAll().flatMap { $0.slots.map(\.name) }.joined()
      }
    }
    #expect(try stored() == "gacebdf")
    let slot = try #require(try store.read { _ in try Slot.fetchAll().first { $0.name == "c" } })
    slot.name = "C"
    try slot.save()
    #expect(try stored() == "gaCebdf")
  }

  @Test(arguments: [true, false])
  func `a swap is stored, and only the child that moved is written`(cascade: Bool) throws {
    let scene = try CartScene("", .linked)
    let cart = try scene.load()
    cart.linked = "dcba".map { Piece.named(String($0)) }.reversed()
    try cart.save()
    let loaded = try scene.load()
    #expect(scene.names(loaded) == "abcd")
    loaded.linked.swapAt(1, 2)
    let writes = try scene.test.writes { try loaded.save(cascade: cascade) }
    #expect(writes.count == 1, "\(writes)")
    #expect(try scene.stored() == "acbd")
    #expect(try scene.test.writes { try loaded.save() } == [])
    loaded.linked.insert(Piece.named("x"), at: 1)
    #expect(try scene.test.writes { try loaded.save() }.count == 2)
    #expect(try scene.stored() == "axcbd")
    for _ in 0..<40 {
      loaded.linked.insert(Piece.named("y"), at: 1)
      try loaded.save()
    }
    #expect(try scene.stored() == "a" + String(repeating: "y", count: 40) + "xcbd")
  }

  @Test func `children in the order of their making have no positions`() throws {
    let scene = try CartScene("abc", .linked)
    #expect(try positions(scene).values.allSatisfy { $0 == .null })
    let cart = try scene.load()
    scene.add("d", to: cart)
    try cart.save()
    #expect(try positions(scene).values.allSatisfy { $0 == .null })
    #expect(try scene.stored() == "abcd")
  }

  @Test func `without positions, and where they are equal, objectIDs order`() throws {
    let scene = try CartScene("abcd", .linked)
    try scene.test.store.write {
      try $0.execute("UPDATE \"Piece\" SET cart__position = 7 WHERE name IN ('d', 'b')")
    }
    #expect(try scene.stored() == "bdac")
    let cart = try scene.load()
    cart.linked.swapAt(0, 1)
    try cart.save()
    #expect(try scene.stored() == "dbac")
  }

  @Test(
    arguments: CartScene.wrongPositions
  )
  func `a wrong position harms nothing but the order`(wrong: String) throws {
    let scene = try CartScene("abc", .linked)
    try scene.test.store.write { try $0.execute("UPDATE \"Piece\" SET cart__position = \(wrong)") }
    #expect(try scene.stored() == "abc")
    let cart = try scene.load()
    cart.linked.insert(cart.linked.removeLast(), at: 0)
    scene.add("d", to: cart)
    try cart.save()
    #expect(try scene.stored() == "cabd")
    #expect(try scene.test.store.verify().isSound)
  }

  @Test func `a position from another owner means nothing`() throws {
    let scene = try CartScene("", .linked)
    let (one, two) = (try scene.load(), Cart.create())
    one.linked = "cba".map { Piece.named(String($0)) }.reversed()
    try one.save()
    two.use(scene.test.store)
    two.linked = "xyz".map { Piece.named(String($0)) }
    try two.save()
    // By its own link, with the position that it has.
    let piece = one.linked[0]
    piece.cart = Link(objectID: two.objectID)
    try piece.save()
    #expect(try scene.stored() == "bc")
    #expect(try scene.stored(two.objectID).sorted() == Array("axyz"))
    // By the new owner's list.
    let other = try scene.load(two.objectID)
    other.linked.removeAll { $0.name == "a" }
    other.linked.append(try scene.load().linked[0])
    try other.save(cascade: false)
    #expect(try scene.stored(two.objectID) == "xyzb")
    #expect(try scene.stored() == "c")
  }

  @Test(arguments: [true, false])
  func `a table without the column gets it when it is next used`(adds: Bool) throws {
    let scene = try CartScene("abc", .linked)
    try scene.test.store.write {
      try $0.execute("ALTER TABLE \"Piece\" DROP COLUMN cart__position")
      try $0.execute("ALTER TABLE \"Piece\" DROP COLUMN owner__position")
    }
    let reopened = try TestStore(in: scene.test.directory) { $0.addsMissingColumns = adds }
    let cart = try #require(try reopened.store.read { _ in try Cart.fetch(id: scene.id) })
    #expect(scene.names(cart) == "abc")
    #expect(try columns(reopened.store).suffix(2) == ["cart__position", "owner__position"])
    cart.linked.reverse()
    try cart.save()
    #expect(try scene.stored() == "cba")
  }

  @Test
  func `an export brings the order along`() throws {
    let scene = try CartScene("abc", .linked)
    let cart = try scene.load()
    cart.linked.reverse()
    try cart.save()
    let lines = try Lines(scene.test.store, revealing: true)
    let (new, old) = (try TestStore(), try TestStore())
    // A store in which no version that keeps an order has used the class.
    try old.store.read { _ in _ = try Cart.count() }
    try old.store.write { try $0.execute("ALTER TABLE \"Piece\" DROP COLUMN cart__position") }
    for test in [new, old] {
      try lines.load(into: test.store)
      let copy = try #require(try test.store.read { _ in try Cart.fetch(id: scene.id) })
      #expect(scene.names(copy) == "cba")
      #expect(try test.store.verify().isSound)
    }
  }

  @Test func `the column of positions is renamed and dropped with its link`() throws {
    let scene = try CartScene("abc", .linked)
    let store = scene.test.store
    try store.write { try $0.renameColumn("cart", of: "Piece", to: "basket") }
    #expect(
      try columns(store).filter { $0.hasSuffix("__position") } == [
        "basket__position", "owner__position",
      ]
    )
    try store.write { try $0.dropProperty("basket", of: "Piece") }
    #expect(try columns(store).filter { $0.hasSuffix("__position") } == ["owner__position"])
  }

  @Test func `a failed save leaves the order as it was`() throws {
    let scene = try CartScene("abc", .linked)
    let cart = try scene.load()
    cart.linked.reverse()
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try scene.test.store.write { _ in
        try cart.save()
        throw Stop()
      }
    }
    #expect(try scene.stored() == "abc")
    try cart.save()
    #expect(try scene.stored() == "cba")
  }
}
