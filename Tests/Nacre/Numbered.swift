@testable import TestSupport

/// Rows without objects, as many as are wanted, by one statement.
enum Numbered {
  /// The objectID of row number `n`, an SQL expression: 16 bytes, in the order of the numbers.
  static func identifier(_ n: String) -> String {
    TestPlace.sql(
      "CAST(printf('%016d', \(n)) AS BLOB)",
      onServer: "CAST(lpad(CAST(\(n) AS text), 32, '0') AS uuid)"
    )
  }

  /// Row number `n` as a text of so many digits.
  static func digits(_ count: Int, of n: String) -> String {
    TestPlace.sql(
      "printf('%0\(count)d', \(n))",
      onServer: "lpad(CAST(\(n) AS text), \(count), '0')"
    )
  }

  /// Inserts rows 0 to `count - 1`, of which one column is set, to an SQL expression of `n`.
  static func insert(_ count: Int, into table: String, _ column: String, _ value: String) -> String
  {
    """
    INSERT INTO "\(table)" ("objectID", "\(column)")
    WITH RECURSIVE numbers(n) AS (
      SELECT 0 WHERE \(count) > 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < \(count)
    )
    SELECT \(identifier("n")), \(value) FROM numbers
    """
  }
}
