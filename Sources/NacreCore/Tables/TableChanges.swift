import NacreEngine
import NacreStore

/// The differences between an entity's table and rows in the catalog, and the declaration of its
/// class.
struct TableChanges {
  /// Properties that are stored under their former name.
  var renamed: [(old: CatalogProperty, property: Property)] = []
  /// Properties without a column.
  var added: [Property] = []
  /// Properties whose column exists although the catalog has no row for them, or a hidden one.
  ///
  /// Either a step has added the column, or the property was taken out of the class and put back.
  var adopted: [Property] = []
  /// To-many properties without a table.
  var joins: [Property] = []
  /// The missing columns for the objects' places in lists.
  var positions: [String] = []
  /// Properties that may be nil although their column refuses NULL.
  var relaxed: [Property] = []
  /// Properties in the catalog that the class no longer has.
  var hidden: [CatalogProperty] = []
  /// Properties in the catalog that the class no longer has and whose column or table SQL has
  /// dropped, too.
  var forgotten: [CatalogProperty] = []
  /// Whether the class detects conflicts and the table has no column for the versions of its rows.
  var lacksVersion = false
  /// Whether the file's full-text index is not the one that the class declares.
  var hasOtherFullText = false
  /// The statements that change the indexes to what the class declares.
  var indexes: [String] = []
  /// The rows of the catalog to write.
  var rows: [CatalogProperty] = []

  var isEmpty: Bool { leavesTable && rows.isEmpty }

  /// Whether the table stays as it is, so that at most rows of the catalog are written.
  var leavesTable: Bool {
    renamed.isEmpty && added.isEmpty && adopted.isEmpty && joins.isEmpty && positions.isEmpty
      && relaxed.isEmpty && hidden.isEmpty && forgotten.isEmpty && indexes.isEmpty && !lacksVersion
      && !hasOtherFullText
  }
}

/// The comparison of a class with the file.
struct TableComparison {
  let schema: RowSchema
  let known: [String: CatalogProperty]
  let layout: TableLayout
  private let builder: TableBuilder
  private var connection: any EngineConnection { builder.connection }

  /// Reads the table that a builder makes, and its rows in the catalog.
  ///
  /// - Throws: The error that SQLite reports; `schemaMismatch` for a catalog of a later version.
  init(_ builder: TableBuilder) throws {
    self.builder = builder
    schema = builder.schema
    let rows = try CatalogEntity.properties(of: schema.name, on: builder.connection)
    known = Dictionary(rows.map { ($0.name, $0) }) { first, _ in first }
    layout = try TableLayout(schema.table, on: builder.connection)
  }

  /// Returns the row that the catalog is to have for a property.
  ///
  /// It is the class's declaration, and whether every row is sealed, which the class can't know.
  private func declared(_ property: Property) -> CatalogProperty {
    var row = builder.row(property)
    guard row.isOptional == true, row.sealing?.form.hidesNil == true else { return row }
    // Rows that are older than the property are sealed when the property gets its column or takes
    // an existing one over.
    row.isFilled = known[property.name].map { $0.isFilled || $0.isHidden } ?? true
    return row
  }

  func changes() throws -> TableChanges {
    var changes = TableChanges()
    changes.lacksVersion = try lacksVersion()
    changes.hasOtherFullText = try hasOtherFullText()
    var names = Set(schema.properties.map(\.name))
    for property in schema.properties {
      let row = declared(property)
      // The catalog knows nothing of links that another class stores. A row of the property's own
      // is a conflict, which the check of the row reports.
      if property.isMirror && known[property.name] == nil { continue }
      if let old = try former(property, row) {
        changes.renamed.append((old, property))
        names.insert(old.name)
        continue
      }
      if known[property.name] != row { changes.rows.append(row) }
      if let join = row.join {
        if try !connection.has(join) {
          changes.joins.append(property)
        } else if property.relationship?.table != nil, known[property.name] == nil {
          throw builder.mismatch(
            "the file has a table \(join), and the catalog does not know it as this relationship's",
            property.name
          )
        }
      }
      if property.hasColumn { look(at: property, row, &changes) }
    }
    changes.positions = schema.positionColumns.filter { layout.column($0) == nil }
    for row in known.values.sorted(by: { $0.name < $1.name }) where !names.contains(row.name) {
      let isGone =
        try row.column.map { layout.column($0) == nil }
        ?? row.join.map { try !connection.has($0) } ?? false
      if isGone {
        changes.forgotten.append(row)
      } else if !row.isHidden {
        changes.hidden.append(row)
      }
    }
    // Objects that are stored without the property all hold its default, which a unique index would
    // refuse.
    changes.indexes += changes.hidden.compactMap(\.column).flatMap { dropUnique($0) }
    return changes
  }

