/// The statements that look for foreign things in the schema that concern the store's own tables.
enum OwnTableSQL {
  /// The store's own tables, each with every definition that a version of Nacre has given it, the
  /// newest first.
  ///
  /// Later versions always added columns after the existing ones, in the same order.
  static let definitions: [String: [String]] = [
    "nacre_store": [CatalogSQL.createValues], "nacre_slot": [CatalogSQL.createSlot],
    "nacre_key": [CatalogSQL.createKey], "nacre_entity": [CatalogSQL.createEntity],
    "nacre_property": (0...CatalogSQL.propertyAdditions.count).reversed()
      .map(CatalogSQL.createProperty),
    "nacre_rotation": [CatalogSQL.createRotation(), CatalogSQL.createRotation(hasMAC: false)],
    "nacre_quarantine": [VerifySQL.createQuarantine],
  ]

  /// The tables' names, in order.
  static let names = definitions.keys.sorted()

  /// The rows of the schema whose text may name one of the store's own tables: type, name, text,
  /// number of the row.
  static let mentions = mentions(in: "main")
  /// The same rows of the connection's temporary schema.
  static let temporaryMentions = mentions(in: "temp")

  private static func mentions(in schema: String) -> String {
    """
    SELECT s."type", s."name", s."sql", s."rowid" FROM \(schema)."sqlite_schema" s \
    WHERE instr(lower(s."sql"), 'nacre_') > 0 ORDER BY s."rowid"
    """
  }

  /// The tables to which a table refers by its foreign keys.
  static let references = """
    SELECT DISTINCT lower(f."table") FROM pragma_foreign_key_list(?1, 'main') f
    """
  /// The indexes that a CREATE INDEX statement made on a table: name, row of the schema.
  static let indexes = """
    SELECT i."name", s."rowid" FROM pragma_index_list(?1, 'main') i LEFT JOIN main."sqlite_schema" s \
    ON s."type" = 'index' AND s."name" = i."name" WHERE i."origin" = 'c' ORDER BY 1
    """

  // MARK: Advice

  /// Returns the statement that removes something from the schema.
  static func drop(_ kind: String, _ name: String) -> String {
    "DROP \(kind) \(SQLText.name(name))"
  }

  /// Returns a statement that prints the DROP statement, for a name that can't be shown.
  static func printDrop(_ kind: String, row: Int64) -> String {
    """
    SELECT 'DROP \(kind) "' || replace("name", '"', '""') || '"' FROM "sqlite_schema" \
    WHERE "rowid" = \(row)
    """
  }
}
