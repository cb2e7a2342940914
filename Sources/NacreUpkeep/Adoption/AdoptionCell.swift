import NacreEngine
import NacreStore

/// How one cell of a row of the store is made of a row of a foreign table.
struct AdoptionCell {
  /// Where the cell's value comes from.
  enum Source {
    /// A column of the foreign row, or nil for a constant; `preset` stands for NULL.
    case value(place: Int?, form: AdoptedForm?, preset: Value?)
    /// The key of another row.
    case reference(AdoptionReference)
    /// A position in a list.
    case position(place: Int)
  }

  /// The column in the store.
  let column: String
  /// The property, or the column of a record's table.
  let property: String
  /// The column in the foreign file, for misfits; nil for a constant.
  let sourceColumn: String?
  /// The storage type of the value, before it is sealed.
  let type: String
  let isSealed: Bool
  let refusesNull: Bool
  let source: Source

  /// Returns the value to store, not sealed yet.
  ///
  /// - Throws: ``AdoptionFault``.
  func value(_ row: ForeignRow) throws -> Value {
    switch source {
    case .reference(let reference):
      if let identity = try reference.objectID(row) { return .blob(identity.data) }
    case .position(let place):
      let value = try row.value(at: place)
      if case .null = value { return .null }
      guard let position = AdoptionCell.position(value) else {
        throw AdoptionFault(.badPosition, column: sourceColumn)
      }
      return .integer(position)
    case .value(let place, let form, let preset):
      var value = try place.map { try row.value(at: $0) } ?? .null
      if case .null = value, let preset { value = preset }
      if case .null = value { break }
      guard let stored = AdoptionCell.stored(value, form, type) else {
        throw AdoptionFault(.wrongType, column: sourceColumn)
      }
      return stored
    }
    if refusesNull { throw AdoptionFault(.missingValue, column: sourceColumn) }
    return .null
  }

  /// Returns what a property of a storage type stores for a value; nil if the value does not fit.
  static func stored(_ value: Value, _ form: AdoptedForm?, _ type: String) -> Value? {
    guard let form else { return AdoptedForm.plain(value, as: type) }
    return form.stored(value, as: type)
  }

  /// Returns a position in a list; nil if the value is none.
  static func position(_ value: Value) -> Int64? {
    guard case .integer(let position)? = AdoptedForm.plain(value, as: "INTEGER"),
      (0..<Int64.max).contains(position)
    else { return nil }
    return position
  }
}

/// A reference from a foreign row to another, by the key of that one.
struct AdoptionReference {
  /// The columns with the key, by their places in the row that is read.
  let places: [Int]
  /// The names of the columns, for misfits.
  let columns: String
  let identity: AdoptedIdentity
  /// The store's table in which the object has to be; nil if that is not checked.
  let table: String?

  /// Returns the objectID to which the row refers; nil if a column of the key is NULL.
  ///
  /// - Throws: ``AdoptionFault``.
  func objectID(_ row: ForeignRow) throws -> ObjectID? {
    var key: [Value] = []
    for place in places {
      let value = try row.value(at: place)
      if case .null = value { return nil }
      key.append(value)
    }
    guard let found = try identity.objectID(key) else {
      throw AdoptionFault(.badKey, column: columns)
    }
    return found
  }
}

/// The columns of a foreign table to read, each once.
struct ColumnPlaces {
  private(set) var names: [String] = []

  /// Returns the place of a column, and adds it if it is new.
  mutating func place(of name: String) -> Int {
    if let place = names.firstIndex(of: name) { return place }
    names.append(name)
    return names.count - 1
  }
}
