package import NacreEngine

/// One row that the caller's own SQL returned: values by the names of their columns.
///
/// The names are those in the statement, and are compared exactly. If two columns have the same
/// name, the name means the first of them.
public struct Row: Sendable {
  let names: ColumnNames
  /// The values, in the order of the columns.
  public let values: [Value]

  package init(_ names: ColumnNames, _ values: [Value]) {
    self.names = names
    self.values = values
  }

  /// The columns' names, in their order.
  public var columns: [String] { names.all }

  /// Returns the value in a column; `Value.null` for NULL, nil if there is no such column.
  public subscript(column: String) -> Value? { names.index[column].map { values[$0] } }

  /// Returns the value in a column as a Swift type; an optional type reads NULL as nil.
  ///
  /// - Parameters:
  ///   - column: The column's name.
  ///   - type: The type.
  /// - Returns: The value.
  /// - Throws: ``NacreError/Code/noSuchColumn``, or ``NacreError/Code/valueMismatch`` if the column
  ///   holds something else; both name the column.
  public func value<T: StorableValue>(_ column: String, as type: T.Type = T.self) throws -> T {
    guard let value = self[column] else { throw NacreError(.noSuchColumn, detail: column) }
    do {
      return try T(storedValue: value)
    } catch {
      throw Self.mismatch(column, error)
    }
  }

  /// The values by their columns' names.
  public var dictionary: [String: Value] {
    Dictionary(zip(names.all, values)) { first, _ in first }
  }

  static func mismatch(_ column: String, _ error: any Error) -> NacreError {
    NacreError(.valueMismatch, detail: "column \(column)", cause: error)
  }
}

/// The names of a statement's columns, which its rows share.
package final class ColumnNames: Sendable {
  package let all: [String]
  package let index: [String: Int]

  package init(_ all: [String]) {
    self.all = all
    index = Dictionary(zip(all, all.indices)) { first, _ in first }
  }
}
