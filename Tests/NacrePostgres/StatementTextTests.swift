#if PostgreSQL
import NacreEngine
import Testing
@testable import NacrePostgres

@Suite struct StatementTextTests {
  @Test(arguments: ["SELECT 1 /* LIMIT 1", "SELECT 1 /* /* */ LIMIT 1", "SELECT 1; /*"])
  func `a comment that does not end is refused, because it takes the rest of the text with it`(
    sql: String
  ) {
    expect(.badStatement) { _ = try StatementText.statements(of: sql) }
  }

  @Test(arguments: [
    ("SELECT ?", "SELECT $1", 1),
    ("SELECT ?, ?2, ?", "SELECT $1, $2, $3", 3),
    ("SELECT ?2, ?1", "SELECT $1, $2", 2),
    ("SELECT ?1, ?4", "SELECT $1, $2", 4),
    ("SELECT :a, :b, :a", "SELECT $1, $2, $1", 2),
    ("SELECT $2::int, $1", "SELECT $1::int, $2", 2),
    (
      "SELECT '?', \"?\", E'\\'?', $$?$$, $a$ ? $$ $a$, ?",
      "SELECT '?', \"?\", E'\\'?', $$?$$, $a$ ? $$ $a$, $1", 1
    ),
    ("SELECT 'it''s ?' -- ?\n, ? /* ? /* ? */ ? */", "SELECT 'it''s ?' -- ?\n, $1", 1),
    ("SELECT a::text, b[1:2], x := ?", "SELECT a::text, b[1:2], x := $1", 1),
    ("SELECT a ?? 'k', a ??| ?", "SELECT a ? 'k', a ?| $1", 1),
    ("SELECT U&'\\0441?', B'1', N'?'", "SELECT U&'\\0441?', B'1', N'?'", 0),
    ("SELECT a$1, ?", "SELECT a$1, $1", 1),
    ("SELECT \"a\"\"?\", ?", "SELECT \"a\"\"?\", $1", 1),
    ("SELECT 'ä?', \"ü\", ?", "SELECT 'ä?', \"ü\", $1", 1),
    ("  ; SELECT 1 ;  -- end", "SELECT 1", 0),
    ("SELECT '\\', ?", "SELECT '\\', $1", 1),
    ("SELECT ? FROM main.\"T\" m, temp.\"T\"", "SELECT $1 FROM \"T\" m, pg_temp.\"T\"", 1),
    (
      "SELECT main.a, \"main\".\"b\", 'main.\"c\"', ?",
      "SELECT main.a, \"main\".\"b\", 'main.\"c\"', $1", 1
    ),
  ])
  func `parameters get the server's markers outside of quotes`(
    sql: String,
    text: String,
    count: Int
  ) throws {
    let statement = try StatementText(sql)
    #expect(statement.text == text)
    #expect(statement.parameterNames.count == count)
  }

  @Test func `a name has one number however often it stands there`() throws {
    let statement = try StatementText("SELECT ?, :a, ?, :b, :a")
    #expect(statement.text == "SELECT $1, $2, $3, $4, $2")
    #expect(statement.parameterNames == [nil, ":a", nil, ":b"])
    #expect(try StatementText("SELECT ?1, ?4, ?2").serverNumbers == [1, 3, nil, 2])
  }

  @Test(arguments: [
    "", " -- nothing", ";;", "SELECT 1; SELECT 2", "SELECT ?0", "SELECT ?65536",
    "SELECT ?99999999999999999999",
    "SELECT 1 AS \"\(String(repeating: "a", count: 64))\"",
    "SELECT 1 AS \(String(repeating: "a", count: 64))",
    "SELECT 1 AS \"\(String(repeating: "ä", count: 32))\"", "SELECT \u{0}",
  ])
  func `what is no single statement, or can't be named so, is refused`(sql: String) {
    expect(.badStatement) { _ = try StatementText(sql) }
  }

  @Test func `a name of 63 bytes is the longest`() throws {
    let name = String(repeating: "\"\"", count: 63)
    #expect(try StatementText("SELECT 1 AS \"\(name)\"").firstWord == "select")
  }

  @Test func `statements are told apart by semicolons outside of quotes`() throws {
    let texts = try StatementText.statements(of: "SELECT ';'; DO $$ ; $$;\n/* ; */ TABLE a")
    #expect(texts.map(\.sql) == ["SELECT ';'", "DO $$ ; $$", "TABLE a"])
  }

