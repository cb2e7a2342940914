import NacreCore

extension ModelTable.Model {
  /// The name of the entity's property that a column fills: the property of its name, or else the only one whose name
  /// differs in case alone.
  ///
  /// It is nil if there is none, and for a Codable type, whose properties are known only when it asks for them.
  func property(ofColumn column: String) -> String? {
    guard let entity = type as? any Entity.Type else { return nil }
    if entity.entitySchema.property(named: column) != nil { return column }
    let found = entity.entitySchema.properties.map(\.name).filter { SQLName($0) == SQLName(column) }
    return found.count == 1 ? found.first : nil
  }
}
