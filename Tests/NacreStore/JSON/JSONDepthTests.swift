import Foundation
@testable import TestSupport
import Testing

@testable import NacreCore

/// JSON that is nested deeper than it could be read again.
@Suite struct JSONDepthTests {
  private let limit = JSONValue.depthLimit

  /// So many arrays in each other, or objects.
  private func nest(_ depth: Int, inObjects: Bool = false) -> JSONValue {
    (0..<depth).reduce(.integer(1)) { inner, _ in inObjects ? ["a": inner] : [inner] }
  }

  private func expectRefusal(_ test: TestStore, _ dossier: Dossier, _ property: String) {
    expectError(.valueMismatch, entity: "Dossier", property: property, objectID: dossier.objectID) {
      try test.store.write { _ in try dossier.save() }
    }
  }

  @Test(arguments: [false, true])
  func `JSON up to the limit is saved and fetched, what is deeper is refused`(
    _ inObjects: Bool
  ) throws {
    let test = try TestStore()
    let dossier = Dossier.create()
    dossier.anything = nest(limit, inObjects: inObjects)
    try test.store.write { _ in try dossier.save() }
    let found = try test.store.read { _ in try Dossier.fetchOne() }
    #expect(found?.anything == dossier.anything)
    for depth in [limit + 1, 10_000] {
      dossier.anything = nest(depth, inObjects: inObjects)
      expectRefusal(test, dossier, "anything")
    }
    dossier.anything = .null
    dossier.secret = ["a": nest(10_000, inObjects: inObjects)]
    expectRefusal(test, dossier, "secret")
  }

  @Test func `containers around JSON count, on writing as on reading`() throws {
    let test = try TestStore()
    let dossier = Dossier.create()
    dossier.list = [nest(limit - 1)]
    dossier.table = ["a": nest(limit - 1)]
    try test.store.write { _ in try dossier.save() }
    let found = try test.store.read { _ in try Dossier.fetchOne() }
    #expect(found?.list == dossier.list && found?.table == dossier.table)
    dossier.list = [nest(limit)]
    expectRefusal(test, dossier, "list")
    dossier.list = []
    dossier.table = ["a": nest(limit)]
    expectRefusal(test, dossier, "table")
  }

  @Test func `JSON that is too deep is not coded or searched for`() throws {
    let test = try TestStore()
    let dossier = Dossier.create()
    let deep = nest(10_000)
    expectError(.valueMismatch, entity: "Dossier", property: "anything") {
      _ = try test.store.read { _ in try Dossier.fetchAll(\.anything, equals: deep) }
    }
    dossier.anything = deep
    #expect(throws: (any Error).self) { _ = try JSONEncoder().encode(Coded(dossier)) }
  }

  @Test func `the objects around a property that is JSON count`() throws {
    let dossier = Dossier.create()
    dossier.anything = nest(limit - 1)
    let data = try JSONEncoder().encode(Coded(dossier))
    let copy = try JSONDecoder().decode(Coded<Dossier>.self, from: data).object
    #expect(copy.anything == dossier.anything)
    dossier.anything = nest(limit)
    expectError(.valueMismatch, entity: "Dossier") { _ = try dossier.toJSON() }
    expectError(.valueMismatch, entity: "Dossier") {
      _ = try JSONEncoder().encode(Coded(dossier))
    }
  }
}
