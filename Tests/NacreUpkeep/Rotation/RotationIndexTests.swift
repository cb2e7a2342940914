import Foundation
import NacreCore
import NacreCrypto
import NacreUpkeep
import Testing
@testable import TestSupport

/// Blind indexes that get another key while everybody searches.
@Suite struct RotationIndexTests {
  /// A scene with 20 badges.
  private func stored() throws -> (Scene, Store) {
    let scene = try Scene()
    let store = try scene.open()
    try store.write { _ in
      for index in 0..<20 { try RotationIndexTests.badge(index).save() }
    }
    return (scene, store)
  }

  private static func badge(_ index: Int) -> Badge {
    Badge.make("\(index)") { badge in
      badge.plate = index.isMultiple(of: 4) ? nil : "AB-\(index)-C"
      badge.email = "Somebody\(index)@Example.org"
      badge.phone = "+49 (0) \(index)"
      badge.number = index
      badge.hidden = index.isMultiple(of: 3) ? nil : "hidden \(index)"
    }
  }

  /// Fails when a search does not find what is stored.
  private func expectFound(
    _ store: Store,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try store.read { (_) throws in
      for index in 0..<20 {
        let label = "\(index)"
        let found = [
          try Badge.fetchOne(\.serial, equals: "serial of \(index)")?.label,
          try Badge.fetchOne(\.email, equals: "SOMEBODY\(index)@example.org")?.label,
          try Badge.fetchOne(\.phone, equals: "490\(index)")?.label,
          try Badge.fetchOne(\.number, equals: index)?.label,
          index.isMultiple(of: 4)
            ? label : try Badge.fetchOne(\.plate, equals: "AB-\(index)-C")?.label,
          index.isMultiple(of: 3)
            ? label : try Badge.fetchOne(\.hidden, equals: "hidden \(index)")?.label,
        ]
        #expect(found == Array(repeating: label, count: 6), sourceLocation: sourceLocation)
      }
      #expect(try Badge.fetchAll(\.plate, equals: nil).count == 5, sourceLocation: sourceLocation)
      #expect(try Badge.fetchAll(\.hidden, equals: nil).count == 7, sourceLocation: sourceLocation)
    }
  }

  private func expectUnique(
    _ store: Store,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try store.write { _ in
      for index in [0, 9, 19] {
        expectError(.constraint, property: "serial", sourceLocation: sourceLocation) {
          try Badge.make("\(index)").save()
        }
      }
    }
  }

  private static let tokens = """
    SELECT objectID, plate__index, serial__index, email__index, phone__index, number__index, \
    hidden__index FROM Badge ORDER BY objectID
    """

  @Test func `searches find and unique values stay so throughout`() throws {
    let (scene, store) = try stored()
    let other = try scene.open()
    try expectFound(other)
    let before = try scene.edit(RotationIndexTests.tokens)
    var steps = 0
    let report = try store.rotate(
      RotationOptions { $0.batchSize = 4 },
      watching: { _ in
        try expectFound(store)
        try expectFound(other)
        try expectUnique(other)
        steps += 1
        return .goOn
      }
    )
    #expect(steps > 10)
    #expect(report.outcome == .finished)
    #expect(report.purposes == [.field, .index])
    #expect(report.from.count == 2 && report.disabled.count == 2)
    let after = try scene.edit(RotationIndexTests.tokens)
    let columns = 1..<7
    let changed = zip(before, after).flatMap { old, new in columns.filter { old[$0] != new[$0] } }
    // Of 20 badges, 5 have no plate; short indexes can be the same by chance, the unique one's can't.
    #expect(changed.count { $0 == 2 } == 20)
    #expect(changed.count > 100 && changed.count <= 6 * 20 - 5)
    #expect(report.reindexed == changed.count)
    try expectFound(other)
    try expectUnique(store)
  }

  @Test func `the indexes alone get a new key`() throws {
    let (scene, store) = try stored()
    let envelopes = try scene.edit("SELECT plate, serial, name FROM Badge ORDER BY objectID")
    let field = try store.key(.primary)
    let index = try store.key(.primary, .index)
    let report = try store.rotate(RotationOptions { $0.purposes = [.index] })
    #expect(report.outcome == .finished)
    #expect(report.from == [index])
    #expect(report.resealed == 0)
    #expect(try store.rotationState()?.kind == "index")
    #expect(try store.key(.primary) == field)
    #expect(try store.state(of: index) == .disabled)
    #expect(try scene.edit("SELECT plate, serial, name FROM Badge ORDER BY objectID") == envelopes)
    try expectFound(store)
    try expectFound(scene.open())
  }

  @Test func `the values alone get a new key and the indexes stay`() throws {
    let (scene, store) = try stored()
    let before = try scene.edit(RotationIndexTests.tokens)
    let report = try store.rotate(RotationOptions { $0.purposes = [.field] })
    #expect(report.reindexed == 0)
    #expect(try scene.edit(RotationIndexTests.tokens) == before)
    try expectFound(store)
  }

  @Test func `a rotation of one kind is finished before one of another`() throws {
    let (scene, store) = try stored()
    defer { withExtendedLifetime(scene) {} }
    let index = RotationOptions { $0.purposes = [.index] }
    #expect(try store.rotate(index) { _ in .stop }.outcome == .stopped)
    expectError(.rotationUnfinished) {
      _ = try store.rotate(RotationOptions { $0.purposes = [.field] })
    }
    expectError(.rotationUnfinished) {
      _ = try store.rotationPlan(RotationOptions { $0.purposes = [.field] })
    }
    let report = try store.rotate()
    #expect(report.wasResumed)
    #expect(report.purposes == [.index])
    #expect(report.outcome == .finished)
    #expect(try store.rotate().purposes == [.field, .index])
  }

  @Test func `a wrong token is mended`() throws {
    let (scene, store) = try stored()
    try scene.edit("UPDATE Badge SET number__index = x'0000' WHERE label = '7'")
    try scene.edit("UPDATE Badge SET plate__index = x'1111' WHERE plate IS NULL")
    try scene.edit("UPDATE Badge SET hidden__index = NULL WHERE label = '8'")
    #expect(try store.rotate().outcome == .finished)
    try expectFound(store)
    #expect(
      try scene.edit("SELECT count(*) FROM Badge WHERE plate IS NULL AND plate__index IS NOT NULL")
        == [[.integer(0)]]
    )
  }

  @Test func `the old index key stays while a value does not open`() throws {
    let (scene, store) = try stored()
    try scene.edit("UPDATE Badge SET plate = zeroblob(60) WHERE label = '7'")
    let index = try store.key(.primary, .index)
    let report = try store.rotate()
    #expect(report.outcome == .incomplete)
    #expect(report.obstacle == .failedValues)
    #expect(try store.state(of: index) == .enabled)
  }
}
