import Foundation
import NacreCore
import NacreCrypto
import NacreOpen
import NacreSQLite
import NacreUpkeep
import Synchronization
import Testing
@testable import TestSupport

/// Files that are compared with an anchor that was kept elsewhere.
@Suite struct AnchorTests {
  private let ring: RingScene
  private var scene: Scene { ring.scene }

  init() throws { ring = try RingScene() }

  private func take(after last: Anchor? = nil) throws -> Anchor {
    let store = try ring.open()
    defer { try? store.close() }
    return try store.anchor(after: last)
  }

  private func open(expecting anchor: Anchor, _ unlock: Unlock? = Scene.unlock) throws {
    try Store.open(scene.path, unlock: unlock, expecting: anchor).close()
  }

  /// Opening must fail with `code`, and so must looking, and leave the file as it was.
  private func expectRefused(
    _ code: NacreError.Code,
    _ anchor: Anchor,
    _ unlock: Unlock? = Scene.unlock,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try copy()
    expectError(code, sourceLocation: sourceLocation) { try open(expecting: anchor, unlock) }
    expectError(code, sourceLocation: sourceLocation) {
      _ = try StoreInspection(path: scene.path, unlock: unlock, expecting: anchor)
    }
    #expect(try copy() == before, sourceLocation: sourceLocation)
  }

  private func expect(
    _ store: StoreDescription,
    _ anchor: Anchor,
    _ state: AnchorDescription.State,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(store.anchor?.anchor == anchor, sourceLocation: sourceLocation)
    #expect(store.anchor?.state == state, sourceLocation: sourceLocation)
  }

  private func row() throws -> Value? {
    try scene.edit("SELECT value FROM nacre_store WHERE name = 'anchor'").first?.first
  }

  /// The store's file as it is now.
  private func copy() throws -> Data { try scene.directory.bytes("store.db") }

  private func putBack(_ bytes: Data) throws {
    try bytes.write(to: URL(fileURLWithPath: scene.path))
  }

  // MARK: Taking

