public import Foundation
import NacreSQLite
public import NacreStore

/// A row of an entity in a migration: its values by the names of their properties, the sealed ones opened.
///
/// A sealed value is opened when it is asked for, and one that is set is sealed as its property says, with its blind index.
/// A column that no property has is found by its own name.
public struct OpenedRow {
  /// Which object's row it is.
  public var objectID: UUID { identity.uuid }
  let identity: ObjectID
  private let cells: [Value]
  private let columns: OpenedColumns
  /// The values that were set, by the place of their column.
  private(set) var changes: [Int: Value] = [:]

  init(_ identity: ObjectID, _ cells: [Value], _ columns: OpenedColumns) {
    self.identity = identity
    self.cells = cells
    self.columns = columns
  }

  /// The value of a property, that which was set last in this row; NULL is nil of an optional.
  ///
  /// - Parameters:
  ///   - property: the property's name, also of one that the class no longer has.
  ///   - type: the type.
  /// - Returns: the value.
  /// - Throws: ``NacreError/Code/noSuchProperty``; ``NacreError/Code/valueMismatch`` when it is no value of that type;
  ///   what opening throws, ``NacreError/Code/storeLocked`` among it. Each names entity, property and object.
  public func value<T: StorableValue>(_ property: String, as type: T.Type = T.self) throws -> T {
    let place = try columns.place(of: property)
    return try columns.naming(property, identity) {
      try T(storedValue: try changes[place] ?? columns.open(cells[place], at: place, identity))
    }
  }

  /// Sets the value of a property, which is stored when the row's closure returns.
  ///
  /// - Parameters:
  ///   - property: the property's name.
  ///   - value: the value; nil for none.
  /// - Throws: ``NacreError/Code/noSuchProperty``; ``NacreError/Code/valueMismatch`` for what the property can't hold.
  public mutating func set(_ property: String, to value: (any StorableValue)?) throws {
    let place = try columns.place(of: property)
    let columns = columns
    changes[place] = try columns.naming(property, identity) {
      let stored = try value?.storedValue ?? .null
      try columns.check(stored, at: place)
      return stored
    }
  }
}
