import Dispatch
import Foundation
import NacreCore
import NacreCrypto
import NacreOpen
import NacreUpkeep
import Testing
@testable import TestSupport

/// The anchors that an open store remembers, whatever becomes of the one in the file.
@Suite struct AnchorMemoryTests {
  private let ring: RingScene
  private var scene: Scene { ring.scene }

  init() throws { ring = try RingScene() }

  /// How a store came to see an anchor.
  enum Sight: CaseIterable {
    case taken, foundAtOpening, expected, inspected, verified
  }

  private func take() throws -> Anchor {
    let store = try ring.open()
    defer { try? store.close() }
    return try store.anchor()
  }

  private func row() throws -> Value? { try scene.storeValue("anchor") }

  /// A store that has seen a second anchor.
  private func store(that sight: Sight) throws -> (store: Store, anchor: Anchor) {
    switch sight {
    case .taken:
      let store = try ring.open()
      return (store, try store.anchor())
    case .foundAtOpening:
      let anchor = try take()
      return (try ring.open(), anchor)
    case .expected:
      let anchor = try take()
      return (try Store.open(scene.path, unlock: Scene.unlock, expecting: anchor), anchor)
    case .inspected, .verified:
      let store = try ring.open()
      let anchor = try take()
      if sight == .inspected {
        #expect(try store.inspect().anchor?.anchor == anchor)
      } else {
        #expect(try store.verify().isSound)
      }
      return (store, anchor)
    }
  }

  @Test(arguments: Sight.allCases, [true, false])
  func `an anchor that goes back under an open store is refused by name`(
    _ sight: Sight,
    _ isDeleted: Bool
  ) throws {
    let first = try take()
    let former = try #require(try row())
    let (store, second) = try store(that: sight)
    #expect(second.counter == first.counter + 1)
    if isDeleted {
      try scene.edit("DELETE FROM nacre_store WHERE name = 'anchor'")
    } else {
      try scene.edit("UPDATE nacre_store SET value = ?1 WHERE name = 'anchor'", former)
    }
    let shown = try store.inspect().anchor
    #expect(shown?.state == .older)
    #expect(shown?.anchor == (isDeleted ? nil : first))
    #expect(try store.verify().faults.map(\.kind) == [.olderThanAnchor])
    let before = try row()
    expectError(.olderThanAnchor) { _ = try store.anchor() }
    #expect(try row() == before)
    // Who has kept one says so, and the next is greater than both.
    let next = try store.anchor(after: first)
    #expect(next.counter == second.counter + 1)
    #expect(try store.verify().isSound)
    #expect(try store.inspect().anchor?.state == .verified)
  }

  @Test func `a read that goes on shows the anchor of its own state`() throws {
    let first = try take()
    let store = try ring.open()
    try store.read { _ in
      let before = try store.inspect().anchor
      #expect(before?.anchor == first)
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        _ = try? store.anchor()
        isDone.signal()
      }
      #expect(isDone.wait(timeout: .now() + 20) == .success)
      let after = try store.inspect().anchor
      #expect(after == before)
      #expect(try store.verify().isSound)
    }
    #expect(try store.inspect().anchor?.anchor?.counter == 2)
  }
}
