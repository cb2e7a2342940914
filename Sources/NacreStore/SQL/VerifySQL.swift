import Foundation
package import NacreEngine

/// The statements that check a whole store by the catalog alone, and those that set bad cells
/// aside.
///
/// They name columns through an alias, because SQLite takes a bare name in double quotes for a text
/// if there is no such column.
package enum VerifySQL {
  /// The rows that a statement reads.
  package enum Reach {
    /// The first rows; parameter 1 is their number.
    case first
    /// The next rows after the key in parameters 1 and 2; parameter 3 is their number.
    case after
    /// The row whose key is parameter 1.
    case one
  }

  /// The parts of a row that are checked, in this order: its key, each sealed cell and its blind
  /// index, and for each reference whether it is NULL or leads to a row.
  package struct Row {
    var table: String
    var key: RowKey
    package var sealed: [(column: String, index: String?)] = []
    package var references: [(column: String, target: String)] = []

    package init(table: String, key: RowKey = .objectID) {
      self.table = table
      self.key = key
    }
  }

  package static func select(_ row: Row, _ reach: Reach, _ dialect: any Dialect) -> String {
    let key = RingSQL.cell(row.key.column(dialect))
    var columns = [key]
    for sealed in row.sealed {
      columns.append(RingSQL.cell(sealed.column))
      columns.append(sealed.index.map(RingSQL.cell) ?? "NULL")
    }
    for reference in row.references {
      let column = RingSQL.cell(reference.column)
      columns.append("(\(column) IS NULL OR \(exists(column, in: reference.target)))")
    }
    let rows = "SELECT \(columns.joined(separator: ", ")) FROM \(SQLText.main(row.table)) r"
    switch reach {
    case .first: return rows + " ORDER BY \(key) LIMIT ?1"
    case .after: return rows + " WHERE \(key) > \(dialect.walkKey(1)) ORDER BY \(key) LIMIT ?3"
    case .one: return rows + " WHERE \(key) = ?1"
    }
  }

  /// Whether an object other than that in parameter 1 has the token in parameter 2.
  package static func otherHasToken(table: String, index: String) -> String {
    """
    SELECT 1 FROM \(SQLText.main(table)) r WHERE \(RingSQL.cell(index)) = ?2 \
    AND r."objectID" <> ?1
    """
  }

  // MARK: Tables of relationships

  /// A table of a to-many relationship.
  package struct Join: Hashable {
    package var table: String
    package var owner: String
    package var target: String
    /// Whether the table's rows have positions.
    package var isOrdered: Bool

    package init(table: String, owner: String, target: String, isOrdered: Bool) {
      self.table = table
      self.owner = owner
      self.target = target
      self.isOrdered = isOrdered
    }

    fileprivate var key: String { isOrdered ? "j.\"position\"" : "j.\"child\"" }
  }

  /// Selects rows of a relationship: owner, position or NULL, child, whether the owner exists,
  /// whether the child exists.
  ///
  /// Unless it is the first time, it selects the rows after owner and position, or owner and child,
  /// in parameters 1 to 4. The last parameter is the limit.
  package static func select(_ join: Join, isFirst: Bool, _ dialect: any Dialect) -> String {
    """
    SELECT j."owner", \(join.isOrdered ? "j.\"position\"" : "NULL"), j."child", \
    \(exists("j.\"owner\"", in: join.owner)), \(exists("j.\"child\"", in: join.target)) \
    FROM \(SQLText.main(join.table)) j \
    \(isFirst ? "" : "WHERE (j.\"owner\", \(join.key)) > (\(dialect.walkKey(1)), \(dialect.walkKey(3)))") \
    ORDER BY j."owner", \(join.key) LIMIT ?\(isFirst ? 1 : 5)
    """
  }

  /// Selects the dangling rows of an owner (parameter 1) in a relationship: position or NULL,
  /// child.
  package static func dangling(_ join: Join, _ dialect: any Dialect) -> String {
    """
    SELECT \(join.isOrdered ? "j.\"position\"" : "NULL"), j."child" \
    FROM \(SQLText.main(join.table)) j WHERE j."owner" = ?1 AND \(isDangling(join, dialect))
    """
  }

  package static func deleteDangling(_ join: Join, _ dialect: any Dialect) -> String {
    "DELETE FROM \(SQLText.main(join.table)) AS j "
      + "WHERE j.\"owner\" = ?1 AND \(isDangling(join, dialect))"
  }

  /// Whether a row leads nowhere, or has a position from which no further one can be counted.
  private static func isDangling(_ join: Join, _ dialect: any Dialect) -> String {
    let position =
      "NOT (\(dialect.holds(.integer, "j.\"position\""))) OR j.\"position\" < 0 "
      + "OR j.\"position\" = \(Int64.max) OR "
    return "(\(join.isOrdered ? position : "")NOT \(exists("j.\"owner\"", in: join.owner)) "
      + "OR NOT \(exists("j.\"child\"", in: join.target)))"
  }

  private static func exists(_ value: String, in table: String) -> String {
    "EXISTS (SELECT 1 FROM \(SQLText.main(table)) t WHERE t.\"objectID\" = \(value))"
  }
}

// MARK: - What the catalog does not know

