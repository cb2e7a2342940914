import Foundation
import NacreEngine
import NacreStore

/// An adapter that shows another statement as one of an entity's rows: its parameters from 2 on and
/// its columns from 1 on are the entity's properties.
///
/// A binder uses only the parameters, and a filler only the columns.
final class RedirectedStatement: EngineStatement {
  private let statement: any PreparedStatement
  /// The statement's parameter or column for each property; -1 for none.
  @exclusivity(unchecked) private(set) var places: [Int32]
  /// The values of columns without a place; a binder needs none.
  private let defaults: [Value]
  /// The bytes of those defaults that are blobs, in memory that does not move.
  private let blobs: [UnsafeMutableRawBufferPointer?]

  /// Makes an adapter without places for that many properties.
  init(_ statement: any PreparedStatement, count: Int, defaults: [Value] = []) {
    self.statement = statement
    places = Array(repeating: -1, count: count)
    self.defaults = defaults
    blobs = defaults.map { value in
      guard case .blob(let data) = value else { return nil }
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count, alignment: 1)
      bytes.copyBytes(from: data)
      return bytes
    }
  }

  deinit { for bytes in blobs { bytes?.deallocate() } }

  /// Gives a property a parameter or column of the statement.
  func place(_ property: Property, at index: Int32) { places[property.index] = index }

  // A binder or filler never runs the statement.
  func run() throws {}
  func step() throws -> Bool { false }
  func reset() {}

  // MARK: Parameters

  /// Returns the statement's own parameter; nil if the property was not asked for.
  ///
  /// The entity's code can bind a property from the 64th on without being asked for it.
  private func parameter(_ index: Int32) -> Int32? {
    let parameter = places[Int(index) - 2]
    return parameter < 0 ? nil : parameter
  }

  func bind(_ value: Int64, at index: Int32) throws {
    if let index = parameter(index) { try statement.bind(value, at: index) }
  }
  func bind(_ value: Double, at index: Int32) throws {
    if let index = parameter(index) { try statement.bind(value, at: index) }
  }
  func bind(text: String, at index: Int32) throws {
    if let index = parameter(index) { try statement.bind(text: text, at: index) }
  }
  func bind(blob: UnsafeRawBufferPointer, at index: Int32) throws {
    if let index = parameter(index) { try statement.bind(blob: blob, at: index) }
  }
  func bindNull(at index: Int32) throws {
    if let index = parameter(index) { try statement.bindNull(at: index) }
  }

  // MARK: Columns

  /// Returns the statement's own column; nil if there is none or it is NULL.
  private func column(_ index: Int32) -> Int32? {
    let column = places[Int(index) - 1]
    return column < 0 || statement.isNull(at: column) ? nil : column
  }

  private func value(_ index: Int32) -> Value { defaults[Int(index) - 1] }

  func integer(at index: Int32) -> Int64? {
    if let column = column(index) { return statement.integer(at: column) }
    if case .integer(let number) = value(index) { return number }
    return nil
  }

  func real(at index: Int32) -> Double? {
    if let column = column(index) { return statement.real(at: column) }
    if case .real(let number) = value(index) { return number }
    return nil
  }

  func string(at index: Int32) -> String? {
    if let column = column(index) { return statement.string(at: column) }
    if case .text(let text) = value(index) { return text }
    return nil
  }

  func bytes(at index: Int32) -> UnsafeRawBufferPointer? {
    if let column = column(index) { return statement.bytes(at: column) }
    return blobs[Int(index) - 1].map { UnsafeRawBufferPointer($0) }
  }

  func isNull(at index: Int32) -> Bool { column(index) == nil && value(index) == .null }

  func storageClass(at index: Int32) -> StorageClass {
    if let column = column(index) { return statement.storageClass(at: column) }
    return value(index).storageClass
  }
}
