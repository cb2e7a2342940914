import NacreSQLite
import NacreStore

extension NacreError {
  /// Maps an error like `wrap(_:)` and adds the place where it happened, unless the error already
  /// has one.
  package static func wrap(
    _ error: any Error,
    at schema: EntitySchema,
    property: Int?,
    identity: ObjectID?
  ) -> any Error {
    guard var error = wrap(error) as? NacreError else { return error }
    guard error.entity == nil else { return error }
    error.entity = schema.name
    if let property, schema.properties.indices.contains(property) {
      error.property = schema.properties[property].name
    } else if let cause = error.cause as? SQLiteError, cause.isConstraint {
      error.property =
        schema.properties.first {
          $0.hasColumn
            && (cause.message.hasSuffix(": \(schema.table).\($0.column)")
              || cause.message.hasSuffix(": \(schema.table).\($0.indexColumn ?? $0.column)"))
        }?.name
    }
    if let identity, identity.high | identity.low != 0 { error.objectID = identity.uuid }
    return error
  }
}
