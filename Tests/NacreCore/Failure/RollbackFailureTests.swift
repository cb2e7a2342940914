import NacreCore
import NacreEngine
import NacreStore
import Testing

@testable import TestSupport

/// Transactions that the engine fails to undo.
@Suite(.sqliteOnly("its faults are put into SQLite's connections")) struct RollbackFailureTests {
  private struct Refusal: Error {}
  private let scene: FaultyScene

  init() throws {
    scene = try FaultyScene()
    try node(1).save()
  }

  private func node(_ label: Int) -> Node {
    let node = Node.create()
    node.label = label
    node.use(scene.store)
    return node
  }

  /// Lets every rollback fail while `body` runs.
  private func withoutRollbacks(_ body: () throws -> Void) rethrows {
    scene.faults.arm(.failure(.other), after: 0, lasts: true) { $0 == .rollback }
    defer { #expect(scene.faults.disarm() == .rollback) }
    try body()
  }

  /// The labels of the stored nodes, after the next transaction of somebody who knows of nothing.
  private func labelsAfterNext() throws -> [Int] {
    try node(3).save()
    return try scene.store.read { _ in try Node.fetchAll().map(\.label).sorted() }
  }

  @Test func `a write that can't be undone is not part of the next one`() throws {
    withoutRollbacks {
      #expect(throws: Refusal.self) {
        try scene.store.write { _ in
          try node(2).save()
          throw Refusal()
        }
      }
    }
    #expect(try labelsAfterNext() == [1, 3])
  }

  @Test func `a transaction by hand that can't be undone is not part of the next one`() throws {
    try withoutRollbacks {
      try scene.store.begin()
      try node(2).save()
      try scene.store.rollback()
    }
    #expect(try labelsAfterNext() == [1, 3])
  }

  @Test func `a read that can't be ended does not hold its state for the next one`() throws {
    withoutRollbacks {
      #expect(throws: Refusal.self) {
        try scene.store.read { _ in
          #expect(try Node.fetchAll().count == 1)
          throw Refusal()
        }
      }
    }
    #expect(try labelsAfterNext() == [1, 3])
  }
}
