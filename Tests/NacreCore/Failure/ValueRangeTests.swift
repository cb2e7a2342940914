import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// Values that a column can't hold, and columns that a property can't take.
@Suite struct ValueRangeTests {
  private let scene: Scene
  private let store: Store

  init() throws {
    scene = try Scene()
    store = try scene.open()
  }

  @Test func `a number above Int64's is refused and nothing is written`() throws {
    let sample = Sample.create()
    sample.unsigned = UInt64(Int64.max) + 1
    expectError(.valueMismatch, entity: "Sample", property: "unsigned", objectID: sample.objectID) {
      try scene.save(sample, in: store)
    }
    #expect(!sample.isStored)
    sample.unsigned = UInt64(Int64.max)
    sample.integer = .min
    try scene.save(sample, in: store)
    let again = try #require(try store.read { _ in try Sample.fetchOne() })
    #expect(again.unsigned == UInt64(Int64.max) && again.integer == .min)
  }

  @Test func `a NaN is refused in a property, a sealed property and an argument`() throws {
    let (sample, vault) = (Sample.create(), Vault.create())
    sample.real = .nan
    vault.real = .nan
    expectError(.valueMismatch, entity: "Sample", property: "real", objectID: sample.objectID) {
      try scene.save(sample, in: store)
    }
    expectError(.valueMismatch, entity: "Vault", property: "real", objectID: vault.objectID) {
      try scene.save(vault, in: store)
    }
    try store.read { database in
      expectError(.valueMismatch) { _ = try Sample.fetchAll(where: "real = ?", Double.nan) }
      expectError(.valueMismatch) { _ = try Sample.count(where: "real = ?", Double.nan) }
      expectError(.valueMismatch) { _ = try database.query("SELECT ?", Double.nan) }
      expectError(.valueMismatch, entity: "Sample", property: "real") {
        _ = try Sample.fetchOne(\.real, equals: .nan)
      }
      expectError(.valueMismatch, entity: "Sample", property: "unsigned") {
        _ = try Sample.fetchAll(\.unsigned, equals: .max)
      }
    }
    try store.write { database in
      expectError(.valueMismatch) { _ = try Sample.deleteAll(where: "real = ?", Double.nan) }
      expectError(.valueMismatch) { try database.execute("SELECT ?", UInt64.max) }
    }
    sample.real = -.infinity
    vault.real = .infinity
    try scene.save(sample, in: store)
    try scene.save(vault, in: store)
    try store.read { (_) throws in
      #expect(try Sample.fetchOne()?.real == -.infinity)
      #expect(try Vault.fetchOne()?.real == .infinity)
    }
  }

  @Test(
    arguments: [
      ("unsigned", Value.integer(-1)), ("small", .integer(128)), ("small", .integer(-129)),
    ]
      + (TestPlace.isOnServer
        // A column of a server holds values of its own type alone.
        ? []
        : [
          ("integer", .text("MARKER")), ("integer", .real(1.5)), ("integer", .blob(Data([1]))),
          ("text", .blob(Data("MARKER".utf8))), ("real", .text("MARKER")),
          ("data", .text("MARKER")),
        ])
  )
  func `a column that holds something else names entity, property and object`(
    _ column: String,
    _ value: Value
  ) throws {
    let sample = Sample.create()
    try scene.save(sample, in: store)
    try scene.edit("UPDATE \"Sample\" SET \(column) = ?1", value)
    try store.read { _ in
      expectError(.valueMismatch, entity: "Sample", property: column, objectID: sample.objectID) {
        _ = try Sample.fetchAll()
      }
      expectError(.valueMismatch, entity: "Sample", property: column, objectID: sample.objectID) {
        _ = try Sample.cursor().next()
      }
    }
  }

  @Test(.sqliteOnly("a column of a server holds values of its own type alone"))
  func `an objectID or a child's that is no UUID is a mismatch`() throws {
    let car = Car.create()
    car.spare = Wheel.create()
    try scene.save(car, in: store)
    try scene.edit("UPDATE \"Car\" SET spare = x'0102'")
    try store.read { _ in
      expectError(.valueMismatch, entity: "Car", property: "spare", objectID: car.objectID) {
        _ = try Car.fetchAll()
      }
    }
    try scene.edit("UPDATE \"Car\" SET \"objectID\" = x'01', spare = NULL")
    try store.read { _ in
      expectError(.valueMismatch, entity: "Car") { _ = try Car.fetchAll() }
      expectError(.valueMismatch, entity: "Car") { _ = try Car.cursor().next() }
    }
  }

