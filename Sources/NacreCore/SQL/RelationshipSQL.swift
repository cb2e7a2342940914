import NacreEngine
import NacreStore

/// The statements that follow a relationship from a whole set of objects at once.
///
/// The set is one blob of 16-byte identifiers in parameter 1, so that one statement text serves sets
/// of any size. `CROSS JOIN` is SQLite's way to fix the order of the loops. So rows come in the order
/// of the set and, within it, in the order of positions.
final class RelationshipSQL: Sendable {
  let owner: EntitySchema
  let property: Property
  let target: EntitySchema
  /// The table that stores the relationship, if neither end has a column for it.
  let joinTable: String?
  /// The columns of that table with the owner and with the target; the other way round if the
  /// target's own links store the relationship.
  private let ends: (owner: String, target: String)
  /// The target's own link to the owner, if that link stores the relationship.
  let inverseColumn: String?
  /// The target's column with its place among the owner's children, if the target's own link stores
  /// the relationship.
  let positionColumn: String?

  init?(owner: RowSchema, property: Property) {
    guard let relationship = property.relationship, let owner = owner as? EntitySchema else {
      return nil
    }
    self.owner = owner
    self.property = property
    target = relationship.target.entitySchema
    let link = relationship.inverse.flatMap { [target] in target.property($0) }
    let isMirror = relationship.isMirror
    ends = isMirror ? ("child", "owner") : ("owner", "child")
    inverseColumn = isMirror ? nil : link?.column
    if case .children = property.kind {
      positionColumn = link.flatMap { [target] in target.positionColumn(of: $0) }
    } else {
      positionColumn = nil
    }
    switch property.kind {
    case .children where relationship.inverse == nil, .links where relationship.inverse == nil:
      joinTable = Self.joinTable(of: property, in: owner)
    case .links where isMirror:
      joinTable = link.map { [target] in Self.joinTable(of: $0, in: target) }
    default:
      joinTable = nil
    }
  }

  /// Returns the name of the table of a to-many relationship.
  private static func joinTable(of property: Property, in owner: EntitySchema) -> String {
    property.relationship?.table ?? owner.table + "_" + property.column
  }

  static let identifiers = """
    WITH "nacre_ids"("n", "id") AS (SELECT "n", "id" FROM "\(EngineTableFunction.identifiers)"(?1))
    """

  private var targetTable: String { SQLText.name(target.table) }
  private var row: String { RowSQL.row(of: target, "t") }
  /// The target's own link to the owner, in quotes.
  private var link: String { SQLText.name(inverseColumn ?? "") }

  // MARK: Loading

  /// Returns a SELECT of targets by their own identifiers, in the order of the set: row.
  static func targets(of schema: EntitySchema, _ dialect: any Dialect) -> String {
    """
    \(identifiers) SELECT \(RowSQL.row(of: schema, "t")) FROM "nacre_ids" i \
    \(dialect.orderedJoin) \(SQLText.name(schema.table)) t ON t."objectID" = i."id"\
    \(dialect.order(by: ["i.\"n\""]))
    """
  }

  /// Returns a SELECT of all rows from an identifier on, in the order of identifiers: row.
  static func walk(of schema: EntitySchema) -> String {
    let table = SQLText.name(schema.table)
    return "SELECT \(RowSQL.row(of: schema, table)) FROM \(table) "
      + "WHERE \"objectID\" >= ?1 ORDER BY \"objectID\""
  }

  /// The SELECT of the relationship's own rows from an owner on, in the order of owners and then of
  /// positions: owner, target.
  var places: String {
    "SELECT \"owner\", \"child\" FROM \(join) WHERE \"owner\" >= ?1 ORDER BY \"owner\", \"position\""
  }

  /// The SELECT of the to-many targets of a set of owners, in the order of the owners and then of
  /// positions: n, row.
  ///
  /// If the targets' own links store the relationship, each owner's targets come in any order, and
  /// the position is the last column.
  func children(_ dialect: any Dialect) -> String {
    let (identifiers, join) = (Self.identifiers, dialect.orderedJoin)
    guard let joinTable else {
      return """
        \(identifiers) SELECT i."n", \(row), \(position("t.")) FROM "nacre_ids" i \
        \(join) \(targetTable) t ON t.\(link) = i."id"\(dialect.order(by: ["i.\"n\""]))
        """
    }
    return """
      \(identifiers) SELECT i."n", \(row) FROM "nacre_ids" i \
      \(join) \(SQLText.name(joinTable)) j ON j."owner" = i."id" \
      \(join) \(targetTable) t ON t."objectID" = j."child"\
      \(dialect.order(by: ["i.\"n\"", "j.\"position\""]))
      """
  }

  // MARK: References

  /// The table that stores the relationship, with its columns for the owner and the target.
  private var place: (table: String, owner: String, target: String) {
    if let joinTable { return (joinTable, ends.owner, ends.target) }
    if let inverseColumn { return (target.table, inverseColumn, "objectID") }
    return (owner.table, "objectID", property.column)
  }

  /// The SELECT of which owner in a set refers to which target: owner, target.
  func references(_ dialect: any Dialect) -> String {
    let (table, owner, target) = place
    return Self.pairs(table, owner, target, given: owner, dialect)
  }

  /// The same SELECT for one owner, which is parameter 1 itself.
  var referencesOfOne: String {
    let (table, owner, target) = place
    return Self.pairsOfOne(table, owner, target, given: owner)
  }

  /// Returns a SELECT of the owners that refer, by these columns of a table, to a set of targets:
  /// owner, target.
  static func referrers(
    _ table: String,
    _ owner: String,
    _ target: String,
    _ dialect: any Dialect
  ) -> String {
    pairs(table, owner, target, given: target, dialect)
  }

