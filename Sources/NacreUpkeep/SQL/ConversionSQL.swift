import NacreEngine
import NacreStore

/// The statements that convert one property's column to another form, in a new column beside the
/// old one.
///
/// The old column stays under another name until the new one is complete. Then one transaction
/// replaces the old column by the new one, or removes the new one.
struct ConversionSQL {
  let table: String
  /// The property's column before and after.
  let column: String

  /// The old column's name during the conversion.
  var heldColumn: String { column + Self.heldSuffix }
  static let heldSuffix = "__old"
  static let madeSuffix = "__new"
  var madeColumn: String { column + Self.madeSuffix }
  private var madeIndexColumn: String { SealedColumns.indexColumn(of: madeColumn) }
  private var indexColumn: String { SealedColumns.indexColumn(of: column) }

  private var alter: String { "ALTER TABLE \(SQLText.name(table)) " }
  private func drop(_ column: String) -> String { alter + "DROP COLUMN \(SQLText.name(column))" }
  private func rename(_ column: String, to name: String) -> String {
    alter + "RENAME COLUMN \(SQLText.name(column)) TO \(SQLText.name(name))"
  }

  /// Returns all names that a property's column can have, for the one that the catalog has.
  static func places(of column: String) -> [String] {
    let base = column.hasSuffix(heldSuffix) ? String(column.dropLast(heldSuffix.count)) : column
    return [base, base + heldSuffix, base + madeSuffix]
  }

  // MARK: Begin and end

  /// Returns the statements that rename the old column and add the new ones.
  ///
  /// Code that knows only the old name then fails, instead of writing to the old column.
  func begin(to form: ConversionForm, _ dialect: any Dialect) -> [String] {
    var statements = [
      rename(column, to: heldColumn),
      alter + "ADD COLUMN \(SQLText.name(madeColumn)) \(definition(form, dialect))",
    ]
    if form.index != nil {
      statements.append(
        alter + "ADD COLUMN \(SQLText.name(madeIndexColumn)) \(dialect.type(.blob))"
      )
    }
    return statements
  }

  /// Returns the statements that replace the old columns by the new ones.
  func exchange(from old: ConversionForm, to form: ConversionForm) -> [String] {
    var statements = [
      "DROP INDEX IF EXISTS \(TableSQL.indexName(table: table, column: column))",
      "DROP INDEX IF EXISTS \(TableSQL.indexName(table: table, column: indexColumn))",
      drop(heldColumn), rename(madeColumn, to: column),
    ]
    if old.index != nil { statements.append(drop(indexColumn)) }
    if form.index != nil { statements.append(rename(madeIndexColumn, to: indexColumn)) }
    return statements
  }

  /// Returns the statements that index the exchanged columns.
  func makeIndex(_ form: ConversionForm, _ dialect: any Dialect) -> [String] {
    func make(_ column: String, isUnique: Bool) -> [String] {
      [TableSQL.createIndex(table: table, column: column, isUnique: isUnique, dialect)]
    }
    if let index = form.index { return make(indexColumn, isUnique: index.isUnique) }
    if form.plainIndex == .none { return [] }
    return make(column, isUnique: form.plainIndex == .unique)
  }

  /// Returns the statements that remove the new columns and restore the old name.
  func abandon(hasIndex: Bool) -> [String] {
    [drop(madeColumn)] + (hasIndex ? [drop(madeIndexColumn)] : [])
      + [rename(heldColumn, to: column)]
  }

  /// Returns the definition of the new column.
  ///
  /// Unless a hook seals it, a sealed column accepts only envelopes, because a process with the old
  /// class may go on and write values to it.
  private func definition(_ form: ConversionForm, _ dialect: any Dialect) -> String {
    let name = SQLText.name(madeColumn)
    if form.isSealed {
      let type = dialect.type(.blob)
      if form.isHooked { return type }
      return "\(type) CHECK (\(name) IS NULL OR \(dialect.isLikeEnvelope(name)))"
    }
    let preset = form.acceptsNull ? "" : " NOT NULL DEFAULT \(Self.zero(of: form.type, dialect))"
    return dialect.type(form.type.storageClass) + preset
  }

  private static func zero(
    of type: ConversionForm.ColumnType,
    _ dialect: any Dialect
  ) -> String {
    switch type {
    case .integer: "0"
    case .real: "0.0"
    case .text: "''"
    case .blob: dialect.blob(hex: "")
    }
  }

  // MARK: Rows

  /// Returns the columns that a conversion reads: old cell, new cell, and the new index if there is
  /// one.
  func columns(_ form: ConversionForm) -> [String] {
    [heldColumn, madeColumn] + (form.index == nil ? [] : [madeIndexColumn])
  }

  /// Selects every row: objectID, old cell, new cell.
  var halves: String {
    "SELECT t.\"objectID\", t.\(SQLText.name(heldColumn)), t.\(SQLText.name(madeColumn)) "
      + "FROM \(SQLText.main(table)) t"
  }

  /// Sets the new cell and index of a row: objectID, cell, index.
  func update(_ form: ConversionForm) -> String {
    "UPDATE \(SQLText.name(table)) SET \(SQLText.name(madeColumn)) = ?2"
      + (form.index == nil ? "" : ", \(SQLText.name(madeIndexColumn)) = ?3")
      + " WHERE \"objectID\" = ?1"
  }

  /// Selects objects that would have the same index: objectID.
  var twins: String {
    let (table, index) = (SQLText.name(table), SQLText.name(madeIndexColumn))
    return
      "SELECT t.\"objectID\" FROM \(table) t WHERE t.\(index) = (SELECT \(index) FROM \(table) "
      + "WHERE \(index) IS NOT NULL GROUP BY \(index) HAVING count(*) > 1 LIMIT 1) "
      + "ORDER BY t.\"objectID\" LIMIT 2"
  }

  // MARK: Journal

  /// Selects the unfinished conversions of an entity that prevent its use: property.
  static let selectBlocking = """
    SELECT "property" FROM "nacre_rotation" WHERE "finished" IS NULL AND "entity" = ?1 \
    AND "kind" IN ('seal', 'unseal', 'reseal') AND "phase" <> 'clearing'
    """
  /// Sets the name of a property's column in the catalog, which a conversion changes and restores.
  static let setColumn =
    "UPDATE \"nacre_property\" SET \"column\" = ?3 WHERE \"entity\" = ?1 AND \"name\" = ?2"
}
