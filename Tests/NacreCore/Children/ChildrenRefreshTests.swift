import Testing
import TestSupport

@testable import NacreCore

/// Lists of children that were read anew.
@Suite struct ChildrenRefreshTests {
  @Test(arguments: CartList.allCases)
  func `a save goes by the list that a refresh has read`(list: CartList) throws {
    let scene = try CartScene("ab", list)
    let (stale, other) = (try scene.load(), try scene.load())
    stale[keyPath: list.path].removeFirst()
    scene.add("x", to: other)
    try other.save()
    try stale.refresh()
    scene.add("y", to: stale)
    try stale.save()
    #expect(try scene.stored() == "abxy")
  }

  @Test(arguments: CartList.allCases)
  func `a refresh that is rolled back leaves what was taken out before`(list: CartList) throws {
    let scene = try CartScene("ab", list)
    let (stale, other) = (try scene.load(), try scene.load())
    stale[keyPath: list.path].removeFirst()
    try scene.test.store.write { database in
      scene.add("x", to: other)
      try other.save()
      try stale.refresh()
      database.shouldRollback = true
    }
    #expect(stale.hasChanges)
    try stale.save()
    #expect(try scene.stored() == "b")
  }
}