  /// Returns the same SELECT for one target, which is parameter 1 itself.
  static func referrersOfOne(_ table: String, _ owner: String, _ target: String) -> String {
    pairsOfOne(table, owner, target, given: target)
  }

  private static func pairs(
    _ table: String,
    _ owner: String,
    _ target: String,
    given: String,
    _ dialect: any Dialect
  ) -> String {
    let (owner, target) = (SQLText.name(owner), SQLText.name(target))
    return """
      \(identifiers) SELECT r.\(owner), r.\(target) FROM "nacre_ids" i \
      \(dialect.orderedJoin) \(SQLText.name(table)) r ON r.\(SQLText.name(given)) = i."id" \
      WHERE r.\(owner) IS NOT NULL AND r.\(target) IS NOT NULL\(dialect.order(by: ["i.\"n\""]))
      """
  }

  /// Without the table of identifiers, a search for one of them takes half the time.
  private static func pairsOfOne(
    _ table: String,
    _ owner: String,
    _ target: String,
    given: String
  ) -> String {
    let (owner, target) = (SQLText.name(owner), SQLText.name(target))
    return """
      SELECT r.\(owner), r.\(target) FROM \(SQLText.name(table)) r \
      WHERE r.\(SQLText.name(given)) = ?1 AND r.\(owner) IS NOT NULL AND r.\(target) IS NOT NULL
      """
  }

  // MARK: The relationship's own rows

  private var join: String { SQLText.name(joinTable ?? "") }

  var selectPositions: String {
    "SELECT \"position\", \"child\" FROM \(join) WHERE \"owner\" = ?1 ORDER BY \"position\""
  }
  var insertChild: String {
    "INSERT INTO \(join) (\"owner\", \"position\", \"child\") VALUES (?1, ?2, ?3)"
  }
  var deleteFromPosition: String {
    "DELETE FROM \(join) WHERE \"owner\" = ?1 AND \"position\" >= ?2"
  }
  /// The join table's column with the owner, in quotes.
  var ownerEnd: String { SQLText.name(ends.owner) }
  /// The join table's column with the target, in quotes.
  var targetEnd: String { SQLText.name(ends.target) }

  func insertLink(_ dialect: any Dialect) -> String {
    dialect.insertIfMissing(in: join, [ownerEnd, targetEnd])
  }
  var deleteLink: String { "DELETE FROM \(join) WHERE \(ownerEnd) = ?1 AND \(targetEnd) = ?2" }
  var deleteLinks: String { "DELETE FROM \(join) WHERE \(ownerEnd) = ?1" }

  /// Returns the column of the position, or NULL if there is none.
  private func position(_ alias: String) -> String {
    positionColumn.map { alias + SQLText.name($0) } ?? "NULL"
  }

  /// The UPDATE that gives a target a link to an owner, and clears a position that it had at
  /// another owner.
  func setInverse(_ dialect: any Dialect) -> String {
    let reset = positionColumn.map(SQLText.name).map {
      ", \($0) = CASE WHEN \(dialect.isSame(link, "?2")) THEN \($0) END"
    }
    return "UPDATE \(targetTable) SET \(link) = ?2\(reset ?? "") WHERE \"objectID\" = ?1"
  }
  /// The UPDATE that sets a target's place among the owner's children; nil if there is no column
  /// for it.
  var setPosition: String? {
    positionColumn.map {
      "UPDATE \(targetTable) SET \(SQLText.name($0)) = ?2 WHERE \"objectID\" = ?1"
    }
  }
  /// The UPDATE that clears a target's link if it leads to this owner.
  var clearInverse: String {
    "UPDATE \(targetTable) SET \(link) = NULL WHERE \"objectID\" = ?2 AND \(link) = ?1"
  }
  var clearInverses: String { "UPDATE \(targetTable) SET \(link) = NULL WHERE \(link) = ?1" }
  var selectInverse: String {
    "SELECT \"objectID\", \(position("")) FROM \(targetTable) WHERE \(link) = ?1"
  }
  var selectChild: String {
    "SELECT \(SQLText.name(property.column)) FROM \(SQLText.name(owner.table)) "
      + "WHERE \"objectID\" = ?1"
  }

  /// The SELECT of the first of an owner's targets that has no row; nil if the targets store the
  /// relationship.
  var broken: String? {
    guard joinTable != nil || property.hasColumn else { return nil }
    let target = "r." + SQLText.name(place.target)
    return "SELECT \(target) FROM \(SQLText.name(place.table)) r "
      + "WHERE r.\(SQLText.name(place.owner)) = ?1 AND \(target) IS NOT NULL AND NOT EXISTS "
      + "(SELECT 1 FROM \(targetTable) t WHERE t.\"objectID\" = \(target)) LIMIT 1"
  }

  /// Returns a SELECT of the links' elements; the owner is the last argument, after the caller's
  /// own.
  func elements(_ columns: String, _ terms: QueryTerms, isOrdered: Bool = true) -> String {
    let condition = terms.condition.map { "(\($0)\n) AND " } ?? ""
    let membership =
      joinTable.map {
        "t.\"objectID\" IN (SELECT \(targetEnd) FROM \(SQLText.name($0)) WHERE \(ownerEnd) = ?)"
      } ?? "t.\(link) = ?"
    let order = terms.order.map(SQLText.order) ?? "t.\"objectID\""
    return "SELECT \(columns) FROM \(targetTable) t WHERE \(condition)\(membership)"
      + (isOrdered ? " ORDER BY \(order)" : "")
      + (terms.limit.map { " LIMIT \($0) OFFSET \(terms.offset)" } ?? "")
  }
}
