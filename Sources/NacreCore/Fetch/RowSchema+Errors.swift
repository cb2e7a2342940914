import NacreStore

extension RowSchema {
  /// Makes an error that names the class or record, and the property if it is about one.
  package func error(
    _ code: NacreError.Code,
    of property: Property? = nil,
    _ detail: String? = nil
  ) -> NacreError {
    NacreError(code, entity: name, property: property?.name, detail: detail)
  }
}