  @Test func `each anchor is greater than the one before, and the file passes for all of them`()
    throws
  {
    let store = try ring.open()
    let first = try store.anchor()
    #expect(first.counter == 1)
    #expect(first.storeID == (try store.inspect().storeID))
    try store.addKey(.field)
    let second = try store.anchor()
    #expect(second.counter == 2 && second.ringGeneration == first.ringGeneration + 1)
    try expect(store.inspect(), second, .verified)
    try store.close()
    for anchor in [first, second] { try open(expecting: anchor) }
    let text = "\(second)"
    try open(expecting: #require(Anchor(text)))
    try expect(StoreInspection(path: scene.path).describe(), second, .unverified)
  }

  @Test func `anchors that two processes take at once are all different`() async throws {
    let stores = [try ring.open(), try ring.open()]
    let anchors = try await withThrowingTaskGroup(of: Anchor.self) { group in
      for number in 0..<40 {
        group.addTask { try await stores[number % 2].anchor() }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(anchors.map(\.counter)) == Set(1...40))
    let last = try await stores[1].anchor()
    #expect(last.counter == 41)
    _ = try await Store.open(scene.path, unlock: Scene.unlock, expecting: last)
  }

  @Test func `an anchor is on the disk when it is given out, and other commits go on as before`()
    throws
  {
    let log = Mutex<[String]>([])
    let store = try scene.open {
      $0.trace = { event in
        if case .statement(let sql) = event { log.withLock { $0.append(sql) } }
      }
    }
    try ring.saveVault("MARKER-warm", in: store)
    log.withLock { $0 = [] }
    _ = try store.anchor()
    let frame = log.withLock { $0 }.filter {
      $0.hasPrefix("PRAGMA synchronous =") || $0.hasPrefix("BEGIN") || $0 == "COMMIT"
    }
    #expect(
      frame == [
        "PRAGMA synchronous = 3", "BEGIN IMMEDIATE", "COMMIT", "PRAGMA synchronous = 1",
      ]
    )
    #expect(try store.pragmas.synchronous == .normal)
    log.withLock { $0 = [] }
    try ring.saveVault("MARKER-on", in: store)
    #expect(log.withLock { $0 }.allSatisfy { !$0.contains("PRAGMA synchronous") })
  }

  @Test func `an anchor needs the secret, and a transaction of its own`() throws {
    let locked = try ring.open(nil)
    expectError(.storeLocked) { _ = try locked.anchor() }
    try RingScene.withoutRing { empty in
      expectError(.noKeyRing) { _ = try empty.anchor() }
    }
    let store = try ring.open()
    try store.write { _ in expectError(.transactionState) { _ = try store.anchor() } }
    try store.read { _ in expectError(.transactionState) { _ = try store.anchor() } }
    #expect(try row() == nil)
    #expect(try store.inspect().anchor == nil)
  }

  @Test func `only a rewrap changes the anchor's row, and its numbers stay`() throws {
    let store = try ring.open()
    let anchor = try store.anchor()
    let before = try #require(try row())
    try ring.saveVault("MARKER-more", in: store)
    try store.promoteKey(store.addKey(.field))
    let slot = try store.addSlot(RingScene.unlock(2))
    try store.removeSlot(slot)
    #expect(try store.rotate().outcome == .finished)
    #expect(try row() == before)
    try store.rewrap(keeping: [Scene.unlock])
    #expect(try row() != before)
    try expect(store.inspect(), anchor, .verified)
    try store.close()
    try open(expecting: anchor)
    let next = try take()
    #expect(next.counter == 2)
    try open(expecting: next)
  }

  @Test func `an anchor that something in the file takes back at once is an error`() throws {
    let store = try ring.open()
    let first = try store.anchor()
    let before = try row()
    try scene.edit(
      """
      CREATE TRIGGER back AFTER INSERT ON nacre_store WHEN new.name = 'anchor' BEGIN \
      UPDATE nacre_store SET value = zeroblob(48) WHERE name = 'anchor'; END
      """
    )
    expectError(.foreignSchema) { _ = try store.anchor() }
    #expect(try row() == before)
    try scene.edit("DROP TRIGGER back")
    #expect(try store.anchor().counter == first.counter + 1)
  }

  // MARK: Expecting

  @Test func `an older copy of the file is refused, and opens if no anchor is expected`() throws {
    let first = try take()
    let old = try copy()
    let second = try take()
    try putBack(old)
    try expectRefused(.olderThanAnchor, second)
    try open(expecting: first)
    try ring.open().close()
  }

  @Test func `a copy from before the first anchor is refused`() throws {
    let old = try copy()
    let anchor = try take()
    try putBack(old)
    try expectRefused(.olderThanAnchor, anchor)
  }

  @Test func `another store under the same secret is refused before the secret is asked for`()
    throws
  {
    let anchor = try take()
    let other = try RingScene()
    try putBack(other.scene.directory.bytes("store.db"))
    struct Asked: Error {}
    try expectRefused(.otherStore, anchor, .callback { throw Asked() })
    try expectRefused(.otherStore, anchor)
    // A secret that opens nothing is still told as such.
    let own = try other.open().anchor()
    try expectRefused(.wrongSecret, own, Scene.wrong)
  }

  @Test func `no file, an empty one and one without a ring are refused, and nothing is made`()
    throws
  {
    let anchor = try take()
    for name in try FileManager.default.contentsOfDirectory(atPath: scene.directory.path) {
      try FileManager.default.removeItem(atPath: scene.directory.file(name))
    }
    expectError(.cannotOpen) { try open(expecting: anchor) }
    #expect(try scene.fileBytes().isEmpty)
    try putBack(Data())
    expectError(.notAStore) { try open(expecting: anchor) }
    #expect(try copy().isEmpty)
    try RingScene.withoutRing { empty in
      let id = try empty.inspect().storeID
      let anchor = try #require(Anchor("nacre-anchor-1:\(id):1:1"))
      expectError(.noKeyRing) {
        _ = try Store.open(empty.path, unlock: Scene.unlock, expecting: anchor)
      }
      #expect(try empty.inspect().ring == nil)
    }
  }

  @Test func `an anchor is not believed without the secret`() throws {
    try expectRefused(.storeLocked, take(), nil)
  }

  @Test func `an older ring in a newer file is refused`() throws {
    let ringRows = "SELECT value FROM nacre_store WHERE name IN ('ringGeneration', 'ringMAC')"
    let old = try scene.edit(ringRows + " ORDER BY name").map { $0[0] }
    let first = try take()
    let key = try ring.open().addKey(.field)
    let second = try take()
    try scene.edit("DELETE FROM nacre_key WHERE id = ?1", .integer(Int64(key.rawValue)))
    try scene.edit("UPDATE nacre_store SET value = ?1 WHERE name = 'ringGeneration'", old[0])
    try scene.edit("UPDATE nacre_store SET value = ?1 WHERE name = 'ringMAC'", old[1])
    try ring.open().close()
    // The file's own anchor knows of the newer ring, even where the one that was kept does not.
    for anchor in [first, second] { try expectRefused(.ringOlderThanAnchor, anchor) }
  }

  @Test(arguments: [
    "zeroblob(48)", "zeroblob(0)", "substr(value, 1, 47)", "value || x'00'", "NULL", "9",
    "CAST(hex(value) AS TEXT)", "x'0000000000000009' || substr(value, 9)",
  ])
  func `an anchor that was changed is an error by its name, and a later one mends it`(
    _ changed: String
  ) throws {
    let anchor = try take()
    try scene.edit("UPDATE nacre_store SET value = CAST(\(changed) AS BLOB) WHERE name = 'anchor'")
    if ["NULL", "9"].contains(changed) {
      try scene.edit("UPDATE nacre_store SET value = \(changed) WHERE name = 'anchor'")
    }
    try expectRefused(.anchorTampered, anchor)
    // It keeps nobody from what needs no anchor.
    let store = try ring.open()
    #expect(try store.inspect().anchor?.state == .tampered)
    #expect(try store.verify().faults.map(\.kind) == [.anchorTampered])
    let before = try row()
    expectError(.anchorTampered) { _ = try store.anchor() }
    try store.rewrap(keeping: [Scene.unlock])
    #expect(try row() == before)
    let next = try store.anchor(after: anchor)
    #expect(next.counter == anchor.counter + 1)
    #expect(try store.verify().isSound)
    try store.close()
    try open(expecting: next)
    try expectRefused(.olderThanAnchor, #require(Anchor("\(next)0")))
  }

  @Test func `after a restore the next anchor is greater than the one that was kept`() throws {
    _ = try take()
    let backup = try copy()
    for _ in 0..<3 { _ = try take() }
    let kept = try take()
    try putBack(backup)
    let next = try take(after: kept)
    #expect(next.counter == kept.counter + 1)
    try open(expecting: next)
    // An older one does not take it back.
    #expect(try take(after: kept).counter == next.counter + 1)
    let last = try #require(Anchor("nacre-anchor-1:\(kept.storeID):1:\(UInt64.max)"))
    expectError(.constraint) { _ = try take(after: last) }
    let other = try RingScene().open().anchor()
    expectError(.otherStore) { _ = try take(after: other) }
  }
}
