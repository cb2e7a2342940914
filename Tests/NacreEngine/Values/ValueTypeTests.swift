import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// One type of property, checked on a store.
struct ValueType: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let storedAs: String
  let sampleCount: Int
  /// Stores each sample, and compares what comes back.
  let keep: @Sendable (Store) throws -> Void
  /// Stores an object, puts another storage class into its plain column, and gives the object and that class.
  let spoil: @Sendable (Store) throws -> (entity: String, objectID: UUID, found: StorageClass)
  /// Fetches all objects.
  let fetch: @Sendable (Store) throws -> Void

  init<F: Filling>(_: F.Type) {
    testDescription = "\(F.Content.self)"
    storedAs = F.storedAs
    sampleCount = F.samples.count
    keep = { store in
      try Self.expectKept(F.self, in: store)
      try Self.expectColumns(F.self, in: store)
    }
    spoil = { store in
      let object = Holder<F>.create()
      let (misfit, found): (Value, StorageClass) =
        F.storedAs == "text" ? (.blob(Data([1])), .blob) : ("no number", .text)
      try store.write { database in
        try object.save()
        try database.execute("UPDATE \"\(Holder<F>.entitySchema.table)\" SET plain = ?", misfit)
      }
      return (Holder<F>.entitySchema.name, object.objectID, found)
    }
    fetch = { store in _ = try store.read { _ in try Holder<F>.fetchAll() } }
  }

  private static func expectKept<F: Filling>(_: F.Type, in store: Store) throws {
    for sample in F.samples {
      let object = Holder<F>.create()
      (object.plain, object.sealed) = (sample, sample)
      (object.optional, object.sealedOptional) = (sample, sample)
      try store.write { _ in try object.save() }
      try store.read { _ in
        let found = try #require(try Holder<F>.fetch(id: object.objectID))
        #expect(found.plain == sample && found.sealed == sample)
        #expect(found.optional == sample && found.sealedOptional == sample)
        let equal = try Holder<F>.fetchAll(\.plain, equals: sample).map(\.objectID)
        #expect(equal.contains(object.objectID))
        let values = try Holder<F>.fetchValues(\.optional, where: "objectID = ?", object.objectID)
        #expect(values == [sample])
      }
    }
    let absent = Holder<F>.create()
    try store.write { _ in try absent.save() }
    try store.read { _ in
      let found = try #require(try Holder<F>.fetch(id: absent.objectID))
      #expect(found.optional == nil && found.sealedOptional == nil)
      let none = try Holder<F>.fetchAll(\.optional, equals: nil)
      #expect(none.map(\.objectID) == [absent.objectID])
    }
  }

  private static func expectColumns<F: Filling>(_: F.Type, in store: Store) throws {
    let table = Holder<F>.entitySchema.table
    try store.read { database in
      let classes = try database.query(
        """
        SELECT group_concat(DISTINCT typeof(plain)), group_concat(DISTINCT typeof(sealed)),
        count(optional), count(sealedOptional), count(*) FROM "\(table)"
        """
      )
      let count = Int64(F.samples.count)
      #expect(
        classes == [
          [.text(F.storedAs), "blob", .integer(count), .integer(count), .integer(count + 1)]
        ]
      )
      let types = try database.query(
        "SELECT DISTINCT type FROM pragma_table_info('\(table)') WHERE name IN ('plain', 'optional')"
      )
      #expect(types == [[.text(F.storedAs.uppercased())]])
    }
  }
}

@Suite struct ValueTypeTests {
  let test: TestStore

  init() throws { test = try TestStore() }

  @Test(arguments: ValueType.all)
  func `each type of value is kept in its column, plain and sealed, optional and not`(
    _ type: ValueType
  ) throws {
    #expect(type.sampleCount >= 2)
    try type.keep(test.store)
  }

  @Test(arguments: ValueType.all)
  func `the error names the storage class that was found and the one that was expected`(
    _ type: ValueType
  ) throws {
    let (entity, objectID, found) = try type.spoil(test.store)
    let expected: StorageClass =
      switch type.storedAs {
      case "integer": .integer
      case "real": .real
      case "text": .text
      default: .blob
      }
    let error = thrown(.valueMismatch, entity: entity, property: "plain", objectID: objectID) {
      try type.fetch(test.store)
    }
    #expect(error?.cause as? ValueError == .unexpected(found: found, expected: expected))
    #expect(error?.description.contains("found \(found), expected \(type.storedAs)") == true)
  }

  @Test func `a column keeps digits as text and numbers as numbers`() throws {
    let (text, number) = (Holder<Scalars.OfString>.create(), Holder<Scalars.OfInt>.create())
    (text.plain, number.plain) = ("12", 12)
    try test.store.write { (database) throws in
      try text.save()
      try number.save()
      let texts = try database.query("SELECT plain, typeof(plain) FROM \"Holder_OfString\"")
      #expect(texts == [["12", "text"]])
      let numbers = try database.query("SELECT plain, typeof(plain) FROM \"Holder_OfInt\"")
      #expect(numbers == [[12, "integer"]])
      let bytes = Holder<Scalars.OfData>.create()
      try bytes.save()
      let types = "SELECT type FROM pragma_table_info('Holder_OfData') WHERE name = 'plain'"
      #expect(try database.query(types) == [["BLOB"]])
    }
  }

  @Test func `a UInt above Int64's is refused, plain and sealed, and names its property`() throws {
    let (object, sealed) = (Holder<Scalars.OfUInt>.create(), Holder<Scalars.OfUInt64>.create())
    object.optional = UInt(Int.max) + 1
    sealed.sealed = .max
    expectError(.valueMismatch, entity: "Holder_OfUInt", property: "optional") {
      try test.store.write { _ in try object.save() }
    }
    expectError(.valueMismatch, entity: "Holder_OfUInt64", property: "sealed") {
      try test.store.write { _ in try sealed.save() }
    }
  }

  @Test func `a Bool is 0 or 1, and a small integer a number of its own`() throws {
    let (truth, number) = (Holder<Scalars.OfBool>.create(), Holder<Scalars.OfInt8>.create())
    (truth.plain, number.plain) = (true, 2)
    try test.store.write { (database) throws in
      try truth.save()
      try number.save()
      #expect(try database.query("SELECT plain FROM \"Holder_OfBool\"") == [[1]])
      try database.execute("UPDATE \"Holder_OfBool\" SET plain = 2")
    }
    let found = try test.store.read { _ in try Holder<Scalars.OfInt8>.fetchOne()?.plain }
    #expect(found == 2)
    let error = thrown(.valueMismatch, property: "plain", objectID: truth.objectID) {
      try test.store.read { _ in _ = try Holder<Scalars.OfBool>.fetchOne() }
    }
    #expect(error?.cause as? ValueError == .outOfRange(type: "Bool"))
  }

  @Test func `a value is converted when it is fetched, so that one that does not fit fails there`()
    throws
  {
    let object = Holder<Compounds.OfCGRect>.create()
    try test.store.write { database in
      try object.save()
      try database.execute("UPDATE \"Holder_OfCGRect\" SET plain = '{{1, 2}, {3}}'")
    }
    let error = thrown(.valueMismatch, property: "plain", objectID: object.objectID) {
      try test.store.read { _ in _ = try Holder<Compounds.OfCGRect>.fetchAll() }
    }
    #expect(error?.cause as? ValueError == .malformed(type: "CGRect"))
  }
}
