import NacreEngine
import NacreStore

extension NacreError {
  /// Maps an error like `wrap(_:)` and adds the place where it happened, unless the error already
  /// has one.
  package static func wrap(
    _ error: any Error,
    at schema: RowSchema,
    property: Int? = nil,
    identity: ObjectID? = nil
  ) -> any Error {
    guard var error = wrap(error) as? NacreError else { return error }
    guard error.entity == nil else { return error }
    error.entity = schema.name
    if let property, schema.properties.indices.contains(property) {
      error.property = schema.properties[property].name
    } else if let place = (error.cause as? any EngineError)?.violation?.place {
      error.property = schema.property(at: place)
    }
    if let identity, identity.high | identity.low != 0 { error.objectID = identity.uuid }
    return error
  }
}

extension RowSchema {
  /// The name of the property whose column, or index column, is at `table.column`.
  fileprivate func property(at place: String) -> String? {
    let place = SQLName(place)
    return properties.first { property in
      property.hasColumn
        && [property.column, property.indexColumn].contains { column in
          column.map { SQLName("\(table).\($0)") } == place
        }
    }?.name
  }
}