  @Test(arguments: [
    "BEGIN", " /* x */ commit", "ROLLBACK TO a", "savepoint a", "PREPARE TRANSACTION 'a'",
    "SET TRANSACTION READ ONLY", "START TRANSACTION", "END", "ABORT", "RELEASE a",
  ])
  func `statements that begin or end a transaction are known`(sql: String) throws {
    #expect(try StatementText(sql).controlsTransaction)
  }

  @Test(arguments: [
    "SELECT 1", "PREPARE a AS SELECT 1", "SET timezone = 'UTC'", "UPDATE a SET begin = 1",
  ])
  func `other statements are not taken for those`(sql: String) throws {
    #expect(try !StatementText(sql).controlsTransaction)
  }

  @Test func `the names of a statement are found as the server takes them`() {
    let names = NamedObjects("SELECT t.*, Power FROM \"Car\" t WHERE \"a\"\"b\" = 'text' -- no")
    #expect(names.names.isSuperset(of: ["power", "Car", "a\"b"]))
    #expect(names.names.isDisjoint(with: ["Power", "text", "no"]))
    #expect(names.hasStar)
    #expect(!NamedObjects("SELECT count(*) FROM a").hasStar)
    #expect(NamedObjects("SELECT * FROM a").hasStar)
    #expect(NamedObjects("SELECT a, * FROM a").hasStar)
  }