  private func lacksVersion() throws -> Bool {
    guard schema.detectsConflicts else { return false }
    guard let column = layout.column(VersionSQL.name) else { return true }
    if column.type == "INTEGER" { return false }
    throw NacreError(
      .schemaMismatch,
      entity: schema.name,
      detail:
        "its column \(VersionSQL.name), which holds the versions of rows, has the type "
        + "\(column.type)"
    )
  }

  /// Returns whether the file's full-text index has to be made, made anew or dropped.
  ///
  /// - Throws: `foreignSchema` if a part of it is not defined as Nacre defines it.
  private func hasOtherFullText() throws -> Bool {
    let stored = FullTextIndex(table: schema.table, Array(known.values))
    if stored == nil && schema.fullText == nil { return false }
    let state = try FullTextState(
      stored,
      or: schema.fullText,
      ofTable: schema.table,
      on: connection
    )
    if case .whole = state { return stored != schema.fullText }
    return true
  }

  /// Returns whether the rows to write differ from those of the catalog only in how new values are
  /// sealed.
  func readsAlike(_ changes: TableChanges) -> Bool {
    changes.rows.allSatisfy { row in
      known[row.name].map { $0.withoutWriting == row.withoutWriting } ?? false
    }
  }

  private func look(
    at property: Property,
    _ row: CatalogProperty,
    _ changes: inout TableChanges
  ) {
    guard let column = layout.column(property.column) else {
      changes.added.append(property)
      return
    }
    if known[property.name].map(\.isHidden) ?? true { changes.adopted.append(property) }
    if column.isNotNull && row.isOptional == true { changes.relaxed.append(property) }
    changes.indexes += indexes(property)
  }

  // MARK: Renaming

  /// Returns the catalog's row under the former name of a property or its column; nil if the
  /// property is stored under its own name, or not at all.
  private func former(_ property: Property, _ row: CatalogProperty) throws -> CatalogProperty? {
    guard let name = property.formerName else { return try withFormerTable(property, row) }
    if let stored = known[property.name], !stored.isHidden {
      // Only the column had another name. If the names differ in case alone, the catalog tells
      // whether it has been renamed.
      guard property.hasColumn, isSame(stored.column, name), stored.column != property.column,
        layout.column(name) != nil, isFree(property.column, besides: name)
      else { return nil }
      return stored
    }
    guard let old = known[name], schema.property(named: name) == nil else { return nil }
    if let column = old.column, let wanted = row.column {
      return layout.column(column) != nil && isFree(wanted, besides: column) ? old : nil
    }
    if let join = row.join, join != old.join, try connection.has(join) { return nil }
    return old
  }

  /// Returns the catalog's row of a relationship whose table the class has given another name; nil
  /// if it has not.
  ///
  /// A class that names no table renames none: an older class, which does not know the new name,
  /// must not take the table back.
  private func withFormerTable(_ property: Property, _ row: CatalogProperty) throws
    -> CatalogProperty?
  {
    guard property.relationship?.table != nil, let stored = known[property.name],
      let join = row.join, let former = stored.join, former != join,
      stored.kind == row.kind, stored.target == row.target,
      try connection.has(former), try !connection.has(join)
    else { return nil }
    return stored
  }

  /// Returns whether no column but the one that is to be renamed has a name.
  private func isFree(_ name: String, besides column: String) -> Bool {
    isSame(name, column) || layout.column(name) == nil
  }

  /// Returns whether both are the name of the same column, or both are nil.
  private func isSame(_ column: String?, _ other: String?) -> Bool {
    column.map(SQLName.init) == other.map(SQLName.init)
  }

  /// Returns the catalog's row that a property gets if it is renamed and nothing else changes.
  func renamed(_ old: CatalogProperty, to property: Property) -> CatalogProperty {
    let row = declared(property)
    var renamed = old
    renamed.name = property.name
    renamed.isHidden = false
    // Objects that were stored meanwhile hold NULL.
    if old.isHidden { renamed.isFilled = false }
    if old.column != nil { renamed.column = row.column ?? old.column }
    if old.join != nil { renamed.join = row.join ?? old.join }
    return renamed
  }