  @Test(arguments: [Int64.max, -3, Int64.min])
  func `a child at a position that leaves no room is written anew`(position: Int64) throws {
    let car = Car.create()
    car.wheels = [Wheel.create(), Wheel.create()]
    try scene.save(car, in: store)
    let last = car.wheels[1].objectID
    try scene.edit(
      "UPDATE \"Car_wheels\" SET position = ?1 WHERE child = ?2",
      .integer(position),
      .blob(withUnsafeBytes(of: last.uuid) { Data($0) })
    )
    try store.write { (_) throws in
      let car = try #require(try Car.fetchOne())
      let wheels = car.wheels.map(\.objectID)
      car.wheels.append(Wheel.create())
      try car.save()
      #expect(try Car.fetchOne()?.wheels.map(\.objectID).prefix(2) == wheels[...])
      #expect(try Car.fetchOne()?.wheels.count == 3)
    }
    let negative = "SELECT count(*) FROM \"Car_wheels\" WHERE position < 0 OR position > 100"
    #expect(try scene.edit(negative) == [[.integer(0)]])
  }

  @Test func `too few and too many arguments are refused`() throws {
    try scene.save(Wheel.create(), in: store)
    try store.read { database in
      expectError(.badStatement) { _ = try Wheel.fetchAll(where: "size = ?") }
      expectError(.badStatement) { _ = try Wheel.fetchAll(where: "size = ?", 1, 2) }
      expectError(.badStatement) { _ = try Wheel.fetchOne(where: "1", 1) }
      expectError(.badStatement) { _ = try Wheel.count(where: "size = ? AND note = ?", 1) }
      expectError(.badStatement) { _ = try Wheel.fetchValues(\.size, where: "size = ?") }
      expectError(.badStatement) { _ = try Wheel.cursor(where: "size = ?", 1, 2).next() }
      expectError(.badStatement) { _ = try database.query("SELECT ?, ?", 1) }
      expectError(.badStatement) { _ = try Wheel.fetchAll(where: "nonesuch = 1") }
    }
    try store.write { database in
      expectError(.badStatement) { _ = try Wheel.deleteAll(where: "size = ?") }
      expectError(.badStatement) {
        try database.execute("DELETE FROM \"Wheel\" WHERE size = ?", 1, 2)
      }
    }
    #expect(try store.read { _ in try Wheel.count() } == 1)
  }

  @Test func `a condition or order that reads a sealed property names it`() throws {
    let vault = Vault.create()
    vault.secret = Marker.text
    try scene.save(vault, in: store)
    for condition in [
      "secret = ?", "\"secret\" = ?", "[SECRET] = ?", "Vault.secret = ?", "length(secret) > ?",
      "secret IS NOT 'x' AND label = ?", "? IN (SELECT secret FROM \"Vault\")",
      "label = ?) OR (secret",
    ] {
      try store.read { _ in
        expectError(.sealedCondition, entity: "Vault", property: "secret") {
          _ = try Vault.fetchAll(where: condition, Marker.text)
        }
        expectError(.sealedCondition, entity: "Vault", property: "secret") {
          _ = try Vault.cursor(where: condition, Marker.text).next()
        }
        expectError(.sealedCondition, entity: "Vault", property: "secret") {
          _ = try Vault.fetchValues(\.label, where: condition, Marker.text)
        }
      }
    }
    try store.read { (_) throws in
      expectError(.sealedCondition, entity: "Vault", property: "note") {
        _ = try Vault.fetchAll(orderBy: "note DESC")
      }
      expectError(.sealedCondition, entity: "Vault", property: "secret") {
        _ = try Vault.count(where: "secret = ?", Marker.text)
      }
      expectError(.sealedCondition, entity: "Vault", property: "secret") {
        _ = try Vault.fetchOne(\.secret, equals: Marker.text)
      }
      // Another entity's sealed column, read by a condition of this one.
      expectError(.sealedCondition, property: "secret") {
        _ = try Wheel.fetchAll(where: "note IN (SELECT secret FROM \"Vault\")")
      }
      #expect(try Vault.count() == 1)
    }
    try store.write { (_) throws in
      expectError(.sealedCondition, entity: "Vault", property: "secret") {
        _ = try Vault.deleteAll(where: "secret = ?", Marker.text)
      }
      #expect(try Vault.count() == 1)
    }
  }

  @Test func `a sealed column of an entity that this process has not touched is known, too`() throws
  {
    try scene.save(Vault.create(), in: store)
    try store.close()
    let again = try scene.open()
    try again.read { _ in
      expectError(.sealedCondition, property: "secret") {
        _ = try Wheel.fetchAll(where: "note IN (SELECT secret FROM \"Vault\")")
      }
    }
  }
}