  @Test(arguments: [
    ("power > ?", "\"Power\" > ?"), ("t.POWER = 1", "t.\"Power\" = 1"),
    ("\"power\" = 1", "\"power\" = 1"),
    ("power(2) > 1", "power(2) > 1"),
    ("x::power = CAST(y AS power)", "x::power = CAST(y AS power)"),
    ("'power' = a", "'power' = a"), ("a IN (SELECT b FROM power)", "a IN (SELECT b FROM power)"),
    ("a IN ()", "a = ANY ('{}')"), ("a NOT IN ( )", "a <> ALL ('{}')"), ("a IN (1)", "a IN (1)"),
    ("a IS ?", "a IS NOT DISTINCT FROM ?"), ("a is not power", "a IS DISTINCT FROM \"Power\""),
    ("1", "true"), ("0 OR (NOT 1)", "false OR (NOT true)"),
    ("a = 1 AND abs(0) IN (0)", "a = 1 AND abs(0) IN (0)"),
    ("(ifnull((a < 1), 0) AND 1)", "(coalesce((a < 1), false) AND true)"),
    ("ifnull(a, ?) > 0", "coalesce(a, ?) > 0"),
    ("a BETWEEN 0 AND 1 AND 1", "a BETWEEN 0 AND 1 AND true"),
    ("CASE a WHEN 1 THEN 2 END = 2", "CASE a WHEN 1 THEN 2 END = 2"),
    ("CASE WHEN 1 THEN 0 END = 0", "CASE WHEN true THEN 0 END = 0"), ("10 = a", "10 = a"),
    ("a IS NULL AND b IS NOT NULL", "a IS NULL AND b IS NOT NULL"), ("a IS TRUE", "a IS TRUE"),
    ("a IS NOT DISTINCT FROM b", "a IS NOT DISTINCT FROM b"),
    ("a NOT NULL AND NOT NULL", "a IS NOT NULL AND NOT NULL"), ("a == 1", "a = 1"),
    ("a LIKE 'x' OR a NOT like ?", "a ILIKE 'x' ESCAPE '' OR a NOT ILIKE ? ESCAPE ''"),
    ("a LIKE ? ESCAPE '!'", "a ILIKE ? ESCAPE '!'"),
    ("a LIKE '%' || ? || '%' AND b", "a ILIKE '%' || ? || '%' ESCAPE '' AND b"),
    ("a LIKE ? || '!%' ESCAPE '!'", "a ILIKE ? || '!%' ESCAPE '!'"),
    (
      "(a LIKE lower(?)) = (a like t.power)",
      "(a ILIKE lower(?) ESCAPE '') = (a ILIKE t.\"Power\" ESCAPE '')"
    ),
    ("a LIKE b COLLATE x = 1", "a ILIKE b COLLATE x ESCAPE '' = 1"),
    ("a LIKE b->>'c' IS NULL", "a ILIKE b->>'c' ESCAPE '' IS NULL"),
    (
      "CASE WHEN a LIKE CASE WHEN b THEN c END THEN 2 END = 2",
      "CASE WHEN a ILIKE CASE WHEN b THEN c END ESCAPE '' THEN 2 END = 2"
    ),
    ("a LIKE b=-1", "a ILIKE b ESCAPE ''=-1"),
    ("Fee > 1 AND fee IS ?", "nacre_number(\"fee\") > 1 AND \"fee\" IS NOT DISTINCT FROM ?"),
    ("1 < t.fee", "1 < nacre_number(t.\"fee\")"),
    ("\"fee\" NOT IN (1)", "nacre_number(\"fee\") NOT IN (1)"),
    ("fee COLLATE BINARY > '1'", "\"fee\" COLLATE \"C\" > '1'"),
    ("fee COLLATE nacre_decimal > '1'", "nacre_number(\"fee\") > '1'"),
    ("nacre_number(\"fee\") > 1", "nacre_number(\"fee\") > 1"),
  ])
  func `a caller's condition is made ready for the server`(text: String, expected: String) throws {
    #expect(
      try CallersText(text, NamedColumns(["Power", "IT", "fee"], decimals: ["fee"])).condition
        == expected
    )
  }

  @Test(arguments: ["a LIKE b < c", "a LIKE b >= c", "a LIKE", "a LIKE AND b", "a LIKE b regexp c"])
  func `a pattern whose end is not the same to both engines is refused`(text: String) {
    expect(.badStatement) { _ = try CallersText(text, NamedColumns()).condition }
  }

  @Test(arguments: [
    ("a AND b OR NOT c", "a AND b OR NOT c"), ("a IN (1) AND b IS NULL", "a IN (1) AND b IS NULL"),
    ("a BETWEEN 1 AND 2", "a BETWEEN 1 AND 2"), ("a LIKE ?", "a ILIKE ? ESCAPE ''"),
    ("CASE a WHEN b THEN 1 ELSE 2 END = 1", "CASE a WHEN b THEN 1 ELSE 2 END = 1"),
    ("desc > 1 AND t.First = last", "\"desc\" > 1 AND t.\"first\" = \"last\""),
    ("CASE end WHEN like THEN 1 END = 1", "CASE \"end\" WHEN \"like\" THEN 1 END = 1"),
    ("a COLLATE last = ?", "a COLLATE last = ?"),
    ("a IS DISTINCT FROM last", "a IS DISTINCT FROM \"last\""),
  ])
  func `a keyword of a condition is no column's name`(text: String, expected: String) throws {
    #expect(try CallersText(text, Self.keywords).condition == expected)
  }

  @Test(arguments: [
    ("a DESC NULLS FIRST", "a DESC NULLS FIRST"), ("a ASC nulls last", "a ASC nulls last"),
    ("desc", "\"desc\" NULLS FIRST"),
    ("DESC desc, end", "\"desc\" desc NULLS LAST, \"end\" NULLS FIRST"),
    ("CASE WHEN a THEN 1 END", "CASE WHEN a THEN 1 END NULLS FIRST"),
  ])
  func `a keyword of an order is no column's name`(text: String, expected: String) {
    #expect(CallersText(text, Self.keywords).order == expected)
  }

  /// Columns that are named as keywords are.
  private static let keywords = NamedColumns([
    "and", "asc", "between", "case", "desc", "else", "end", "first", "in", "is", "last", "like",
    "not", "null", "nulls", "or", "then", "when",
  ])

  @Test(arguments: [
    ("power", "\"Power\" NULLS FIRST"),
    ("a DESC, power ASC", "a DESC NULLS LAST, \"Power\" ASC NULLS FIRST"),
    ("a NULLS LAST, b desc nulls first", "a NULLS LAST, b desc nulls first"),
    ("f(a, b) DESC -- why", "f(a, b) DESC NULLS LAST -- why"),
    ("CASE WHEN a THEN 1 END", "CASE WHEN a THEN 1 END NULLS FIRST"),
    ("(a DESC), 'x, y'", "(a DESC) NULLS FIRST, 'x, y' NULLS FIRST"), ("", ""),
    ("fee DESC", "nacre_number(\"fee\") DESC NULLS LAST"),
    ("fee COLLATE BINARY", "\"fee\" COLLATE \"C\" NULLS FIRST"),
  ])
  func `a caller's order puts NULL before all values`(text: String, expected: String) {
    #expect(CallersText(text, NamedColumns(["Power", "fee"], decimals: ["fee"])).order == expected)
  }
}
#endif
