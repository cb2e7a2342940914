import NacreCore

/// Opens the values of sealed columns.
struct RowOpening {
  let sealing: DAOSealing
  let database: Database

  func callAsFunction(_ value: Value, _ place: SealedProperty) throws -> Value {
    try sealing.open(value, place, on: database)
  }
}
