import NacreEngine

/// The names and definitions of the store's own tables, for the search for foreign things in the
/// schema that concern them.
enum OwnTableSQL {
  /// The tables' names, in order.
  static let names = [
    "nacre_entity", "nacre_key", "nacre_property", "nacre_quarantine", "nacre_rotation",
    "nacre_slot", "nacre_store",
  ]

  /// Returns every definition that a version of Nacre has given a table, the newest first; none for
  /// another table.
  ///
  /// Later versions always added columns after the existing ones, in the same order.
  static func definitions(of table: String, _ dialect: any Dialect) -> [String] {
    switch table {
    case "nacre_store": [CatalogSQL.createValues(dialect)]
    case "nacre_slot": [CatalogSQL.createSlot(dialect)]
    case "nacre_key": [CatalogSQL.createKey(dialect)]
    case "nacre_entity": [CatalogSQL.createEntity(dialect)]
    case "nacre_property":
      (0...CatalogSQL.propertyAdditions.count).reversed()
        .map { CatalogSQL.createProperty(dialect, $0) }
    case "nacre_rotation":
      [CatalogSQL.createRotation(dialect), CatalogSQL.createRotation(dialect, hasMAC: false)]
    case "nacre_quarantine": [VerifySQL.createQuarantine(dialect)]
    default: []
    }
  }

  // MARK: Advice

  /// Returns the statement that removes something from the schema.
  static func drop(_ kind: String, _ name: String) -> String {
    "DROP \(kind) \(SQLText.name(name))"
  }
}
