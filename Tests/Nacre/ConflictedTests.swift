import Foundation
import Nacre
import Observation
import Synchronization
import TestSupport
import Testing

/// A place in a ship: two desks can sell it.
@Entity(version: 2, detectsConflicts: true) final class Berth {
  var price = 0
  @Encrypted var holder: String?
  var bunk: Bunk?
  var extras: [Bunk] = []
  var viewers = Links<Bunk>()
}

@Entity(detectsConflicts: false) final class Bunk {
  var text = ""
}

/// Conflicts and refreshes of classes as `@Entity` makes them.
struct ConflictedTests {
  /// Whether what a closure has read was changed.
  private final class Notice: Sendable {
    private let isTold = Atomic(false)
    var isGiven: Bool { isTold.load(ordering: .relaxed) }

    init(_ read: () -> Void) {
      withObservationTracking(read) { [self] in isTold.store(true, ordering: .relaxed) }
    }
  }

  private let test: TestStore

  init() throws { test = try TestStore() }

  private func berth() throws -> Berth {
    let berth = Berth.create()
    berth.bunk = Bunk.create()
    berth.extras = [Bunk.create(), Bunk.create()]
    berth.use(test.store)
    try berth.save()
    return berth
  }

  private func other(_ berth: Berth) throws -> Berth {
    try #require(try test.store.read { _ in try Berth.fetch(id: berth.objectID) })
  }

  @Test func `the second of two who change one object gets a conflict, refreshes it and saves`()
    throws
  {
    let berth = try berth()
    let second = try other(berth)
    berth.holder = "ann"
    try berth.save()
    second.holder = "bob"
    let error = #expect(throws: NacreError.self) { try second.save() }
    #expect(error?.code == .conflict && error?.entity == "Berth")
    #expect(error?.objectID == berth.objectID && second.hasChanges)
    try second.refresh()
    #expect(second.holder == "ann" && !second.hasChanges)
    second.price = 30
    try second.save()
    #expect(try other(berth).price == 30)
    #expect(throws: NacreError.self) { try berth.delete(cascade: true) }
    try second.delete(cascade: true)
    #expect(try test.store.read { _ in try Bunk.count() } == 0)
  }

  @Test func `a refresh tells observers, and keeps children with what observes them`() throws {
    let berth = try berth()
    let (bunk, extra) = (try #require(berth.bunk), berth.extras[1])
    let change = try other(berth)
    change.price = 12
    change.bunk?.text = "new"
    change.extras.removeFirst()
    try change.save()
    let reads: [() -> Void] = [
      { _ = berth.price }, { _ = berth.extras.count }, { _ = bunk.text },
    ]
    let notices = reads.map { Notice($0) }
    berth.viewers.add(Bunk.create())
    #expect(berth.hasChanges)
    try berth.refresh(cascade: true)
    #expect(notices.allSatisfy(\.isGiven) && !berth.hasChanges && !bunk.hasChanges)
    #expect(berth.price == 12 && berth.bunk === bunk && bunk.text == "new")
    #expect(berth.extras.count == 1 && berth.extras[0] === extra)
  }
}
