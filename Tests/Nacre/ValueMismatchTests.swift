import Foundation
import Nacre
import Testing
@testable import TestSupport

/// Values that their columns can't hold, and columns that their properties can't take.
@Suite struct ValueMismatchTests {
  let test: TestStore

  init() throws { test = try TestStore() }

  private func expectMismatch(
    _ entity: String,
    _ property: String,
    _ objectID: UUID,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    let error = #expect(throws: NacreError.self, sourceLocation: sourceLocation, performing: body)
    #expect(error?.code == .valueMismatch, sourceLocation: sourceLocation)
    #expect(error?.entity == entity, sourceLocation: sourceLocation)
    #expect(error?.property == property, sourceLocation: sourceLocation)
    #expect(error?.objectID == objectID, sourceLocation: sourceLocation)
  }

  // MARK: - Columns that other programs have changed

  /// Each column with a literal that has no place in it.
  private static let misfits = [
    ("bool", "2"), ("bool", "'true'"), ("int", "0.5"), ("int8", "128"), ("int16", "-32769"),
    ("int32", "2147483648"), ("int64", "9223372036854775808"), ("uint", "-1"), ("uint8", "256"),
    ("uint16", "65536"), ("uint32", "-1"), ("uint64", "-1"), ("float", "'fast'"),
    ("double", "x'00'"), ("string", "x'41'"), ("data", "'text'"), ("date", "'2026-11-21'"),
    ("uuid", "x'0102'"), ("uuid", "'01939E34-5C00-7ABC-8DEF-0123456789AB'"), ("url", "x'68'"),
    ("decimal", "'a lot'"), ("decimal", "''"), ("decimal", "'12 monkeys'"), ("decimal", "'1.5.2'"),
    ("fuel", "'coal'"), ("gear", "9"), ("gear", "'first'"), ("trim", "''"), ("position", "'{}'"),
    ("position", "'{\"x\":1,\"y\":2'"), ("price", "'free'"), ("strings", "'[1]'"),
    ("numbers", "'{\"a\":1.5}'"), ("numbers", "x'7b7d'"),
  ]

  @Test(.sqliteOnly("a server's column takes no value of another type"), arguments: misfits)
  func `a value that does not fit names entity, property and object`(
    _ column: String,
    _ literal: String
  ) throws {
    let (plain, optional) = (AllValues.create(), AllOptionals.create())
    try test.store.write { database in
      try plain.save()
      try optional.save()
      try database.execute("UPDATE AllValues SET \"\(column)\" = \(literal)")
      try database.execute("UPDATE AllOptionals SET \"\(column)\" = \(literal)")
    }
    try test.store.read { _ in
      expectMismatch("AllValues", column, plain.objectID) { _ = try AllValues.fetchAll() }
      expectMismatch("AllValues", column, plain.objectID) {
        _ = try AllValues.fetch(id: plain.objectID)
      }
      expectMismatch("AllOptionals", column, optional.objectID) {
        _ = try AllOptionals.cursor().next()
      }
    }
  }

  @Test func `fetchValues names the property that does not fit and reads the others`() throws {
    let object = AllValues.create()
    try test.store.write { database in
      try object.save()
      try database.execute("UPDATE \"AllValues\" SET gear = 9, fuel = 'diesel'")
    }
    try test.store.read { (_) throws in
      expectMismatch("AllValues", "gear", object.objectID) {
        _ = try AllValues.fetchValues(\.fuel, \.gear)
      }
      let fuels = try AllValues.fetchValues(\.fuel)
      #expect(fuels == [.diesel])
    }
  }

  // MARK: - Values without a stored form

  private func expectRefused<E: Entity>(
    _ type: E.Type,
    _ property: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (E) -> Void
  ) throws {
    let object = E.create()
    change(object)
    expectMismatch(
      E.entitySchema.name,
      property,
      object.objectID,
      sourceLocation: sourceLocation
    ) { try test.store.write { _ in try object.save() } }
    #expect(!object.isStored, sourceLocation: sourceLocation)
    let count = try test.store.read { _ in try E.count() }
    #expect(count == 0, sourceLocation: sourceLocation)
  }

  @Test func `a value without a stored form is refused, plain and sealed`() throws {
    try expectRefused(AllValues.self, "uint64") { $0.uint64 = .max }
    try expectRefused(AllValues.self, "uint") { $0.uint = UInt(Int.max) + 1 }
    try expectRefused(AllValues.self, "float") { $0.float = .nan }
    try expectRefused(AllValues.self, "double") { $0.double = .signalingNaN }
    try expectRefused(AllValues.self, "date") { $0.date = Date(timeIntervalSince1970: .nan) }
    try expectRefused(AllValues.self, "decimal") { $0.decimal = .nan }
    try expectRefused(AllValues.self, "position") { $0.position.x = .infinity }
    try expectRefused(AllOptionals.self, "position") { $0.position = Position(x: .nan) }
    try expectRefused(SealedValues.self, "uint64") { $0.uint64 = .max }
    try expectRefused(SealedValues.self, "float") { $0.float = .nan }
    try expectRefused(SealedValues.self, "decimal") { $0.decimal = .nan }
    try expectRefused(SealedOptionals.self, "position") { $0.position = Position(y: .infinity) }
  }
}
