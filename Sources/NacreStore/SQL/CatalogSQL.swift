/// The definitions and statements of the store's own tables (Vectors/FORMAT.md).
package enum CatalogSQL {
  static let createStore =
    [createValues, createSlot, createKey, createEntity, createProperty(), createRotation()]
    .joined(separator: ";\n")

  static let createValues = """
    CREATE TABLE "nacre_store" ("name" TEXT NOT NULL PRIMARY KEY, "value") WITHOUT ROWID
    """
  static let createSlot = """
    CREATE TABLE "nacre_slot" ("id" INTEGER PRIMARY KEY, "kind" TEXT NOT NULL, \
    "parameters" TEXT NOT NULL, "sealed" BLOB NOT NULL)
    """
  static let createKey = """
    CREATE TABLE "nacre_key" ("id" INTEGER PRIMARY KEY, "purpose" INTEGER NOT NULL, \
    "suite" INTEGER NOT NULL, "state" INTEGER NOT NULL, "created" INTEGER NOT NULL, \
    "sealed" BLOB, "check" BLOB, "seals" INTEGER NOT NULL DEFAULT 0)
    """
  static let createEntity = """
    CREATE TABLE "nacre_entity" ("name" TEXT NOT NULL PRIMARY KEY, "table" TEXT NOT NULL, \
    "version" INTEGER NOT NULL) WITHOUT ROWID
    """
  /// Returns the definition of the table of properties, with the first `additionCount` of the
  /// columns that later versions added.
  static func createProperty(_ additionCount: Int = propertyAdditions.count) -> String {
    let additions = propertyAdditions.prefix(additionCount).map { "\($0), " }.joined()
    return """
      CREATE TABLE "nacre_property" ("entity" TEXT NOT NULL, "name" TEXT NOT NULL, \
      "column" TEXT, "type" TEXT NOT NULL, "sealed" INTEGER NOT NULL, "kind" TEXT NOT NULL, \
      "target" TEXT, "join" TEXT, "inverse" TEXT, \(additions)PRIMARY KEY ("entity", "name")) \
      WITHOUT ROWID
      """
  }
  /// Returns the definition of the journal's table; in its first version there was no MAC.
  static func createRotation(hasMAC: Bool = true) -> String {
    """
    CREATE TABLE "nacre_rotation" ("id" INTEGER PRIMARY KEY, "kind" TEXT NOT NULL, \
    "from" TEXT NOT NULL, "to" TEXT NOT NULL, "entity" TEXT, "property" TEXT, "cursor" BLOB, \
    "phase" TEXT NOT NULL, "done" INTEGER NOT NULL DEFAULT 0, "total" INTEGER NOT NULL DEFAULT 0, \
    "failed" INTEGER NOT NULL DEFAULT 0, "started" INTEGER NOT NULL, "updated" INTEGER NOT NULL, \
    "finished" INTEGER\(hasMAC ? ", \"mac\" BLOB" : ""))
    """
  }

  /// The names of the store's own tables, including that of the quarantine, as a list in SQL.
  static let ownTables =
    "(\(OwnTableSQL.names.map { "'\($0)'" }.joined(separator: ", ")))"

  /// The columns of `nacre_property` that the first stores of format 1 lack.
  static let propertyAdditions = [
    "\"bits\" INTEGER", "\"normalizer\" TEXT", "\"unique\" INTEGER", "\"hidesNil\" INTEGER",
    "\"padding\" TEXT", "\"suite\" INTEGER", "\"optional\" INTEGER", "\"hooked\" INTEGER",
    "\"hidden\" INTEGER", "\"filled\" INTEGER",
  ]

  /// Whether the store's own tables lack columns that later versions added.
  static let lacksAdditions = """
    SELECT NOT EXISTS (SELECT 1 FROM pragma_table_info('nacre_property') WHERE "name" = 'filled') \
    OR NOT EXISTS (SELECT 1 FROM pragma_table_info('nacre_rotation') WHERE "name" = 'mac')
    """
  /// Returns the statements that add what `lacksAdditions` found missing.
  ///
  /// `present` and `journal` are the columns of the two tables in the file; they are empty for a
  /// missing table.
  static func addMissing(_ present: Set<String>, journal: Set<String>) -> [String] {
    var statements = propertyAdditions.filter { addition in
      !present.contains { addition.hasPrefix("\"\($0)\"") }
    }
    .map { "ALTER TABLE \"nacre_property\" ADD COLUMN \($0)" }
    if journal.isEmpty {
      statements.append(createRotation())
    } else if !journal.contains("mac") {
      statements.append("ALTER TABLE \"nacre_rotation\" ADD COLUMN \"mac\" BLOB")
    }
    return statements
  }

  /// Whether there are triggers, or tables with foreign keys that belong neither to an entity nor
  /// to a relationship.
  static let hasStrangers = """
    SELECT EXISTS (SELECT 1 FROM "sqlite_schema" WHERE "type" = 'trigger' OR ("type" = 'table' AND \
    "sql" LIKE '%REFERENCES%' AND \(isOfNoEntity)))
    """
  /// Whether a table of `sqlite_schema` belongs neither to an entity nor to a relationship; the
  /// catalog's tables of DAOs count as such, too.
  static let isOfNoEntity = """
    "name" NOT IN (SELECT "table" FROM "nacre_entity" WHERE "name" <> 'dao:' || "table") AND \
    "name" NOT IN (SELECT "join" FROM "nacre_property" WHERE "join" IS NOT NULL)
    """
  package static let schemaVersion = "PRAGMA schema_version"

  /// Returns the statement that limits the file to this many pages, on this connection.
  static func limit(pages count: Int) -> String { "PRAGMA max_page_count = \(count)" }

  static let tableCount = "SELECT count(*) FROM \"sqlite_schema\""
  static let hasTable = """
    SELECT 1 FROM "sqlite_schema" WHERE "type" = 'table' AND "name" = ?1 COLLATE NOCASE
    """
  static let columns = "SELECT \"name\" FROM pragma_table_info(?1)"

  /// A number that changes when another connection has changed the file
  /// (sqlite.org/pragma.html#pragma_data_version).
  package static let dataVersion = "PRAGMA data_version"

  // MARK: Store

  package static let getValue = "SELECT \"value\" FROM \"nacre_store\" WHERE \"name\" = ?1"
  package static let setValue =
    "INSERT OR REPLACE INTO \"nacre_store\" (\"name\", \"value\") VALUES (?1, ?2)"

  // MARK: Entities

  /// The entity whose rows are in the table of parameter 1.
  package static let entityOfTable =
    "SELECT \"name\" FROM \"nacre_entity\" WHERE lower(\"table\") = lower(?1)"
  package static let deleteProperty =
    "DELETE FROM \"nacre_property\" WHERE \"entity\" = ?1 AND \"name\" = ?2"
  package static let deleteProperties = "DELETE FROM \"nacre_property\" WHERE \"entity\" = ?1"
  package static let deleteEntity = "DELETE FROM \"nacre_entity\" WHERE \"name\" = ?1"
  package static let selectEntity =
    "SELECT \"table\", \"version\" FROM \"nacre_entity\" WHERE \"name\" = ?1"
  package static let insertEntity =
    "INSERT OR REPLACE INTO \"nacre_entity\" (\"name\", \"table\", \"version\") VALUES (?1, ?2, ?3)"
  package static let selectEntities =
    "SELECT \"name\", \"table\", \"version\" FROM \"nacre_entity\" ORDER BY \"name\""
  /// Selects all columns, which are read by name, because a store that is only read may lack the
  /// later ones.
  static let selectProperties =
    "SELECT * FROM \"nacre_property\" WHERE \"entity\" = ?1 ORDER BY \"name\""
  package static let insertProperty = """
    INSERT OR REPLACE INTO "nacre_property" ("entity", "name", "column", "type", "sealed", "kind", \
    "target", "join", "inverse", "bits", "normalizer", "unique", "hidesNil", "padding", "suite", \
    "optional", "hooked", "hidden", "filled") \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)
    """
  /// Every relationship whose target is the entity in parameter 1; these may refer to its objects.
  package static let selectReferrers = """
    SELECT p."entity", e."table", p."name", p."column", p."kind", p."join", p."inverse" \
    FROM "nacre_property" p JOIN "nacre_entity" e ON e."name" = p."entity" WHERE p."target" = ?1 \
    AND p."kind" <> 'dao'
    """
}

extension CatalogSQL {
  // MARK: Under the MAC
  /// All cells of the catalog.
  static let selectWholeEntities = "SELECT * FROM \"nacre_entity\""
  static let selectWholeProperties = "SELECT * FROM \"nacre_property\""
  /// Empties the catalog before it is written again from its copy.
  static let clear = "DELETE FROM \"nacre_property\"; DELETE FROM \"nacre_entity\""
  /// Clears the mark that every row of a property was sealed; the parameters are entity and name.
  package static let clearFilled =
    "UPDATE \"nacre_property\" SET \"filled\" = NULL WHERE \"entity\" = ?1 AND \"name\" = ?2"

  /// The table and column of every sealed property, and whether it has a blind index.
  static let selectSealed = """
    SELECT e."table", p."column", p."bits" IS NOT NULL FROM "nacre_property" p \
    JOIN "nacre_entity" e ON e."name" = p."entity" WHERE p."sealed" <> 0
    """
}
