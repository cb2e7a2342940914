/// The definitions and statements of the store's own tables (Vectors/FORMAT.md).
enum CatalogSQL {
  static let createStore = """
    CREATE TABLE "nacre_store" ("name" TEXT NOT NULL PRIMARY KEY, "value") WITHOUT ROWID;
    CREATE TABLE "nacre_slot" ("id" INTEGER PRIMARY KEY, "kind" TEXT NOT NULL, \
    "parameters" TEXT NOT NULL, "sealed" BLOB NOT NULL);
    CREATE TABLE "nacre_key" ("id" INTEGER PRIMARY KEY, "purpose" INTEGER NOT NULL, \
    "suite" INTEGER NOT NULL, "state" INTEGER NOT NULL, "created" INTEGER NOT NULL, \
    "sealed" BLOB, "check" BLOB, "seals" INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE "nacre_entity" ("name" TEXT NOT NULL PRIMARY KEY, "table" TEXT NOT NULL, \
    "version" INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE "nacre_property" ("entity" TEXT NOT NULL, "name" TEXT NOT NULL, \
    "column" TEXT, "type" TEXT NOT NULL, "sealed" INTEGER NOT NULL, "kind" TEXT NOT NULL, \
    "target" TEXT, "join" TEXT, "inverse" TEXT, PRIMARY KEY ("entity", "name")) WITHOUT ROWID;
    """

  /// Whether there are triggers, or tables with foreign keys that are not the store's.
  static let hasStrangers = """
    SELECT EXISTS (SELECT 1 FROM "sqlite_schema" WHERE "type" = 'trigger' OR ("type" = 'table' AND \
    "sql" LIKE '%REFERENCES%' AND "name" NOT IN (SELECT "table" FROM "nacre_entity") AND \
    "name" NOT IN (SELECT "join" FROM "nacre_property" WHERE "join" IS NOT NULL)))
    """
  static let schemaVersion = "PRAGMA schema_version"

  /// Limits the file to so many pages, on this connection.
  static func limit(pages count: Int) -> String { "PRAGMA max_page_count = \(count)" }

  static let tableCount = "SELECT count(*) FROM \"sqlite_schema\""
  static let hasTable = "SELECT 1 FROM \"sqlite_schema\" WHERE \"type\" = 'table' AND \"name\" = ?1"
  static let columns = "SELECT \"name\" FROM pragma_table_info(?1)"

  // MARK: Store

  static let getValue = "SELECT \"value\" FROM \"nacre_store\" WHERE \"name\" = ?1"
  static let setValue =
    "INSERT OR REPLACE INTO \"nacre_store\" (\"name\", \"value\") VALUES (?1, ?2)"

  // MARK: Ring

  static let selectSlots =
    "SELECT \"id\", \"kind\", \"parameters\", \"sealed\" FROM \"nacre_slot\" ORDER BY \"id\""
  /// Whether anything of a ring is there.
  static let ringRemains = """
    SELECT EXISTS (SELECT 1 FROM "nacre_key") OR EXISTS (SELECT 1 FROM "nacre_slot") \
    OR EXISTS (SELECT 1 FROM "nacre_store" WHERE "name" = 'ringMAC')
    """
  static let insertSlot =
    "INSERT INTO \"nacre_slot\" (\"id\", \"kind\", \"parameters\", \"sealed\") VALUES (?1, ?2, ?3, ?4)"
  static let selectKeys = """
    SELECT "id", "purpose", "suite", "state", "created", "sealed", "check" FROM "nacre_key" \
    ORDER BY "id"
    """
  static let insertKey = """
    INSERT INTO "nacre_key" ("id", "purpose", "suite", "state", "created", "sealed", "check") \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    """
  static let selectSeals = "SELECT \"seals\" FROM \"nacre_key\" WHERE \"id\" = ?1"
  static let setSeals = "UPDATE \"nacre_key\" SET \"seals\" = ?2 WHERE \"id\" = ?1"

  // MARK: Entities

  static let selectEntity =
    "SELECT \"table\", \"version\" FROM \"nacre_entity\" WHERE \"name\" = ?1"
  static let insertEntity =
    "INSERT OR REPLACE INTO \"nacre_entity\" (\"name\", \"table\", \"version\") VALUES (?1, ?2, ?3)"
  static let selectEntities =
    "SELECT \"name\", \"table\", \"version\" FROM \"nacre_entity\" ORDER BY \"name\""
  static let selectProperties = """
    SELECT "name", "column", "type", "sealed", "kind", "target", "join", "inverse" \
    FROM "nacre_property" WHERE "entity" = ?1 ORDER BY "name"
    """
  static let insertProperty = """
    INSERT OR REPLACE INTO "nacre_property" ("entity", "name", "column", "type", "sealed", "kind", \
    "target", "join", "inverse") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    """
  /// Every relationship whose target is an entity: what may refer to its objects.
  static let selectReferrers = """
    SELECT p."entity", e."table", p."name", p."column", p."kind", p."join", p."inverse" \
    FROM "nacre_property" p JOIN "nacre_entity" e ON e."name" = p."entity" WHERE p."target" = ?1
    """
}

extension CatalogSQL {
  /// The table and column of every sealed property.
  static let selectSealed = """
    SELECT e."table", p."column" FROM "nacre_property" p \
    JOIN "nacre_entity" e ON e."name" = p."entity" WHERE p."sealed" <> 0
    """
}
