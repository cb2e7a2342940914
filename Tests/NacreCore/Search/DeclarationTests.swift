import NacreCore
import Synchronization
import TestSupport
import Testing

/// Declarations of searchable properties that no store can keep.
@Suite struct DeclarationTests {
  private func refusal<E: Entity>(_ type: E.Type) throws -> NacreError? {
    let test = try TestStore()
    return #expect(throws: NacreError.self) {
      try test.store.write { _ in try E.create().save() }
    }
  }

  @Test func `an index of few values has to be accepted`() throws {
    let error = try refusal(Few<NoLeak>.self)
    #expect(error?.code == .badDeclaration)
    #expect(error?.property == "value")
    #expect(error?.description.contains("acceptsLeakage") == true)
    let test = try TestStore()
    try test.store.write { (_) throws in
      let few = Few<Leak>.create()
      few.value = .second
      try few.save()
      #expect(try Few<Leak>.fetchAll(\.value, equals: .second).count == 1)
      #expect(try Few<Leak>.fetchAll(\.value, equals: .first).isEmpty)
    }
  }

  @Test func `widths that no index can have are refused`() throws {
    #expect(try refusal(Few<NoBits>.self)?.code == .badDeclaration)
    #expect(try refusal(Few<TooManyBits>.self)?.code == .badDeclaration)
    #expect(try refusal(Few<NarrowUnique>.self)?.code == .badDeclaration)
    #expect(try refusal(Few<HidingUnique>.self)?.code == .badDeclaration)
  }
}

/// What a `Few` declares.
protocol Declared { static var options: SealedOptions { get } }
enum NoLeak: Declared { static var options: SealedOptions { .init(isSearchable: true) } }
enum Leak: Declared {
  static var options: SealedOptions { .init(isSearchable: true, acceptsLeakage: true) }
}
enum NoBits: Declared {
  static var options: SealedOptions { .init(isSearchable: true, bits: 0, acceptsLeakage: true) }
}
enum TooManyBits: Declared {
  static var options: SealedOptions { .init(isSearchable: true, bits: 257, acceptsLeakage: true) }
}
enum NarrowUnique: Declared {
  static var options: SealedOptions { .init(isUnique: true, bits: 32, acceptsLeakage: true) }
}
enum HidingUnique: Declared {
  static var options: SealedOptions { .init(isUnique: true, acceptsLeakage: true, hidesNil: true) }
}

/// An enum, sealed as its declaration says.
final class Few<D: Declared>: Entity {
  enum Choice: String, CaseIterable { case first, second }

  var value = Choice.first { didSet { entityState.markChanged(0) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    value = try row.open(at: 0)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws { try row.seal(value, at: 0) }

  func visitChildren(_ walk: GraphWalk) {}

  static var entitySchema: EntitySchema {
    fewSchemas.withLock { schemas in
      if let known = schemas[ObjectIdentifier(D.self)] { return known }
      var builder = EntitySchemaBuilder(Few<D>.self, name: "Few")
      builder.add("value", \Few<D>.value, sealed: D.options)
      let schema = builder.build()
      schemas[ObjectIdentifier(D.self)] = schema
      return schema
    }
  }
}

/// A generic class can't have stored static properties.
private let fewSchemas = Mutex<[ObjectIdentifier: EntitySchema]>([:])
