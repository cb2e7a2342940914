import NacreSQLite
import Testing
@testable import NacreStore

/// The SQL of the store's own tables on SQLite, which stays as the stores in files have it.
@Suite struct OwnDefinitionTests {
  private let dialect = SQLiteDialect.shared

  private static let tables = [
    """
    CREATE TABLE "nacre_store" ("name" TEXT NOT NULL PRIMARY KEY, "value") WITHOUT ROWID
    """,
    """
    CREATE TABLE "nacre_slot" ("id" INTEGER PRIMARY KEY, "kind" TEXT NOT NULL, \
    "parameters" TEXT NOT NULL, "sealed" BLOB NOT NULL)
    """,
    """
    CREATE TABLE "nacre_key" ("id" INTEGER PRIMARY KEY, "purpose" INTEGER NOT NULL, \
    "suite" INTEGER NOT NULL, "state" INTEGER NOT NULL, "created" INTEGER NOT NULL, \
    "sealed" BLOB, "check" BLOB, "seals" INTEGER NOT NULL DEFAULT 0)
    """,
    """
    CREATE TABLE "nacre_entity" ("name" TEXT NOT NULL PRIMARY KEY, \
    "table" TEXT NOT NULL, "version" INTEGER NOT NULL) WITHOUT ROWID
    """,
    """
    CREATE TABLE "nacre_property" ("entity" TEXT NOT NULL, "name" TEXT NOT NULL, \
    "column" TEXT, "type" TEXT NOT NULL, "sealed" INTEGER NOT NULL, \
    "kind" TEXT NOT NULL, "target" TEXT, "join" TEXT, "inverse" TEXT, "bits" INTEGER, \
    "normalizer" TEXT, "unique" INTEGER, "hidesNil" INTEGER, "padding" TEXT, \
    "suite" INTEGER, "optional" INTEGER, "hooked" INTEGER, "hidden" INTEGER, \
    "filled" INTEGER, PRIMARY KEY ("entity", "name")) WITHOUT ROWID
    """,
    """
    CREATE TABLE "nacre_rotation" ("id" INTEGER PRIMARY KEY, "kind" TEXT NOT NULL, \
    "from" TEXT NOT NULL, "to" TEXT NOT NULL, "entity" TEXT, "property" TEXT, \
    "cursor" BLOB, "phase" TEXT NOT NULL, "done" INTEGER NOT NULL DEFAULT 0, \
    "total" INTEGER NOT NULL DEFAULT 0, "failed" INTEGER NOT NULL DEFAULT 0, \
    "started" INTEGER NOT NULL, "updated" INTEGER NOT NULL, "finished" INTEGER, \
    "mac" BLOB)
    """,
  ]

  @Test func `the definitions of the tables are the same to the byte`() {
    #expect(CatalogSQL.createStore(dialect) == Self.tables.joined(separator: ";\n"))
  }

  @Test func `the statements that write to the tables are the same to the byte`() {
    #expect(
      CatalogSQL.setValue(dialect)
        == "INSERT OR REPLACE INTO \"nacre_store\" (\"name\", \"value\") VALUES (?1, ?2)"
    )
    #expect(
      CatalogSQL.insertEntity(dialect) == """
        INSERT OR REPLACE INTO "nacre_entity" ("name", "table", "version") VALUES (?1, ?2, ?3)
        """
    )
    #expect(
      CatalogSQL.insertProperty(dialect) == """
        INSERT OR REPLACE INTO "nacre_property" ("entity", "name", "column", "type", "sealed", \
        "kind", "target", "join", "inverse", "bits", "normalizer", "unique", "hidesNil", \
        "padding", "suite", "optional", "hooked", "hidden", "filled") VALUES (?1, ?2, ?3, ?4, ?5, \
        ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)
        """
    )
    #expect(
      RingSQL.putSlot(dialect) == """
        INSERT OR REPLACE INTO "nacre_slot" ("id", "kind", "parameters", "sealed") \
        VALUES (?1, ?2, ?3, ?4)
        """
    )
    #expect(VersionSQL.first(dialect) == "1 + (random() & 2147483647)")
    #expect(
      CatalogSQL.addMissing(["bits"], journal: ["id"], dialect).suffix(2) == [
        "ALTER TABLE \"nacre_property\" ADD COLUMN \"filled\" INTEGER",
        "ALTER TABLE \"nacre_rotation\" ADD COLUMN \"mac\" BLOB",
      ]
    )
  }
}
