import NacreEngine
import NacreStore

extension NacreError {
  /// Maps an error like `wrap(_:)` and adds the place where it happened, unless the error already
  /// has one.
  package static func wrap(
    _ error: any Error,
    at schema: RowSchema,
    property: Int?,
    identity: ObjectID?
  ) -> any Error {
    guard var error = wrap(error) as? NacreError else { return error }
    guard error.entity == nil else { return error }
    error.entity = schema.name
    if let property, schema.properties.indices.contains(property) {
      error.property = schema.properties[property].name
    } else if let column = (error.cause as? any EngineError)?.violation?.column,
      SQLName(column.table) == SQLName(schema.table)
    {
      let name = SQLName(column.column)
      error.property =
        schema.properties.first {
          $0.hasColumn && (SQLName($0.column) == name || $0.indexColumn.map(SQLName.init) == name)
        }?.name
    }
    if let identity, identity.high | identity.low != 0 { error.objectID = identity.uuid }
    return error
  }
}
