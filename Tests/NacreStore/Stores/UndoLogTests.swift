@testable import NacreStore
import Testing

/// What a rollback puts back: each object's own former state, the latest first.
@Suite struct UndoLogTests {
  private final class Thing {}

  private func state(_ changes: UInt64) -> ObjectState {
    ObjectState(changes: changes, version: 0, store: 1, isStored: true, isMarkedForDeletion: false)
  }

  @Test func `objects of the same state share a copy of it`() {
    var log = UndoLog()
    for _ in 0..<1000 { log.note(Thing(), state(1)) }
    #expect(log.entries.count == 1000 && log.states.count == 1)
  }

  @Test func `each object gets its own state back, the latest first`() {
    var log = UndoLog()
    let things = (0..<6).map { _ in Thing() }
    var order: [String] = []
    for (thing, changes) in zip(things, [1, 1, 2, 2, 1, 3] as [UInt64]) {
      log.note(thing, state(changes))
      if changes == 2 { log.note { order.append("action") } }
    }
    #expect(log.objects(since: UndoLog.Mark()).count == 6)
    log.rollBack(to: UndoLog.Mark()) { object, state in
      let number = things.firstIndex { $0 === object } ?? -1
      order.append("\(number): \(state.changes)")
    }
    #expect(order == ["5: 3", "4: 1", "action", "3: 2", "action", "2: 2", "1: 1", "0: 1"])
    #expect(log.entries.isEmpty && log.states.isEmpty)
  }

  @Test func `a rollback to a mark leaves the states before the mark`() {
    var log = UndoLog()
    let (first, second, third) = (Thing(), Thing(), Thing())
    log.note(first, state(1))
    let mark = log.mark
    log.note(second, state(1))
    log.note(second, state(2))
    var undone: [UInt64] = []
    log.rollBack(to: mark) { undone.append($1.changes) }
    #expect(undone == [2, 1])
    log.note(third, state(2))
    log.rollBack(to: UndoLog.Mark()) { undone.append($1.changes) }
    #expect(undone == [2, 1, 2, 1])
  }
}
