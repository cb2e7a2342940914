import NacreEngine

/// Checks the definitions of the store's own tables in the schema, and everything else in the
/// schema that names them.
///
/// An attacker who can write to the file can also write its schema, which has no MAC. A trigger can
/// put back the rows that a statement has replaced. A unique index makes INSERT OR REPLACE delete
/// other rows, and so does a CHECK or another key of the table. So Nacre accepts none of these:
/// each of the store's own tables must be defined word by word as a version of Nacre defines it,
/// and no trigger, view, index or foreign key of anything else may name it.
package enum OwnTables {
  /// How many objects one error names.
  private static let shownCount = 8

  /// Throws if anything else in the schema could interfere with writes to the store's own tables.
  ///
  /// - Throws: `foreignSchema`, which names it and says how to remove it.
  package static func refuseForeignObjects(on connection: any EngineConnection) throws {
    let found = try foreignObjects(on: connection)
    if found.isEmpty { return }
    let more = found.count > shownCount ? "; and \(found.count - shownCount) more" : ""
    throw NacreError(
      .foreignSchema,
      detail: found.prefix(shownCount).map(\.words).joined(separator: "; ") + more
    )
  }

  /// Returns everything that could interfere, in the order of the schema; then the same for the
  /// connection's temporary schema.
  package static func foreignObjects(on connection: any EngineConnection) throws -> [ForeignObject]
  {
    let dialect = connection.dialect
    var found = try mentions(isTemporary: false, on: connection)
      .compactMap { try object(in: $0, on: connection) }
    for (table, index) in try connection.schema.indexDefinitions(of: OwnTableSQL.names) {
      found.append(ForeignObject(kind: .index, object: index, table: table, dialect: dialect))
    }
    // Temporary tables, views and triggers belong to this connection alone; the application's own
    // SQL has made them.
    for mention in try mentions(isTemporary: true, on: connection) {
      guard let kind = kind(of: mention.definition), let table = named(in: mention.definition)
      else { continue }
      if kind == .table, !isName(mention.name) { continue }
      var object = ForeignObject(kind: kind, object: mention, table: table, dialect: dialect)
      object.isTemporary = true
      found.append(object)
    }
    return found
  }

  /// Returns the objects whose definition may name one of the store's own tables.
  private static func mentions(isTemporary: Bool, on connection: any EngineConnection) throws
    -> [SchemaObject]
  {
    try connection.schema.definitions(containing: "nacre_", isTemporary: isTemporary)
  }

  private static func object(
    in mention: SchemaObject,
    on connection: any EngineConnection
  ) throws -> ForeignObject? {
    let known = OwnTableSQL.definitions(of: mention.name, connection.dialect)
    // Nearly always the text is the one that Nacre has written.
    // The bytes, because Swift takes U+212A for a K, and SQLite does not.
    if known.contains(where: { $0.utf8.elementsEqual(mention.definition.utf8) }) { return nil }
    // Any index may mention such a name in its text; the indexes on the store's own tables are
    // queried by table.
    guard let kind = kind(of: mention.definition), kind != .index,
      let table = named(in: mention.definition)
    else { return nil }
    let dialect = connection.dialect
    var object = ForeignObject(kind: kind, object: mention, table: table, dialect: dialect)
    guard kind == .table else { return object }
    // SQLite takes the name in other case for the same table, but much of this library would not
    // find that table.
    if isName(mention.name) {
      object.table = mention.name
      let definition = TableDefinition(mention.definition)
      return known.contains { definition.isSame(as: TableDefinition($0)) } ? nil : object
    }
    // Any table may have a column or a comment that contains such a name.
    let isVirtual = TableDefinition(mention.definition).isVirtual
    let references = try connection.schema.tables(referredToBy: mention.name)
    return isVirtual || references.contains(where: isName) ? object : nil
  }

  /// Returns whether a name is that of one of the store's own tables, in any case.
  private static func isName(_ name: String) -> Bool {
    OwnTableSQL.names.contains(SQLName(name).text)
  }

  /// Returns the kind of thing that a definition creates; SQLite relies on this text, not on the
  /// type in the row.
  static func kind(of sql: String) -> ForeignObject.Kind? {
    var scanner = SQLScanner(sql)
    // CREATE, TEMP, UNIQUE or VIRTUAL come before the kind.
    for _ in 0..<4 {
      guard case .word(let range)? = scanner.next() else { return nil }
      if let kind = ForeignObject.Kind(rawValue: scanner.text(range).uppercased()) { return kind }
    }
    return nil
  }

  /// Returns the first of the store's own tables that a text names, even in quotes or in a literal;
  /// nil if there is none.
  private static func named(in sql: String) -> String? {
    let words = sql.utf8.split { !SQLScanner.isNamePart($0) }
    let named = Set(words.map { SQLName(String(Substring($0))).text })
    return OwnTableSQL.names.first(where: named.contains)
  }
}
