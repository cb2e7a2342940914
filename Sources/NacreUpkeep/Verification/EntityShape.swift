import NacreStore

/// The parts of an entity that can be checked, because the file has what the catalog says about them.
struct EntityShape {
  var entity: CatalogEntity
  /// The sealed properties whose columns all exist, without hooked ones and those that are being converted.
  var sealed: [CatalogProperty] = []
  /// References in a column, with the table that they refer to.
  var references: [(property: CatalogProperty, target: String)] = []
  /// To-many relationships with a table of their own.
  var joins: [(property: CatalogProperty, join: VerifySQL.Join)] = []
  var skipped: [SkippedProperty] = []
  /// The full-text index; nil if there is none, or the file has it in another form.
  var fullText: FullTextIndex?
  /// Whether the table has a column for objectIDs.
  var isReadable = true
}
