import NacreCore
import Testing
import TestSupport

/// What errors say fits what was done.
@Suite struct ErrorWordsTests {
  private let scene: Scene
  private let store: Store

  init() throws {
    scene = try Scene()
    store = try scene.open()
  }

  private func words(_ call: () throws -> Void) -> String {
    thrown(.transactionState, call)?.description ?? ""
  }

  @Test func `a call out of place in a transaction is not told that none is open`() throws {
    try store.begin()
    defer { try? store.rollback() }
    let calls: [() throws -> Void] = [{ try store.begin() }, { try store.close() }]
    for call in calls {
      let text = words(call)
      #expect(!text.contains("No such transaction"), "\(text)")
      #expect(!text.contains("comes first"), "\(text)")
    }
  }

  @Test func `a commit without a transaction is told to begin one`() {
    let calls: [() throws -> Void] = [{ try store.commit() }, { try store.rollback() }]
    for call in calls { #expect(words(call).contains("`begin()` comes first")) }
  }
}
