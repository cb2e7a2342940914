#if PostgreSQL
import NacreEngine
import Testing
@testable import NacrePostgres

@Suite struct PostgresSchemaTests {
  private func connection() throws -> PostgresConnection {
    let connection = try TestServer.connect()
    try connection.execute(
      """
      CREATE TABLE "Car" ("objectID" uuid NOT NULL PRIMARY KEY DEFAULT gen_random_uuid(), \
      "plate" text COLLATE "C" NOT NULL DEFAULT 'x', "power" double precision, "owner" uuid \
      REFERENCES "Car" DEFERRABLE INITIALLY DEFERRED); \
      CREATE TABLE "two" ("b" text COLLATE "C" NOT NULL, "a" bigint NOT NULL, "n" numeric, PRIMARY KEY ("a", "b")); \
      CREATE UNIQUE INDEX "Car__plate" ON "Car" ("plate", "power" DESC); \
      CREATE INDEX "partial" ON "Car" (lower("plate")) WHERE "power" > 1; \
      CREATE VIEW "seen" AS SELECT "plate" FROM "Car"
      """
    )
    return connection
  }

  @Test func `another schema's tables are not waited for, whoever changes them`() throws {
    let other = try TestServer.connect()
    try other.execute(
      """
      CREATE TABLE "Changed" ("a" text DEFAULT 'nacre_', CHECK ("a" <> 'nacre_')); \
      CREATE INDEX "Changed__a" ON "Changed" (lower("a")) WHERE "a" > 'nacre_'; \
      CREATE VIEW "changes" AS SELECT "a" FROM "Changed" WHERE "a" = 'nacre_'; \
      CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; \
      CREATE TRIGGER "changer" BEFORE INSERT ON "Changed" FOR EACH ROW WHEN (NEW."a" = 'nacre_') \
      EXECUTE FUNCTION change()
      """
    )
    try other.begin(.deferred)
    try other.execute("LOCK TABLE \"Changed\" IN ACCESS EXCLUSIVE MODE")
    var settings = PostgresSettings()
    settings.busyTimeout = 1
    let connection = try TestServer.connect(settings)
    try connection.execute("CREATE TABLE \"mine\" (\"a\" text DEFAULT 'nacre_')")
    let schema = connection.schema
    #expect(
      try schema.definitions(containing: "nacre_", isTemporary: false).map(\.name) == ["mine"]
    )
    #expect(try schema.definitions(containing: "nacre_", isTemporary: true).isEmpty)
    #expect(try schema.tableDefinitions().map(\.name) == ["mine"])
    #expect(try schema.tables().map(\.name) == ["mine"])
    #expect(try schema.columnsOfAllTables().map(\.column) == ["a"])
    #expect(try schema.objectNames() == ["mine"])
    _ = try connection.layoutNumber()
    try other.rollback()
  }

  @Test func `tables are found by their names`() throws {
    let schema = try connection().schema
    #expect(try schema.hasTable("Car"))
    #expect(try !schema.hasTable("car"))
    #expect(try !schema.hasTable("seen"))
    #expect(try schema.hasTable(inAnyCase: "cAR"))
    #expect(try schema.tables().map(\.name) == ["Car", "seen", "two"])
    #expect(try schema.table(inAnyCase: "SEEN")?.kind == .view)
    #expect(try schema.table(inAnyCase: "none") == nil)
    #expect(try schema.tables(referredToBy: "Car") == ["Car"])
    #expect(try schema.objectNames().contains("Car__plate"))
  }

  @Test func `columns are told with their types, keys and defaults`() throws {
    let schema = try connection().schema
    let columns = try schema.columns(of: "Car")
    #expect(columns.map(\.name) == ["objectID", "plate", "power", "owner"])
    #expect(columns.map(\.type) == ["BLOB", "TEXT", "REAL", "BLOB"])
    #expect(columns.map(\.isNotNull) == [true, true, false, false])
    #expect(columns.map(\.keyPosition) == [1, nil, nil, nil])
    #expect(columns.map { $0.defaultText != nil } == [true, true, false, false])
    #expect(try schema.columns(of: "two").map(\.keyPosition) == [2, 1, nil])
    #expect(try schema.columns(of: "car").isEmpty)
    #expect(try schema.comparesDecimals(column: "n", of: "two") == true)
    #expect(try schema.comparesDecimals(column: "a", of: "two") == false)
    #expect(try schema.comparesDecimals(column: "z", of: "two") == nil)
    #expect(try schema.columnsOfAllTables().map(\.column).suffix(3) == ["b", "a", "n"])
  }

  @Test func `indexes are told with their terms`() throws {
    let schema = try connection().schema
    let indexes = try schema.indexes(of: "Car")
    #expect(indexes.map(\.name) == ["Car__plate", "partial"])
    #expect(indexes.map(\.isUnique) == [true, false])
    #expect(indexes.map(\.isPartial) == [false, true])
    #expect(indexes.first?.terms.map(\.column) == ["plate", "power"])
    #expect(indexes.first?.terms.map(\.collation) == ["C", ""])
    #expect(indexes.first?.terms.map(\.isDescending) == [false, true])
    #expect(indexes.last?.terms.map(\.column) == [nil])
    #expect(try schema.indexes(of: "two").isEmpty)
    #expect(try schema.hasIndex("partial"))
    #expect(
      try schema.indexDefinitions(of: ["Car"]).map(\.index.name) == ["Car__plate", "partial"]
    )
  }

  @Test func `a table's definition is what made it`() throws {
    let connection = try connection()
    let texts = [
      """
      CREATE TABLE "nacre_a" ("id" bigint NOT NULL PRIMARY KEY, "t" text COLLATE "C" NOT NULL, \
      "n" bigint NOT NULL DEFAULT 0)
      """,
      """
      CREATE TABLE "nacre_b" ("a" text COLLATE "C" NOT NULL, "b" bytea, "c" bigint NOT NULL, PRIMARY KEY ("c", "a"))
      """,
      "CREATE TABLE \"nacre_c\" (\"id\"\(connection.dialect.generatedKey), \"x\" uuid)",
    ]
    for text in texts { try connection.execute(text) }
    let found = try connection.schema.definitions(containing: "nacre_", isTemporary: false)
    #expect(found.map(\.definition) == texts)
    #expect(found.map(\.name) == ["nacre_a", "nacre_b", "nacre_c"])
  }

  @Test(arguments: [
    "ALTER TABLE \"nacre_a\" ADD CHECK (\"id\" > 0)", "ALTER TABLE \"nacre_a\" ADD UNIQUE (\"t\")",
    "ALTER TABLE \"nacre_a\" ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE \"nacre_a\" ALTER \"t\" SET DEFAULT 'x'",
    "ALTER TABLE \"nacre_a\" ALTER \"t\" TYPE text COLLATE \"default\"",
    "CREATE RULE \"r\" AS ON INSERT TO \"nacre_a\" DO INSTEAD NOTHING",
    "CREATE TABLE \"child\" () INHERITS (\"nacre_a\")", "ALTER TABLE \"nacre_a\" ADD \"z\" bigint",
    "CREATE VIEW \"v\" AS SELECT * FROM \"nacre_a\"", "CREATE INDEX \"i\" ON \"nacre_a\" (\"t\")",
    """
    CREATE FUNCTION pg_temp.f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$; \
    CREATE TRIGGER "g" BEFORE INSERT ON "nacre_a" FOR EACH ROW EXECUTE FUNCTION pg_temp.f()
    """,
  ])
  func `whatever else could change what a table does is in the definitions`(sql: String) throws {
    let connection = try connection()
    try connection.execute(
      "CREATE TABLE \"nacre_a\" (\"id\" bigint NOT NULL, \"t\" text COLLATE \"C\")"
    )
    let read = {
      try connection.schema.definitions(containing: "nacre_", isTemporary: false).map(\.definition)
    }
    let before = try read()
    #expect(
      before == ["CREATE TABLE \"nacre_a\" (\"id\" bigint NOT NULL, \"t\" text COLLATE \"C\")"]
    )
    try connection.execute(sql)
    #expect(try read() != before)
  }

  @Test(arguments: [
    "ALTER TABLE \"Car\" ADD \"x\" bigint", "ALTER TABLE \"Car\" DROP \"power\" CASCADE",
    "ALTER TABLE \"Car\" RENAME \"power\" TO \"force\"",
    "ALTER TABLE \"Car\" ALTER \"power\" TYPE real",
    "CREATE TABLE \"new\" (\"a\" bigint)", "DROP TABLE \"two\"",
    "CREATE INDEX \"i\" ON \"two\" (\"a\")",
    "DROP INDEX \"Car__plate\"",
    """
    CREATE FUNCTION pg_temp.f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$; \
    CREATE TRIGGER "g" BEFORE INSERT ON "two" FOR EACH ROW EXECUTE FUNCTION pg_temp.f()
    """,
  ])
  func `the layout's number changes with each change of it`(sql: String) throws {
    let connection = try connection()
    let sql = sql.replacing("ALTER \"power\" TYPE real", with: "ALTER \"owner\" TYPE text")
      .replacing("ALTER \"owner\" TYPE text", with: "ALTER \"plate\" TYPE varchar(9)")
    if sql.contains("TYPE") || sql.contains("DROP \"power\"") {
      try connection.execute("DROP VIEW \"seen\"; DROP INDEX \"partial\"")
    }
    let before = try connection.layoutNumber()
    #expect(try connection.layoutNumber() == before)
    try connection.execute("INSERT INTO \"two\" VALUES ('x', 1)")
    #expect(try connection.layoutNumber() == before)
    try connection.execute(sql)
    #expect(try connection.layoutNumber() != before)
  }

  @Test func `the data's number changes when others have written`() throws {
    let connection = try connection()
    let before = try connection.dataNumber()
    try connection.execute("INSERT INTO \"two\" VALUES ('x', 1)")
    #expect(try connection.dataNumber() != before)
  }

  @Test func `temporary tables are told apart`() throws {
    let connection = try connection()
    let before = try connection.schema.temporaryLayoutNumber()
    try connection.execute("CREATE TEMPORARY TABLE \"nacre_t\" (\"a\" bigint)")
    #expect(try connection.schema.temporaryLayoutNumber() != before)
    #expect(
      try connection.schema.definitions(containing: "nacre_", isTemporary: true).map(\.name) == [
        "nacre_t"
      ]
    )
    #expect(try connection.schema.definitions(containing: "nacre_", isTemporary: false).isEmpty)
    // A temporary table does not take the place of another one of its name.
    try connection.execute("CREATE TEMPORARY TABLE \"two\" (\"z\" bigint)")
    #expect(try connection.values("SELECT count(\"a\") FROM \"two\"") == [.integer(0)])
  }

  @Test func `a transaction in which no sequence was used can be asked for its last number`() throws
  {
    let connection = try connection()
    try connection.execute("CREATE TABLE \"n\" (\"a\" bigint)")
    try connection.transaction(.deferred) {
      try connection.execute("INSERT INTO \"n\" VALUES (1)")
      #expect(connection.lastInsertRowID == 0)
      try connection.execute("INSERT INTO \"n\" VALUES (2)")
    }
    #expect(try connection.values("SELECT count(*) FROM \"n\"") == [.integer(2)])
  }

  @Test func `generated keys begin again`() throws {
    let connection = try connection()
    try connection.execute(
      "CREATE TABLE \"g\" (\"id\"\(connection.dialect.generatedKey), \"x\" bigint)"
    )
    let insert = "INSERT INTO \"g\" (\"x\") VALUES (1)"
    try connection.transaction(.deferred) {
      try connection.execute("\(insert); \(insert)")
      #expect(connection.lastInsertRowID == 2)
      try connection.execute("DELETE FROM \"g\"")
      try connection.restartGeneratedKeys(of: "g")
      try connection.execute(insert)
      #expect(connection.lastInsertRowID == 1)
    }
  }
}
#endif
