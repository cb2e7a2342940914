import Foundation
import Nacre
import Testing
@testable import TestSupport

/// Every property type, plain and sealed, optional and not.
@Suite struct ValueTests {
  let test: TestStore

  init() throws { test = try TestStore() }

  // MARK: - Kept

  @Test(arguments: ValueSlot.all)
  func `a value comes back as it was, plain and sealed, optional and not`(_ slot: ValueSlot) throws
  {
    try slot.check(test.store)
  }

  @Test(.sqliteOnly("it asks for SQLite's storage classes"), arguments: ValueSlot.all)
  func `a value is stored in the storage class of its type, and sealed as bytes`(_ slot: ValueSlot)
    throws
  {
    try slot.check(test.store)
    try test.store.read { (database) throws in
      func storageClasses(_ table: String) throws -> Set<Value> {
        let rows = try database.query("SELECT DISTINCT typeof(\"\(slot.name)\") FROM \(table)")
        return Set(rows.joined())
      }
      let (plain, sealed) = (Value.text(slot.storedAs), Value.text("blob"))
      #expect(try storageClasses("AllValues") == [plain])
      #expect(try storageClasses("AllOptionals") == [plain, .text("null")])
      #expect(try storageClasses("SealedValues") == [sealed])
      #expect(try storageClasses("SealedOptionals") == [sealed, .text("null")])
    }
  }

  @Test func `there is a slot for every property of the four classes`() {
    let names = ValueSlot.all.map(\.name).sorted()
    let schemas = [
      AllValues.entitySchema, AllOptionals.entitySchema, SealedValues.entitySchema,
      SealedOptionals.entitySchema,
    ]
    for schema in schemas { #expect(schema.properties.map(\.name).sorted() == names) }
  }

  @Test(.sqliteOnly("it asks for SQLite's storage classes"))
  func `a column is declared with the type of its storage class`() throws {
    try test.store.write { (database) throws in
      try AllValues.create().save()
      try SealedValues.create().save()
      let declared = try database.query("SELECT name, type FROM pragma_table_info('AllValues')")
      var types = Dictionary(uniqueKeysWithValues: declared.map { ($0[0], $0[1]) })
      #expect(types.removeValue(forKey: "objectID") == "BLOB")
      for slot in ValueSlot.all {
        #expect(types[.text(slot.name)] == .text(slot.storedAs.uppercased()), "\(slot)")
      }
      let sealed = try database.query("SELECT DISTINCT type FROM pragma_table_info('SealedValues')")
      #expect(sealed == [["BLOB"]])
    }
  }

  @Test(.sqliteOnly("a server's types have forms of their own"))
  func `values are stored in the forms that other programs expect`() throws {
    let object = AllValues.create()
    object.bool = true
    object.date = Date(timeIntervalSince1970: 1_732_183_456.5)
    object.uuid = try #require(UUID(uuidString: "01939E34-5C00-7ABC-8DEF-0123456789AB"))
    object.url = try #require(URL(string: "https://example.org/a?b"))
    object.decimal = try #require(Decimal(string: "-12345678901234567890.123456789"))
    object.fuel = .diesel
    object.gear = .second
    object.position = Position(x: 1.5, y: -2)
    object.price = Money(cents: 499)
    object.strings = ["b", "a/c"]
    object.numbers = ["z": 1, "a": 2]
    let row = try test.store.write { (database) throws in
      try object.save()
      return try database.query(
        """
        SELECT bool, date, hex(uuid), url, decimal, fuel, gear, position, price, strings, numbers
        FROM AllValues
        """
      )
    }
    let expected: [Value] = [
      1, 1_732_183_456.5, "01939E345C007ABC8DEF0123456789AB", "https://example.org/a?b",
      "-12345678901234567890.123456789", "diesel", 2, "{\"x\":1.5,\"y\":-2}", 499,
      "[\"b\",\"a/c\"]", "{\"a\":2,\"z\":1}",
    ]
    #expect(row == [expected])
  }

  /// A `Date` counts from 2001; one that is not a multiple of 2^-22 s is rounded when it is counted from 1970.
  @Test func `a date of today comes back to within a quarter of a microsecond`() throws {
    let (plain, sealed) = (AllValues.create(), SealedValues.create())
    try test.store.write { _ in
      (plain.date, sealed.date) = (Date(), Date())
      try plain.save()
      try sealed.save()
    }
    try test.store.read { (_) throws in
      let found = try #require(try AllValues.fetchOne())
      #expect(abs(found.date.timeIntervalSince(plain.date)) < 0.000_000_25)
      let opened = try #require(try SealedValues.fetchOne())
      #expect(abs(opened.date.timeIntervalSince(sealed.date)) < 0.000_000_25)
    }
  }

  @Test func `a sealed number keeps every bit, the sign of zero, too`() throws {
    let object = SealedValues.create()
    object.double = -0.0
    object.float = -0.0
    try test.store.write { _ in try object.save() }
    let found = try #require(try test.store.read { _ in try SealedValues.fetchOne() })
    #expect(found.double.sign == .minus && found.float.sign == .minus)
  }

  @Test(arguments: [.null, 7, 0.5, "7", "", .blob(Data("7".utf8)), .blob(Data())] as [Value])
  func `a property of type Value takes any storage class as it is`(_ value: Value) throws {
    let object = Anything.create()
    (object.plain, object.optional, object.sealed) = (value, value, value)
    try test.store.write { _ in try object.save() }
    let found = try #require(try test.store.read { _ in try Anything.fetchOne() })
    #expect(found.plain == value && found.sealed == value)
    #expect(found.optional == (value == .null ? nil : value))
  }
}
