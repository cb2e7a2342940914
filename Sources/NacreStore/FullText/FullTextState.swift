package import NacreEngine

/// How much of a full-text index a file has.
package enum FullTextState {
  /// Nothing.
  case absent
  /// A part, or parts of what the class declares and the catalog does not know.
  case incomplete
  /// All of it, as the catalog says.
  case whole

  /// Compares the parts of a table's index with their definitions, word by word.
  ///
  /// - Parameters:
  ///   - stored: The index that the catalog has; nil if it has none.
  ///   - declared: The index that the class declares.
  ///   - table: The entity's table.
  ///   - connection: A connection to the file.
  /// - Throws: `foreignSchema` if a part is neither as the one nor as the other says.
  package init(
    _ stored: FullTextIndex?,
    or declared: FullTextIndex? = nil,
    ofTable table: String,
    on connection: any EngineConnection
  ) throws {
    let found = try Self.parts(ofTable: table, on: connection)
    let definitions = try stored.map { try $0.sql(connection.dialect).definitions } ?? []
    let others = try declared.map { try $0.sql(connection.dialect).definitions } ?? []
    func isAmong(_ part: SchemaObject, _ known: [(name: String, sql: String)]) -> Bool {
      known.contains {
        $0.name.hasSameBytes(as: part.name) && $0.sql.hasSameBytes(as: part.definition)
      }
    }
    if let part = found.first(where: { !isAmong($0, definitions) && !isAmong($0, others) }) {
      throw Self.foreign(part, connection.dialect)
    }
    let isWhole =
      !definitions.isEmpty && found.count == definitions.count
      && found.allSatisfy { isAmong($0, definitions) }
    self = isWhole ? .whole : found.isEmpty ? .absent : .incomplete
  }

  /// Returns whatever has one of the names of the parts of a table's index.
  private static func parts(
    ofTable table: String,
    on connection: any EngineConnection
  ) throws -> [SchemaObject] {
    let names = FullTextNames(table: table).all
    return try connection.schema
      .definitions(containing: FullTextNames.suffix, isTemporary: false)
      .filter { names.contains(SQLName($0.name)) }
  }

  private static func foreign(_ part: SchemaObject, _ dialect: any Dialect) -> NacreError {
    // Its text says what it is, as for anything foreign.
    let kind = OwnTables.kind(of: part.definition) ?? .table
    let drop = OwnTableSQL.drop(kind.rawValue, part.name)
    return NacreError(
      .foreignSchema,
      detail: "the \(kind.rawValue.lowercased()) \(SQLText.name(part.name)) is not defined as "
        + "Nacre defines that part of the full-text index; remove it: \(drop)"
    )
  }
}

extension FullTextIndex {
  /// Returns the indexes that the catalog has; one of a later version, whose tokenizer is not known,
  /// is left out.
  private static func inCatalog(on connection: any EngineConnection) throws -> [FullTextIndex] {
    var columns: [String: [String]] = [:]
    var tokenizers: [String: Tokenizer] = [:]
    try connection.each(CatalogSQL.selectFullText, []) { row in
      let table = row.text(at: 0)
      columns[table, default: []].append(row.text(at: 1))
      tokenizers[table] = tokenizers[table] ?? Tokenizer(rawValue: row.text(at: 2))
    }
    return columns.sorted { $0.key < $1.key }.compactMap { table, columns in
      FullTextIndex(table: table, columns: columns, tokenizer: tokenizers[table])
    }
  }

  /// Returns the indexes that the file has as the catalog says, so that they can be brought up to
  /// date.
  package static func inFile(on connection: any EngineConnection) throws -> [FullTextIndex] {
    guard try hasParts(connection) else { return [] }
    return try inCatalog(on: connection).filter { try $0.isWhole(on: connection) }
  }

  /// Removes the indexes that a migration's SQL has left in another form than the catalog says.
  ///
  /// The use of their classes makes them again.
  package static func dropBroken(on connection: any EngineConnection) throws {
    guard try hasParts(connection) else { return }
    for index in try inCatalog(on: connection) where try !index.isWhole(on: connection) {
      try drop(ofTable: index.table, on: connection)
    }
  }

  /// Makes the indexes of the catalog of which the file has nothing, as after a conversion.
  package static func makeMissing(on connection: any EngineConnection) throws {
    for index in try inCatalog(on: connection) {
      guard try index.hasColumns(connection),
        case .absent = try FullTextState(index, ofTable: index.table, on: connection)
      else { continue }
      try index.make(on: connection)
    }
  }

  /// Returns whether the file has a part of any index.
  private static func hasParts(_ connection: any EngineConnection) throws -> Bool {
    try !connection.schema.definitions(containing: FullTextNames.suffix, isTemporary: false)
      .isEmpty
  }

  /// Returns whether the table has all columns of the index.
  private func hasColumns(_ connection: any EngineConnection) throws -> Bool {
    let found = Set(try connection.columnNames(of: table).map(SQLName.init))
    return columns.allSatisfy { found.contains(SQLName($0)) }
  }

  private func isWhole(on connection: any EngineConnection) throws -> Bool {
    guard try hasColumns(connection) else { return false }
    do {
      let state = try FullTextState(self, ofTable: table, on: connection)
      return if case .whole = state { true } else { false }
    } catch let error as NacreError where error.code == .foreignSchema {
      return false
    }
  }
}
