import Foundation
import Testing
import TestSupport

@testable import NacreCore

/// Changes that several instances of one parent make to its children.
@Suite struct ChildrenMergeTests {
  @Test(arguments: CartList.allCases)
  func `a list keeps the children that two instances append`(list: CartList) throws {
    let scene = try CartScene("ab", list)
    let (one, two) = (try scene.load(), try scene.load())
    scene.add("x", to: one)
    scene.add("y", to: two)
    try one.save()
    try two.save()
    #expect(try scene.stored() == "abxy")
    #expect(try scene.rows() == "abxy")
  }

  @Test(arguments: CartList.allCases)
  func `a new cart keeps the children that two instances put into it`(list: CartList) throws {
    let scene = try CartScene("", list)
    let (one, two) = (try scene.load(), try scene.load())
    scene.add("x", to: one)
    scene.add("y", to: two)
    try one.save()
    try two.save()
    #expect(try scene.stored() == "xy")
  }

  @Test(arguments: CartList.allCases)
  func `eight tasks append one child each, and all eight stay`(list: CartList) async throws {
    let scene = try CartScene("", list)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          let cart = try scene.load()
          scene.add("\(number)", to: cart)
          try await cart.save()
        }
      }
      try await group.waitForAll()
    }
    #expect(try scene.stored().sorted() == Array("01234567"))
    #expect(try scene.rows() == "01234567")
  }

  @Test(arguments: [CartList.linked, .linkedOnly], [true, false])
  func `a child that was stored by its own link stays`(list: CartList, cascade: Bool) throws {
    let scene = try CartScene("ab", list)
    let stale = try scene.load()
    let piece = Piece.named("x")
    piece[keyPath: try #require(list.link)] = Link(objectID: scene.id)
    piece.use(scene.test.store)
    try piece.save()
    stale[keyPath: list.path].removeFirst()
    stale.label = "changed"
    try stale.save(cascade: cascade)
    #expect(try scene.stored() == "bx")
    #expect(try scene.rows() == (list.deletes ? "bx" : "abx"))
  }

  @Test(arguments: CartList.allCases, [true, false])
  func `a removed child leaves the list, and its delete rule decides about its row`(
    list: CartList,
    cascade: Bool
  ) throws {
    let scene = try CartScene("abc", list)
    let (one, two) = (try scene.load(), try scene.load())
    scene.remove("b", from: one)
    scene.add("x", to: two)
    try one.save(cascade: cascade)
    try two.save()
    #expect(try scene.stored() == "acx")
    #expect(try scene.rows() == (list.deletes ? "acx" : "abcx"))
  }

  @Test(arguments: CartList.allCases)
  func `a child that another instance removed stays removed`(list: CartList) throws {
    let scene = try CartScene("abc", list)
    let (one, two) = (try scene.load(), try scene.load())
    scene.remove("b", from: one)
    try one.save()
    scene.add("x", to: two)
    two[keyPath: list.path].swapAt(0, 1)
    try two.save()
    #expect(try scene.stored() == "acx")
  }

  @Test(arguments: CartList.allCases, [true, false])
  func `moves go where they were moved to`(list: CartList, cascade: Bool) throws {
    let scene = try CartScene("abcd", list)
    let (one, two) = (try scene.load(), try scene.load())
    scene.add("x", to: one)
    try one.save()
    two[keyPath: list.path].insert(two[keyPath: list.path].removeLast(), at: 0)
    try two.save(cascade: cascade)
    #expect(try scene.stored() == "dabcx")
    one[keyPath: list.path].swapAt(1, 2)
    try one.save(cascade: cascade)
    #expect(try scene.stored().filter("abc".contains) == "acb")
  }

  @Test(arguments: CartList.allCases)
  func `after a save the base is the object's own array`(list: CartList) throws {
    let scene = try CartScene("a", list)
    let (one, two) = (try scene.load(), try scene.load())
    scene.add("x", to: one)
    try one.save()
    scene.add("y", to: two)
    try two.save()
    // It never loaded x.
    scene.remove("a", from: two)
    try two.save()
    #expect(try scene.stored() == "xy")
    scene.remove("y", from: two)
    try two.save()
    #expect(try scene.stored() == "x")
  }

  @Test(arguments: [CartList.joinedOnly, .linkedOnly])
  func `a child that has another owner by now is not deleted`(list: CartList) throws {
    let scene = try CartScene("ab", list)
    let stale = try scene.load()
    let (former, other) = (try scene.load(), Cart.create())
    other.use(scene.test.store)
    let piece = former[keyPath: list.path][0]
    other[keyPath: list.path] = [piece]
    try other.save()
    if list == .joinedOnly {
      scene.remove("a", from: former)
      try former.save()
    }
    #expect(try scene.stored() == "b")
    scene.remove("a", from: stale)
    try stale.save()
    #expect(try scene.stored() == "b")
    #expect(try scene.stored(other.objectID) == "a")
    #expect(try scene.rows() == "ab")
  }

  @Test(arguments: [CartList.linked, .linkedOnly], [true, false])
  func `a child that another owner has by now is not taken back`(
    list: CartList,
    cascade: Bool
  ) throws {
    let scene = try CartScene("ab", list)
    let (stale, former, other) = (try scene.load(), try scene.load(), Cart.create())
    other.use(scene.test.store)
    other[keyPath: list.path] = [former[keyPath: list.path][0]]
    try other.save()
    stale[keyPath: list.path].reverse()
    if cascade { scene.add("x", to: stale) }
    try stale.save(cascade: cascade)
    #expect(try scene.stored() == (cascade ? "bx" : "b"))
    #expect(try scene.stored(other.objectID) == "a")
  }

  @Test(arguments: [CartList.linked, .linkedOnly])
  func `a child that got another owner by its own link keeps it`(list: CartList) throws {
    let scene = try CartScene("ab", list)
    let (cart, other) = (try scene.load(), Cart.create())
    other.use(scene.test.store)
    try other.save()
    cart[keyPath: list.path][0][keyPath: try #require(list.link)] = Link(other)
    scene.add("x", to: cart)
    try cart.save()
    #expect(try scene.stored() == "bx")
    #expect(try scene.stored(other.objectID) == "a")
  }

  @Test(arguments: [CartList.joined, .joinedOnly])
  func `a child that comes twice is two`(list: CartList) throws {
    let scene = try CartScene("ab", list)
    let (one, two) = (try scene.load(), try scene.load())
    one[keyPath: list.path].append(one[keyPath: list.path][0])
    try one.save()
    #expect(try scene.stored() == "aba")
    scene.add("x", to: two)
    try two.save()
    #expect(try scene.stored() == "abax")
    one[keyPath: list.path].removeFirst()
    try one.save()
    #expect(try scene.stored() == "bax")
    #expect(try scene.rows() == "abx")
  }

  @Test(arguments: CartList.allCases)
  func `a child that was deleted meanwhile is left out`(list: CartList) throws {
    let scene = try CartScene("abc", list)
    let (stale, other) = (try scene.load(), try scene.load())
    try other[keyPath: list.path][1].delete()
    scene.add("x", to: stale)
    try stale.save()
    #expect(try scene.stored() == "acx")
  }

  @Test(arguments: CartList.allCases)
  func `a child that was deleted and is saved again comes back`(list: CartList) throws {
    let scene = try CartScene("abc", list)
    let cart = try scene.load()
    try cart[keyPath: list.path][1].delete()
    scene.add("x", to: cart)
    try cart.save()
    #expect(try scene.stored().sorted() == Array("abcx"))
  }

  @Test(arguments: CartList.allCases)
  func `a marked child goes, and what others added stays`(list: CartList) throws {
    let scene = try CartScene("abc", list)
    let (one, two) = (try scene.load(), try scene.load())
    scene.add("x", to: one)
    try one.save()
    two[keyPath: list.path][1].isMarkedForDeletion = true
    scene.add("y", to: two)
    try two.save()
    #expect(try scene.stored() == "acxy")
    #expect(try scene.rows() == "acxy")
  }

  @Test(arguments: CartList.allCases, [true, false])
  func `a rollback leaves lists as they were before the save`(list: CartList, inside: Bool) throws {
    struct Stop: Error {}
    let scene = try CartScene("abc", list)
    let (one, two) = (try scene.load(), try scene.load())
    scene.remove("b", from: one)
    #expect(throws: Stop.self) {
      try scene.test.store.write { _ in
        scene.add("x", to: one)
        try one.save()
        if inside {
          scene.remove("c", from: one)
          try one.save()
        }
        throw Stop()
      }
    }
    #expect(try scene.stored() == "abc")
    scene.add("y", to: two)
    try two.save()
    try one.save()
    #expect(try scene.stored() == (inside ? "ayx" : "acyx"))
    scene.add("z", to: one)
    try one.save()
    #expect(try scene.stored() == (inside ? "ayxz" : "acyxz"))
  }

  @Test(arguments: CartList.allCases)
  func `properties that are set by name are merged as well`(list: CartList) throws {
    let scene = try CartScene("ab", list)
    let (one, two) = (try scene.load(), try scene.load())
    scene.add("x", to: one)
    try one.save()
    let pieces = two[keyPath: list.path]
    try two.setValue([pieces[1], Piece.named("y")], forKey: "\(list)")
    try two.save()
    #expect(try scene.stored() == "bxy")
    let third = try scene.load()
    scene.add("z", to: two)
    try two.save()
    try third.populate(with: ["\(list)": [["name": "p"], third[keyPath: list.path][0]]])
    try third.save()
    #expect(try scene.stored() == "pbz")
  }
}
