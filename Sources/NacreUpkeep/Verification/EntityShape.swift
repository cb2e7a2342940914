import NacreCore

/// What of an entity can be looked at, because the file has what the catalog says of it.
struct EntityShape {
  var entity: CatalogEntity
  /// Sealed properties with all their columns, hooked ones and those that are being converted left out.
  var sealed: [CatalogProperty] = []
  /// References in a column, with the table that they lead to.
  var references: [(property: CatalogProperty, target: String)] = []
  /// To-many relationships with a table of their own.
  var joins: [(property: CatalogProperty, join: VerifySQL.Join)] = []
  var skipped: [SkippedProperty] = []
  /// Whether the table has a column for objectIDs.
  var isReadable = true
}
