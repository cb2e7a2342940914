import NacreEngine
import NacreSQLite
import Testing

@Suite struct SchemaTests {
  let database: TemporaryDatabase
  let connection: Connection
  private var schema: any EngineSchema { connection.schema }

  init() throws {
    database = try TemporaryDatabase()
    connection = try database.open()
  }

  @Test func `tables have kinds and are found in any case`() throws {
    try connection.execute(
      """
      CREATE TABLE Plain (a INTEGER PRIMARY KEY AUTOINCREMENT);
      CREATE VIEW seen AS SELECT a FROM Plain;
      CREATE VIRTUAL TABLE texts USING fts5(body);
      CREATE TEMP TABLE passing (a);
      """
    )
    let tables = try schema.tables()
    func names(_ kind: EngineTable.Kind) -> [String] {
      tables.filter { $0.kind == kind && !$0.isInternal }.map(\.name)
    }
    #expect(names(.table) == ["Plain"])
    #expect(names(.view) == ["seen"])
    #expect(names(.virtual) == ["texts"])
    #expect(names(.shadow).contains("texts_content"))
    #expect(tables.filter(\.isInternal).map(\.name) == ["sqlite_sequence"])
    #expect(try schema.table(inAnyCase: "PLAIN")?.name == "Plain")
    #expect(try schema.table(inAnyCase: "passing") == nil)
    #expect(try schema.hasTable("Plain"))
    #expect(try !schema.hasTable("plain"))
    #expect(try schema.hasTable(inAnyCase: "plain"))
    #expect(try !schema.hasTable("seen"))
    #expect(try schema.objectNames().contains("seen"))
    #expect(try schema.tableDefinitions().first?.definition.hasPrefix("CREATE TABLE Plain") == true)
  }

  @Test func `only rowids that no column hides name a row`() throws {
    try connection.execute(
      """
      CREATE TABLE plain (a);
      CREATE TABLE keyed (a PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE hiding (a, _ROWID_);
      """
    )
    #expect(try schema.rowKeyRefusal(ofTable: "plain") == nil)
    #expect(try schema.rowKeyRefusal(ofTable: "keyed") == "it is WITHOUT ROWID")
    #expect(try schema.rowKeyRefusal(ofTable: "hiding") == "it has a column _rowid_")
  }

  @Test func `columns say how they were declared`() throws {
    try connection.execute(
      """
      CREATE TABLE t (b INTEGER NOT NULL DEFAULT 7, c TEXT, twice AS (b * 2), \
      PRIMARY KEY (c, b)) WITHOUT ROWID
      """
    )
    let columns = try schema.columns(of: "t")
    #expect(columns.map(\.name) == ["b", "c"])
    #expect(columns.map(\.type) == ["INTEGER", "TEXT"])
    #expect(columns.map(\.isNotNull) == [true, true])
    #expect(columns.map(\.keyPosition) == [2, 1])
    #expect(columns.map(\.defaultText) == ["7", nil])
    #expect(try schema.columns(of: "missing").isEmpty)
  }

  @Test func `hidden columns are stored and generated ones are not`() throws {
    try connection.execute("CREATE VIRTUAL TABLE texts USING fts5(body)")
    try connection.execute("CREATE TABLE t (a, twice AS (a * 2), thrice AS (a * 3) STORED)")
    #expect(try schema.columns(of: "texts").map(\.name) == ["body"])
    #expect(try schema.storedColumns(of: "texts").map(\.name).contains("rank"))
    #expect(try schema.storedColumns(of: "t").map(\.name) == ["a"])
  }

  @Test func `indexes have their terms in order`() throws {
    try connection.execute(
      """
      CREATE TABLE t (a, b UNIQUE, c);
      CREATE UNIQUE INDEX two ON t (c COLLATE NOCASE DESC, a);
      CREATE INDEX some ON t (a + 1) WHERE b > 0;
      """
    )
    let indexes = try schema.indexes(of: "t")
    #expect(indexes.map(\.name) == ["some", "two"])
    #expect(indexes.map(\.isUnique) == [false, true])
    #expect(indexes.map(\.isPartial) == [true, false])
    #expect(indexes.map { $0.terms.map(\.column) } == [[nil], ["c", "a"]])
    #expect(indexes[1].terms.map(\.collation) == ["NOCASE", "BINARY"])
    #expect(indexes[1].terms.map(\.isDescending) == [true, false])
    #expect(try schema.indexDefinitions(of: ["t"]).map(\.index.name) == ["some", "two"])
    #expect(try schema.hasIndex("two"))
    #expect(try !schema.hasIndex("t"))
  }

  @Test func `references are found, and the rows that dangle`() throws {
    try connection.execute("PRAGMA foreign_keys = OFF")
    try connection.execute(
      """
      CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (id INTEGER REFERENCES parent (id));
      INSERT INTO child VALUES (1), (2);
      """
    )
    #expect(try schema.tables(referredToBy: "child") == ["parent"])
    let dangling = try schema.danglingReferences()
    #expect(dangling.map { $0.table } == ["child"])
    #expect(dangling.map { $0.target } == ["parent"])
    #expect(dangling.map { $0.count } == [2])
    #expect(try schema.damage() == [])
  }

  @Test func `definitions are found by a text in them`() throws {
    try connection.execute("CREATE TABLE Sought (a); CREATE TEMP TABLE sought_too (a)")
    let found = try schema.definitions(containing: "sought", isTemporary: false)
    #expect(found.map(\.name) == ["Sought"])
    let number = try #require(found.first?.number)
    let drop = connection.dialect.printDrop("TABLE", ofObject: number)
    let statement: Statement = try connection.prepare(drop)
    #expect(try statement.step())
    #expect(statement.text(at: 0) == "DROP TABLE \"Sought\"")
    #expect(
      try schema.definitions(containing: "sought", isTemporary: true).map(\.name) == ["sought_too"]
    )
  }

  @Test func `numbers change with tables and with other connections`() throws {
    let (layout, temporary) = try (connection.layoutNumber(), schema.temporaryLayoutNumber())
    let data = try connection.dataNumber()
    let other = try database.open()
    try other.execute("CREATE TABLE t (a)")
    #expect(try connection.layoutNumber() != layout)
    #expect(try connection.dataNumber() != data)
    #expect(try schema.temporaryLayoutNumber() == temporary)
    try connection.execute("CREATE TEMP TABLE u (a)")
    #expect(try schema.temporaryLayoutNumber() != temporary)
    // The statement that is kept for the number keeps no connection open.
    try connection.close()
    #expect(throws: SQLiteError.self) { try connection.layoutNumber() }
  }

  @Test func `generated keys begin at 1 again`() throws {
    try connection.restartGeneratedKeys(of: "t")
    try connection.execute(
      "CREATE TABLE t (a\(connection.dialect.generatedKey)); INSERT INTO t VALUES (7); DELETE FROM t"
    )
    try connection.restartGeneratedKeys(of: "t")
    try connection.execute("INSERT INTO t VALUES (NULL)")
    #expect(connection.lastInsertRowID == 1)
  }

  @Test func `bytes are compared whatever the collation`() throws {
    try connection.execute("CREATE TABLE t (a TEXT COLLATE NOCASE); INSERT INTO t VALUES ('x')")
    func count(_ value: String) throws -> Int64 {
      try connection.integer(
        "SELECT count(*) FROM t WHERE \(connection.dialect.hasSameBytes("t.a", value))"
      )
    }
    #expect(try count("'x'") == 1)
    #expect(try count("'X'") == 0)
    #expect(try count("NULL") == 0)
  }
}
