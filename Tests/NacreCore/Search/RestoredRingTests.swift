import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Somebody puts an older key ring back into the file while a process has the store open.
@Suite struct RestoredRingTests {
  private static let tables = [
    "nacre_store", "nacre_key", "nacre_slot", "nacre_entity", "nacre_property",
  ]

  private let scene: Scene
  private let store: Store

  init() throws {
    scene = try Scene()
    store = try scene.open()
    let pupil = Pupil.create()
    pupil.pass = "pass 1"
    try scene.save(pupil, in: store)
    for table in Self.tables {
      try scene.edit("CREATE TABLE saved_\(table) AS SELECT * FROM \(table)")
    }
    let other = try scene.open()
    try other.addKey(.index)
    try other.close()
    try store.write { _ in }
    for table in Self.tables {
      try scene.edit("DELETE FROM \(table)")
      try scene.edit("INSERT INTO \(table) SELECT * FROM saved_\(table)")
    }
  }

  private var query: Query<Pupil> { Pupil.where(#Predicate { $0.pass == "pass 1" }).in(store) }

  @Test func `a search by an index refuses it, in a read and without one`() throws {
    expectError(.ringTampered) { _ = try query.fetchAll() }
    expectError(.ringTampered) { _ = try query.count() }
    expectError(.ringTampered) { try store.read { _ in _ = try query.fetchAll() } }
    expectError(.ringTampered) { _ = try query.cursor().next() }
  }

  @Test func `an async search by an index refuses it`() async throws {
    let (query, store) = (query, store)
    let fetched = await #expect(throws: NacreError.self) { _ = try await query.fetchAll() }
    #expect(fetched?.code == .ringTampered)
    let read = await #expect(throws: NacreError.self) {
      _ = try await store.read { _ in try query.count() }
    }
    #expect(read?.code == .ringTampered)
  }
}
