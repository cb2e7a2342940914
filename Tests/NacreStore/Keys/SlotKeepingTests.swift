import NacreCore
import NacreEngine
import NacreOpen
import NacreSQLite
import NacreUpkeep
import Synchronization
import Testing
@testable import TestSupport

/// Keeps slots in memory; each change counts at once.
private final class MemorySlots: SlotKeeping {
  let precedesRing = false
  private let kept = Mutex<[Int64: KeptSlot]>([:])

  var ids: [Int64] { kept.withLock { $0.keys.sorted() } }

  func slots(on connection: any EngineConnection) -> [KeptSlot] {
    kept.withLock { $0.values.sorted { $0.id < $1.id } }
  }

  func put(_ slot: KeptSlot, on connection: any EngineConnection) {
    kept.withLock { $0[slot.id] = slot }
  }

  func remove(_ id: Int64, on connection: any EngineConnection) {
    kept.withLock { $0[id] = nil }
  }
}

/// A home that keeps the slots of a store outside of its tables.
@Suite struct SlotKeepingTests {
  private let scene: Scene
  private let slots = MemorySlots()

  init() throws { scene = try Scene() }

  private func open(_ unlock: Unlock?) throws -> Store {
    try Store.open(SQLiteHome(path: scene.path, slotKeeper: slots), unlock: unlock)
  }

  /// How many slots are in the store's table.
  private func rowCount() throws -> Value {
    try scene.edit("SELECT count(*) FROM nacre_slot")[0][0]
  }

  @Test func `slots that a home keeps unlock the store, and none is in its table`() throws {
    let vault = Vault.create()
    vault.secret = Marker.text
    let store = try open(Scene.unlock)
    try scene.save(vault, in: store)
    #expect(try store.addSlot(RingScene.unlock(2)) == 2)
    try store.close()
    #expect(slots.ids == [1, 2])
    #expect(try rowCount() == .integer(0))
    for unlock in [Scene.unlock, RingScene.unlock(2)] {
      let again = try open(unlock)
      #expect(try again.read { _ in try Vault.fetch(id: vault.objectID)?.secret } == Marker.text)
      try again.close()
    }
    expectError(.wrongSecret) { _ = try open(Scene.wrong) }
    // Without its home's slots the ring can't be unlocked.
    expectError(.wrongSecret) { _ = try scene.open() }
  }

  @Test func `slots that a home keeps are changed, removed and rewrapped there`() throws {
    let store = try open(Scene.unlock)
    try store.addSlot(RingScene.unlock(2))
    try store.changeSlot(2, to: RingScene.unlock(3))
    #expect(try store.slots().map(\.id) == [1, 2])
    try store.removeSlot(1, keeping: [RingScene.unlock(3)])
    #expect(slots.ids == [2])
    try store.rewrap(keeping: [RingScene.unlock(3)])
    try store.close()
    #expect(try rowCount() == .integer(0))
    expectError(.wrongSecret) { _ = try open(Scene.unlock) }
    try open(RingScene.unlock(3)).close()
  }

  @Test func `an inspection reads the slots that a home keeps`() throws {
    try open(Scene.unlock).close()
    let home = SQLiteHome(path: scene.path, slotKeeper: slots)
    let inspection = try StoreInspection(home, unlock: Scene.unlock)
    #expect(try inspection.describe().slots.map(\.id) == [1])
    #expect(try inspection.slots(openedBy: Scene.unlock) == [1])
  }

  @Test func `a store whose ring is gone is refused while its home keeps slots`() throws {
    try open(Scene.unlock).close()
    try scene.edit("DELETE FROM nacre_key")
    try scene.edit("DELETE FROM nacre_store WHERE name LIKE 'ring%'")
    expectError(.ringTampered) { _ = try open(Scene.unlock) }
  }
}
