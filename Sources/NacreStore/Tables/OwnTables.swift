import NacreEngine
import NacreSQLite

/// Checks the definitions of the store's own tables in the schema, and everything else in the
/// schema that names them.
///
/// An attacker who can write to the file can also write its schema, which has no MAC. A trigger can
/// put back the rows that a statement has replaced. A unique index makes INSERT OR REPLACE delete
/// other rows, and so does a CHECK or another key of the table. So Nacre accepts none of these:
/// each of the store's own tables must be defined word by word as a version of Nacre defines it,
/// and no trigger, view, index or foreign key of anything else may name it.
package enum OwnTables {
  /// How many strangers one error names.
  private static let shownCount = 8

  /// Throws if anything else in the schema could interfere with writes to the store's own tables.
  ///
  /// - Throws: `foreignSchema`, which names it and says how to remove it.
  package static func refuseStrangers(on connection: any EngineConnection) throws {
    let found = try strangers(on: connection)
    if found.isEmpty { return }
    let more = found.count > shownCount ? "; and \(found.count - shownCount) more" : ""
    throw NacreError(
      .foreignSchema,
      detail: found.prefix(shownCount).map(\.words).joined(separator: "; ") + more
    )
  }

  /// Returns everything that could interfere, in the order of the schema; then the same for the
  /// connection's temporary schema.
  package static func strangers(on connection: any EngineConnection) throws -> [SchemaStranger] {
    var found: [SchemaStranger] = []
    for mention in try mentions(OwnTableSQL.mentions, on: connection) {
      if let stranger = try stranger(in: mention, on: connection) { found.append(stranger) }
    }
    for table in OwnTableSQL.names {
      try connection.each(OwnTableSQL.indexes, [.text(table)]) { row in
        found.append(
          SchemaStranger(kind: .index, name: row.text(at: 0), table: table, row: row.int64(at: 1))
        )
      }
    }
    // Temporary tables, views and triggers belong to this connection alone; the application's own
    // SQL has made them.
    for mention in try mentions(OwnTableSQL.temporaryMentions, on: connection) {
      guard let kind = kind(of: mention.sql), let table = named(in: mention.sql) else { continue }
      if kind == .table, OwnTableSQL.definitions[SQLName(mention.name).text] == nil { continue }
      found.append(
        SchemaStranger(
          kind: kind,
          name: mention.name,
          table: table,
          row: mention.row,
          isTemporary: true
        )
      )
    }
    return found
  }

  private struct Mention {
    let name: String
    let sql: String
    let row: Int64
  }

  private static func mentions(_ sql: String, on connection: any EngineConnection) throws
    -> [Mention]
  {
    var found: [Mention] = []
    try connection.each(sql, []) { row in
      found.append(Mention(name: row.text(at: 1), sql: row.text(at: 2), row: row.int64(at: 3)))
    }
    return found
  }

  private static func stranger(
    in mention: Mention,
    on connection: any EngineConnection
  ) throws -> SchemaStranger? {
    // Any index may mention such a name in its text; the indexes on the store's own tables are
    // queried by table.
    guard let kind = kind(of: mention.sql), kind != .index, let table = named(in: mention.sql)
    else { return nil }
    var stranger = SchemaStranger(
      kind: kind,
      name: mention.name,
      table: table,
      row: mention.row
    )
    guard kind == .table else { return stranger }
    // SQLite takes the name in other case for the same table, but much of this library would not
    // find that table.
    if OwnTableSQL.definitions[SQLName(mention.name).text] != nil {
      stranger = SchemaStranger(
        kind: .table,
        name: mention.name,
        table: mention.name,
        row: mention.row
      )
      let definition = TableDefinition(mention.sql)
      let known = OwnTableSQL.definitions[mention.name] ?? []
      return known.contains { definition.isSame(as: TableDefinition($0)) } ? nil : stranger
    }
    // Any table may have a column or a comment that contains such a name.
    let references = try connection.texts(OwnTableSQL.references, [.text(mention.name)])
    let isVirtual = TableDefinition(mention.sql).isVirtual
    return isVirtual || references.contains { OwnTableSQL.definitions[$0] != nil } ? stranger : nil
  }

  /// Returns the kind of thing that a definition creates; SQLite relies on this text, not on the
  /// type in the row.
  static func kind(of sql: String) -> SchemaStranger.Kind? {
    var scanner = SQLScanner(sql)
    // CREATE, TEMP, UNIQUE or VIRTUAL come before the kind.
    for _ in 0..<4 {
      guard case .word(let range)? = scanner.next() else { return nil }
      if let kind = SchemaStranger.Kind(rawValue: scanner.text(range).uppercased()) { return kind }
    }
    return nil
  }

  /// Returns the first of the store's own tables that a text names, even in quotes or in a literal;
  /// nil if there is none.
  private static func named(in sql: String) -> String? {
    let text = Array(sql.utf8).map { SQLName.lowercased($0) }
    return OwnTableSQL.names.first { contains(text, Array($0.utf8)) }
  }

  private static func contains(_ text: [UInt8], _ name: [UInt8]) -> Bool {
    guard text.count >= name.count else { return false }
    return (0...text.count - name.count).contains { start in
      let end = start + name.count
      return text[start] == name[0] && text[start..<end].elementsEqual(name)
        && (start == 0 || !isNamePart(text[start - 1]))
        && (end == text.count || !isNamePart(text[end]))
    }
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}
