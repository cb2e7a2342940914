public import Foundation
public import NacreEngine
import NacreStore

/// A row of an entity in a migration, with its values by the names of their properties, sealed ones
/// opened.
///
/// A sealed value is opened when you read it. A value that you set is sealed as its property says,
/// with its blind index. A column without a property is found by its own name.
public struct OpenedRow {
  /// The identifier of the row's object.
  public var objectID: UUID { identity.uuid }
  let identity: ObjectID
  private let cells: [Value]
  private let columns: OpenedColumns
  /// The values that were set, by the index of their column.
  private(set) var changes: [Int: Value] = [:]

  /// Takes the current row of the columns' walk.
  init(_ row: any PreparedStatement, _ columns: OpenedColumns) throws {
    identity = try ObjectID.read(from: row, at: 0)
    cells = (1..<Int32(row.columnCount)).map { row.value(at: $0) }
    self.columns = columns
  }

  /// Returns the value of a property, or the one that was last set in this row; an optional's nil
  /// is NULL.
  ///
  /// - Parameters:
  ///   - property: the property's name; the class may no longer have the property.
  ///   - type: the type to read the value as.
  /// - Returns: the value.
  /// - Throws: ``NacreError/Code/noSuchProperty``; ``NacreError/Code/valueMismatch`` if the value
  ///   does not fit the type; the errors of opening, such as ``NacreError/Code/storeLocked``. These
  ///   name the entity, the property and the object.
  public func value<T: StorableValue>(_ property: String, as type: T.Type = T.self) throws -> T {
    let place = try columns.place(of: property, in: identity)
    return try columns.naming(property, identity) {
      try T(storedValue: try changes[place] ?? columns.open(cells[place], at: place, identity))
    }
  }

  /// Sets the value of a property; it is stored when the closure that got the row returns.
  ///
  /// - Parameters:
  ///   - property: the property's name.
  ///   - value: the value; nil for none.
  /// - Throws: ``NacreError/Code/noSuchProperty``; ``NacreError/Code/valueMismatch`` if the
  ///   property can't hold the value.
  public mutating func set(_ property: String, to value: (any StorableValue)?) throws {
    let place = try columns.place(of: property, in: identity)
    let columns = columns
    changes[place] = try columns.naming(property, identity) {
      let stored = try value?.storedValue ?? .null
      try columns.check(stored, at: place)
      return stored
    }
  }
}
