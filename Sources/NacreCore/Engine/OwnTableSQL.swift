/// The statements that look for what somebody else has put into the schema beside the store's own tables, or into them.
enum OwnTableSQL {
  /// The store's own tables, each with the columns of its primary key.
  static let keys: [String: [String]] = [
    "nacre_store": ["name"], "nacre_slot": ["id"], "nacre_key": ["id"], "nacre_entity": ["name"],
    "nacre_property": ["entity", "name"], "nacre_rotation": ["id"], "nacre_quarantine": ["id"],
  ]

  /// What the text of such a table's definition can hold beside names, brackets and commas; a default is 0.
  ///
  /// All that makes SQLite do other than a statement says has a word that is not among them: CHECK, COLLATE, CONFLICT,
  /// GENERATED, REFERENCES, UNIQUE, VIRTUAL.
  static let definitionWords: Set<String> = [
    "CREATE", "TABLE", "TEXT", "INTEGER", "BLOB", "NOT", "NULL", "PRIMARY", "KEY", "WITHOUT",
    "ROWID", "DEFAULT",
  ]

  /// The words that such a text begins with.
  static let beginning = ["CREATE", "TABLE"]

  /// The rows of the schema whose text may name a table of the store's own: type, name, text, number of the row.
  static let mentions = mentions(in: "main")
  /// The same of the connection's temporary schema.
  static let temporaryMentions = mentions(in: "temp")

  private static func mentions(in schema: String) -> String {
    """
    SELECT s."type", s."name", s."sql", s."rowid" FROM \(schema)."sqlite_schema" s \
    WHERE instr(lower(s."sql"), 'nacre_') > 0 ORDER BY s."rowid"
    """
  }

  /// The tables that a table refers to by its foreign keys.
  static let references = """
    SELECT DISTINCT lower(f."table") FROM pragma_foreign_key_list(?1, 'main') f
    """
  /// The columns of a table's primary key, in its order.
  static let key = """
    SELECT c."name" FROM pragma_table_xinfo(?1, 'main') c WHERE c."pk" > 0 ORDER BY c."pk"
    """

  /// The indexes that somebody has made on a table: name, row of the schema.
  static let indexes = """
    SELECT i."name", s."rowid" FROM pragma_index_list(?1, 'main') i LEFT JOIN main."sqlite_schema" s \
    ON s."type" = 'index' AND s."name" = i."name" WHERE i."origin" = 'c' ORDER BY 1
    """

  // MARK: Advice

  /// The statement that takes something out of the schema.
  static func drop(_ kind: String, _ name: String) -> String {
    "DROP \(kind) \(SQLText.name(name))"
  }

  /// The statement that prints the one that does, for a name that can't be shown.
  static func printDrop(_ kind: String, row: Int64) -> String {
    """
    SELECT 'DROP \(kind) "' || replace("name", '"', '""') || '"' FROM "sqlite_schema" \
    WHERE "rowid" = \(row)
    """
  }
}
