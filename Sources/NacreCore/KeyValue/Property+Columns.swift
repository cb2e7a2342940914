package import NacreEngine
import NacreStore

// Maps properties to columns of rows that do not belong to an entity: the DAO fills objects from
// them and binds to them.

extension Property {
  /// Returns the property's stored form in an object; nil for children and links.
  ///
  /// - Throws: ``NacreError`` for a value that has no stored form.
  package func stored(of object: any Entity) throws -> Value? {
    guard case .value(let value) = kind else { return nil }
    return try NacreError.wrapping { try value.get(object) }
  }

  /// The property's type, without an optional around it.
  package var valueType: Any.Type { access.type }

  /// Whether the property is stored as JSON.
  package var isJSON: Bool { access.isJSON }

  /// Sets the property of an object to a column of a row; NULL leaves it as it is.
  ///
  /// - Throws: ``NacreError`` for a column that does not fit.
  package func fill(_ object: any Entity, from row: any PreparedStatement, at index: Int32) throws {
    if row.isNull(at: index) { return }
    if let fill = access.fill, (try? fill(object, row, index)) != nil { return }
    // The column holds another form than the property's own, such as an integer for a Bool in TEXT,
    // or seconds for a date.
    try object.setValue(row.value(at: index), forKey: name)
  }
}