extension VerifySQL {
  /// Returns the statement that counts the cells of each column that begin like an envelope, with
  /// one of these heads of 5 bytes.
  static func countHeads(
    table: String,
    columns: [EngineColumn],
    heads: [[UInt8]],
    _ dialect: any Dialect
  ) -> String {
    let counts = columns.map { column in
      let cell = RingSQL.cell(column.name)
      let tests = heads.map { dialect.begins(cell, ofType: column.declaredType, with: $0) }
      return "count(CASE WHEN \(tests.joined(separator: " OR ")) THEN 1 END)"
    }
    return "SELECT \(counts.joined(separator: ", ")) FROM \(SQLText.main(table)) r"
  }
}

// MARK: - Quarantine

extension VerifySQL {
  package static func createQuarantine(_ dialect: any Dialect) -> String {
    let (integer, text) = (dialect.type(.integer), dialect.type(.text))
    return """
      CREATE TABLE "nacre_quarantine" ("id"\(dialect.integerKey), \
      "entity" \(text) NOT NULL, "objectID" \(dialect.identifierType) NOT NULL, \
      "property" \(text) NOT NULL, "fault" \(text) NOT NULL, "cell"\(dialect.sealedCellType), \
      "indexCell"\(dialect.sealedCellType), "row" \(text), "moved" \(integer) NOT NULL)
      """
  }
  package static let insertQuarantine = """
    INSERT INTO "nacre_quarantine" ("entity", "objectID", "property", "fault", "cell", \
    "indexCell", "row", "moved") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    """
  /// Copies a cell and its index as they are in their columns, for the object in parameter 2.
  package static func quarantine(table: String, column: String, index: String?) -> String {
    """
    INSERT INTO "nacre_quarantine" ("entity", "objectID", "property", "fault", "cell", \
    "indexCell", "row", "moved") SELECT ?1, ?2, ?3, ?4, \(RingSQL.cell(column)), \
    \(index.map(RingSQL.cell) ?? "NULL"), ?5, ?6 FROM \(SQLText.main(table)) r \
    WHERE r."objectID" = ?2
    """
  }
  /// Whether row 7 of the quarantine holds what `quarantine` wrote: its parameters, and the two
  /// cells.
  package static func isQuarantined(
    table: String,
    column: String,
    index: String?,
    _ dialect: any Dialect
  ) -> String {
    """
    SELECT count(*) FROM "nacre_quarantine" q, \(SQLText.main(table)) r WHERE q."id" = ?7 \
    AND r."objectID" = ?2 AND q."entity" = ?1 AND q."objectID" = ?2 AND q."property" = ?3 \
    AND q."fault" = ?4 AND \(dialect.isSame("q.\"row\"", "?5")) AND q."moved" = ?6 \
    AND \(dialect.isIdentical("q.\"cell\"", RingSQL.cell(column))) \
    AND \(dialect.isIdentical("q.\"indexCell\"", index.map(RingSQL.cell) ?? "NULL"))
    """
  }
  /// Whether row 9 of the quarantine holds what `insertQuarantine` wrote.
  package static func isInserted(_ dialect: any Dialect) -> String {
    """
    SELECT count(*) FROM "nacre_quarantine" q WHERE q."id" = ?9 AND q."entity" = ?1 \
    AND q."objectID" = ?2 AND q."property" = ?3 AND q."fault" = ?4 \
    AND \(dialect.isSame("q.\"cell\"", "?5")) AND \(dialect.isSame("q.\"indexCell\"", "?6")) \
    AND \(dialect.isSame("q.\"row\"", "?7")) AND q."moved" = ?8
    """
  }
  /// Whether some columns of the object in parameter 1 hold the parameters from 2 on.
  package static func has(table: String, columns: [String], _ dialect: any Dialect) -> String {
    let terms = columns.enumerated().map { dialect.isIdentical(RingSQL.cell($1), "?\($0 + 2)") }
    return "SELECT count(*) FROM \(SQLText.main(table)) r "
      + "WHERE \((["r.\"objectID\" = ?1"] + terms).joined(separator: " AND "))"
  }

  package static func selectQuarantine(_ dialect: any Dialect) -> String {
    """
    SELECT "id", "entity", "objectID", "property", "fault", "row" IS NOT NULL, "moved", \
    \(dialect.byteCount("\"cell\"")) FROM "nacre_quarantine" ORDER BY "id"
    """
  }

  /// Selects all columns of the object in parameter 1.
  package static func wholeRow(table: String) -> String {
    "SELECT r.* FROM \(SQLText.main(table)) r WHERE r.\"objectID\" = ?1"
  }

  /// Selects all columns of the rows of a relationship whose owner or child (`end`) is parameter 1.
  package static func joinRows(table: String, end: String) -> String {
    "SELECT j.* FROM \(SQLText.main(table)) j WHERE j.\(SQLText.name(end)) = ?1"
  }

  package static func deleteRow(table: String) -> String {
    "DELETE FROM \(SQLText.main(table)) WHERE \"objectID\" = ?1"
  }

  /// Sets columns of the object in parameter 1 to the parameters from 2 on.
  package static func update(
    table: String,
    columns: [String],
    raisingVersion: Bool = false,
    _ dialect: any Dialect
  ) -> String {
    var terms = columns.enumerated().map { "\(SQLText.name($1)) = ?\($0 + 2)" }
    if raisingVersion { terms.append(VersionSQL.raise(dialect)) }
    return "UPDATE \(SQLText.main(table)) SET \(terms.joined(separator: ", ")) "
      + "WHERE \"objectID\" = ?1"
  }
}
