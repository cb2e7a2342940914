import Foundation
import Nacre
import Testing
import TestSupport

/// One type of property: where it stands in the four classes, and values that are hard to keep.
struct ValueSlot: Sendable, CustomTestStringConvertible {
  let name: String
  /// What SQLite's `typeof()` says of the column.
  let storedAs: String
  /// Stores the values in the four classes and compares what comes back.
  let check: @Sendable (Store) throws -> Void

  var testDescription: String { name }

  init<V: Equatable & Sendable>(
    _ name: String,
    storedAs: String,
    _ values: [V],
    _ plain: any ReferenceWritableKeyPath<AllValues, V> & Sendable,
    _ sealed: any ReferenceWritableKeyPath<SealedValues, V> & Sendable,
    _ optional: any ReferenceWritableKeyPath<AllOptionals, V?> & Sendable,
    _ sealedOptional: any ReferenceWritableKeyPath<SealedOptionals, V?> & Sendable
  ) {
    self.name = name
    self.storedAs = storedAs
    check = { store in
      try Self.expectKept(plain, values, in: store)
      try Self.expectKept(sealed, values, in: store)
      try Self.expectKept(optional, [nil] + values, in: store)
      try Self.expectKept(sealedOptional, [nil] + values, in: store)
      try store.read { _ in
        for value in values {
          let found = try AllValues.fetchOne(plain, equals: value)?[keyPath: plain]
          #expect(found == value)
        }
        let absent = try AllOptionals.fetchAll(optional, equals: nil)
        #expect(absent.count == 1)
      }
    }
  }

  /// Each value comes back as it was: in an object, in `fetchValues`, and as a change of a stored object.
  private static func expectKept<E: Entity, V: Equatable>(
    _ path: ReferenceWritableKeyPath<E, V>,
    _ values: [V],
    in store: Store
  ) throws {
    let objects = values.map { value in
      let object = E.create()
      object[keyPath: path] = value
      return object
    }
    try store.write { _ in for object in objects { try object.save() } }
    try expectFetched(path, values, of: objects, in: store)
    try store.write { _ in
      for (object, value) in zip(objects, values.reversed()) {
        object[keyPath: path] = value
        try object.save()
      }
    }
    try expectFetched(path, values.reversed(), of: objects, in: store)
  }

  private static func expectFetched<E: Entity, V: Equatable>(
    _ path: KeyPath<E, V>,
    _ values: [V],
    of objects: [E],
    in store: Store
  ) throws {
    try store.read { _ in
      for (object, value) in zip(objects, values) {
        let fetched = try #require(try E.fetch(id: object.objectID))
        #expect(fetched[keyPath: path] == value, "\(E.self)")
        #expect(!fetched.hasChanges)
      }
      let columns: [V] = try E.fetchValues(path, orderBy: "objectID")
      #expect(columns == values, "\(E.self)")
    }
  }
}

extension Money: Equatable {
  static func == (a: Money, b: Money) -> Bool { a.cents == b.cents }
}
