#if PostgreSQL
import NacreStore
import Testing
@testable import NacrePostgres

/// The statements that write many rows at once.
@Suite struct BatchTextTests {
  @Test(
    arguments: [
      (
        "INSERT INTO \"T\" (\"objectID\", \"a\") VALUES (?1, ?2)", [.uuid, .text],
        "INSERT INTO \"T\" (\"objectID\", \"a\") SELECT * FROM unnest($1::uuid[], $2::text[])"
      ),
      (
        "UPDATE \"T\" SET \"a\" = ?2, \"a$1\" = \"v\" + ?3 WHERE \"objectID\" = ?1",
        [.bigint, .doublePrecision, .uuid],
        """
        WITH done AS (UPDATE "T" SET "a" = nacre_rows.nacre_p1, "a$1" = "v" + nacre_rows.nacre_p2 \
        FROM unnest($1::int8[], $2::float8[], $3::uuid[]) AS nacre_rows(nacre_p1, nacre_p2, nacre_p3) \
        WHERE "objectID" = nacre_rows.nacre_p3 RETURNING 1) \
        SELECT 1 / (count(*) = cardinality($1::int8[]))::int FROM done
        """
      ),
      (
        "UPDATE \"T\" SET \"a\" = ?1 WHERE \"objectID\" = ?2 AND \"a\" IS NOT DISTINCT FROM ?3",
        [.bytea, .uuid, .bytea],
        """
        WITH done AS (UPDATE "T" SET "a" = nacre_rows.nacre_p1 \
        FROM unnest($1::bytea[], $2::uuid[], $3::bytea[]) AS nacre_rows(nacre_p1, nacre_p2, nacre_p3) \
        WHERE "objectID" = nacre_rows.nacre_p2 AND "a" IS NOT DISTINCT FROM nacre_rows.nacre_p3 RETURNING 1) \
        SELECT 1 / (count(*) = cardinality($1::bytea[]))::int FROM done
        """
      ),
      (
        "DELETE FROM \"T\" WHERE \"objectID\" = ?1", [.uuid],
        "DELETE FROM \"T\" WHERE \"objectID\" = ANY($1::uuid[])"
      ),
    ] as [(String, [WireType], String)]
  )
  func `a statement for one row becomes one for many`(
    sql: String,
    types: [WireType],
    expected: String
  ) throws {
    #expect(BatchText(try StatementText(sql), types: types)?.text == expected)
  }

  @Test func `the swap of a row by a rotation becomes one for many`() throws {
    let rows = KeyedRowsSQL(table: "T", key: .objectID, columns: ["a"], PostgresDialect.shared)
    // The server's numbers are in the order of the text.
    let types: [WireType] = [.bytea, .uuid, .bytea]
    let many = """
      WITH done AS (UPDATE "T" AS r SET "a" = nacre_rows.nacre_p1 \
      FROM unnest($1::bytea[], $2::uuid[], $3::bytea[]) AS nacre_rows(nacre_p1, nacre_p2, nacre_p3) \
      WHERE r."objectID" = nacre_rows.nacre_p2 AND r."a" IS NOT DISTINCT FROM nacre_rows.nacre_p3 \
      RETURNING 1) SELECT 1 / (count(*) = cardinality($1::bytea[]))::int FROM done
      """
    #expect(BatchText(try StatementText(rows.swap), types: types)?.text == many)
  }

  @Test(
    arguments: [
      ("INSERT INTO \"T\" (\"a\") VALUES (?1 + 1)", [.bigint]),
      ("INSERT INTO \"T\" (\"a\", \"b\") VALUES (?2, ?1) RETURNING 1", [.bigint, .bigint]),
      ("INSERT INTO \"T\" (\"a\", \"b\") VALUES (?1, ?1)", [.bigint]),
      ("INSERT INTO \"T\" (\"a\") VALUES (?1) ON CONFLICT DO NOTHING", [.bigint]),
      ("INSERT INTO \"T\" (\"a\") VALUES (?1)", [nil]),
      ("INSERT INTO \"T\" (\"a\") VALUES (?1)", [.numeric]),
      ("INSERT INTO \"T\" (\"a\") VALUES (?1)", [.any]),
      ("INSERT INTO T (\"a\") VALUES (?1)", [.bigint]),
      ("UPDATE \"T\" SET \"a\" = ?1", [.bigint]),
      ("UPDATE \"T\" SET \"a\" = ?1 WHERE \"b\" = ?2", [.bigint, .bigint]),
      ("UPDATE \"T\" AS r SET \"a\" = ?1 WHERE r.\"b\" = ?2", [.bigint, .uuid]),
      ("UPDATE \"T\" SET \"a\" = ?1 FROM \"U\" WHERE \"objectID\" = ?2", [.bigint, .uuid]),
      ("UPDATE \"T\" SET \"a\" = (SELECT ?1) WHERE \"objectID\" = ?2", [.bigint, .uuid]),
      ("DELETE FROM \"T\" WHERE \"objectID\" = ?1 AND \"a\" = ?2", [.uuid, .bigint]),
      ("DELETE FROM \"T\" WHERE \"owner\" = ?1", [.uuid]),
      ("DELETE FROM \"T\"", []),
      ("SELECT ?1", [.bigint]),
    ] as [(String, [WireType?])]
  )
  func `a statement of another form goes row by row`(sql: String, types: [WireType?]) throws {
    #expect(BatchText(try StatementText(sql), types: types) == nil)
  }
}
#endif