  // MARK: Indexes

  private func indexes(_ property: Property) -> [String] {
    let sql = SchemaSQL(schema: schema, dialect: connection.dialect)
    guard let wanted = sql.wantedIndex(property), let create = sql.index(property) else {
      return dropUnique(property.column)
    }
    let name = schema.table + "__" + wanted.column
    guard layout.indexes[SQLName(name)] != wanted.isUnique, layout.column(wanted.column) != nil
    else {
      return []
    }
    return [MigrationSQL.dropIndex(name), create]
  }

  /// Returns the statement that drops a column's index, if the index is unique.
  ///
  /// An index that is not unique may stay, because it only costs time. A unique one refuses values.
  private func dropUnique(_ column: String) -> [String] {
    let name = schema.table + "__" + column
    return layout.indexes[SQLName(name)] == true ? [MigrationSQL.dropIndex(name)] : []
  }

  // MARK: Checking

  /// Throws if a property is declared differently from how it is stored.
  ///
  /// - Throws: `schemaMismatch`; `migrationPending` if the property's rows must be sealed first, or
  ///   sealed differently.
  func check(_ property: Property) throws {
    let row = declared(property)
    let stored = known[property.name]
    let code: NacreError.Code
    let detail: String
    if let conflict = try conflict(property, row) {
      code = .schemaMismatch
      detail = conflict
    } else if stored.map(\.isHidden) ?? true, try lacksSealed(property, row) {
      code = .migrationPending
      detail = "objects were stored without it; they get its default when they are migrated"
    } else if let stored, stored.sealing?.form != row.sealing?.form {
      code = .migrationPending
      detail = "it is stored \(stored.storedForm) and declared \(row.storedForm)"
    } else {
      return
    }
    throw NacreError(code, entity: schema.name, property: property.name, detail: detail)
  }

  private func lacksSealed(_ property: Property, _ row: CatalogProperty) throws -> Bool {
    guard row.isSealed, row.isOptional == false, layout.column(property.column) != nil else {
      return false
    }
    let sql = MigrationSQL.nulls(property.column, of: schema.table)
    return try connection.scalar(sql) != nil
  }

  /// Returns why a property can't be used as it is stored, in words, or nil if it can.
  func conflict(_ property: Property) throws -> String? {
    try conflict(property, declared(property))
  }

  private func conflict(_ property: Property, _ row: CatalogProperty) throws -> String? {
    let column = property.hasColumn ? layout.column(property.column) : nil
    let type = row.isSealed ? "BLOB" : row.type
    guard let stored = known[property.name] else {
      guard let column, column.type != type else { return nil }
      return
        "the table's column of that name has the type \(column.type), and the declared type is "
        + "\(type)"
    }
    guard stored.kind == row.kind, stored.column == row.column, stored.target == row.target,
      stored.join == row.join, stored.inverse == row.inverse
    else { return "it is stored as \(stored.words) and declared as \(row.words)" }
    // A new, empty column would hide that the values are gone.
    if property.hasColumn && column == nil { return "its column is gone from the file" }
    // Trust the column: a step may have given it the type that the class declares.
    let isRetyped = !stored.isSealed && !row.isSealed && column?.type == type
    guard stored.type == row.type || isRetyped else {
      return
        "it is stored as \(stored.type) and declared as \(row.type); change the type in a step, "
        + "with changeType, or in migrate(from:to:) under a higher version"
    }
    // Leave out a hidden property: rows without it get its default when it is put back.
    guard !stored.isHidden, stored.isOptional == true, row.isOptional == false,
      let name = row.column, column != nil,
      try connection.scalar(MigrationSQL.nulls(name, of: schema.table)) != nil
    else { return nil }
    return
      "some rows hold nil, and the property is not optional; give these rows a value in a step "
      + "or in migrate(from:to:) under a higher version"
  }
}

extension CatalogProperty {
  /// The same row without the fields that only matter when values are sealed.
  fileprivate var withoutWriting: CatalogProperty {
    var row = self
    row.isFilled = false
    row.sealing = sealing.map { Sealing(form: $0.form) }
    return row
  }

  /// The kind, with its target and its column or table if it has them.
  fileprivate var words: String {
    [
      kind, target.map { "of \($0)" }, column.map { "in column \($0)" },
      join.map { "in table \($0)" }, kind == "links" && join == nil ? "by an inverse" : nil,
    ]
    .compactMap { $0 }.joined(separator: " ")
  }
}
