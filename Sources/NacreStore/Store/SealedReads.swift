import NacreSQLite

/// The columns that the SQL of a running step or hook may not read.
///
/// To SQL, a sealed column holds ciphertext, and a value that is made of it is stored for good.
package struct SealedReads {
  /// The catalog's future rows for the tables that are brought to their versions: it does not know
  /// their new properties yet.
  package let declared: [CatalogEntity]
  /// Where they are; nil until the first statement.
  fileprivate var trail: SealedTrail?
  /// The sealed columns as the last statement has left them; nil where that is not known.
  fileprivate var columns: SealedColumns?
  /// Whether the statements that run copy whole cells.
  fileprivate var isCopying = false
  /// Whether SQLite is asking about a statement that runs.
  fileprivate var isGuarding = false

  init(declared: [CatalogEntity] = []) { self.declared = declared }

  /// Follows a change of the tables that the catalog knows.
  package mutating func follow(on connection: Connection) throws {
    try trail?.follow(on: connection)
    try trail?.takeCatalog(declared, on: connection)
    columns = nil
  }
}

extension Database {
  /// Runs a step or hook, in which no entity can be used: its table may be what is being migrated.
  ///
  /// - Parameters:
  ///   - words: which it is.
  ///   - declared: the catalog's future rows for the tables whose hook it is; none for a step.
  ///   - body: runs it.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  package func migrating<T>(
    _ words: String,
    declared: [CatalogEntity] = [],
    _ body: () throws -> T
  ) throws -> T {
    let outer = (migration, sealedReads)
    migration = words
    sealedReads = SealedReads(declared: declared)
    defer { (migration, sealedReads) = outer }
    return try body()
  }

  /// Lets the SQL of a step copy the cells of sealed properties as they are, as a rebuild of a table does.
  ///
  /// A sealed value opens only as the property, and in the object, in which it was sealed: the copy has to bear the
  /// entity's table name in the end, each cell in the column that it had, beside the objectID that it had. SQL that looks
  /// into a cell finds ciphertext.
  /// ```swift
  /// .init("2027") { database in
  ///   try database.execute("CREATE TABLE made (objectID BLOB PRIMARY KEY, email BLOB) WITHOUT ROWID")
  ///   try database.copyingSealedCells {
  ///     try database.execute("INSERT INTO made SELECT objectID, email FROM Member")
  ///   }
  ///   try database.execute("DROP TABLE Member; ALTER TABLE made RENAME TO Member")
  /// }
  /// ```
  /// Outside of a step it changes nothing.
  ///
  /// - Parameter body: runs the statements.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  public func copyingSealedCells<T>(_ body: () throws -> T) rethrows -> T {
    let outer = sealedReads.isCopying
    sealedReads.isCopying = true
    defer { sealedReads.isCopying = outer }
    return try body()
  }

  /// Prepares and runs the caller's SQL; while a step or hook runs, SQLite is asked about all that it reads.
  ///
  /// - Parameters:
  ///   - sql: the text.
  ///   - body: prepares and runs it.
  /// - Returns: what `body` returns.
  /// - Throws: `sealedCondition` for a text that reads a sealed column, by a view or trigger, too; what `body` throws.
  package func guardingSealed<T>(_ sql: @autoclosure () -> String, _ body: () throws -> T) throws
    -> T
  {
    if migration == nil || sealedReads.isGuarding { return try body() }
    let sealed = try sealedColumnsInMigration()
    if sealedReads.isCopying { return try notingCopies(body) }
    if sealed.isEmpty { return try body() }
    if SQLText.joinsByColumns(sql()) {
      throw NacreError(
        .sealedCondition,
        detail: inMigration(
          "USING and NATURAL compare columns that they do not name; write ON instead"
        )
      )
    }
    sealedReads.isGuarding = true
    defer { sealedReads.isGuarding = false }
    return try connection.refusingReads(of: sealed, by: sealedRead, body)
  }

  /// A detail of an error, behind the step or hook that runs.
  package func inMigration(_ detail: String) -> String {
    (migration.map { "\($0): " } ?? "") + detail
  }

  /// Runs a statement that may copy sealed cells, and notes to where.
  private func notingCopies<T>(_ body: () throws -> T) throws -> T {
    var written: [String] = []
    connection.setAuthorizer { action in
      switch action {
      case .insert(let table), .update(let table, _): written.append(table)
      default: break
      }
      return true
    }
    let result: T
    do {
      defer { connection.setAuthorizer(nil) }
      result = try body()
    }
    // The reads of statements that were prepared here were not checked.
    sealedReads.columns = nil
    if written.isEmpty { return result }
    try sealedReads.trail?.follow(on: connection)
    let ring = try RingTable.read(home.storeID, on: connection)
    try sealedReads.trail?.take(copies: written, of: ring?.keys ?? [], on: connection)
    return result
  }

  /// The sealed columns as the open transaction has them.
  private func sealedColumnsInMigration() throws -> SealedColumns {
    var trail = try sealedReads.trail ?? SealedTrail(sealedReads.declared, on: connection)
    let isChanged = try trail.follow(on: connection)
    sealedReads.trail = trail
    if !isChanged, let columns = sealedReads.columns { return columns }
    // Cached statements were prepared when other columns were sealed.
    connection.clearCache()
    let columns = trail.columns
    sealedReads.columns = columns
    return columns
  }

  private func sealedRead(_ table: String, _ column: String) throws -> NacreError {
    var (entity, property) = (table, column)
    if case .text(let name)? = try scalar(CatalogSQL.entityOfTable, [.text(table)]) {
      entity = name
    }
    let declared = sealedReads.declared.first { $0.name == entity }?.properties ?? []
    let places = (try CatalogEntity.properties(of: entity, on: connection) + declared)
      .map { ($0.name, [$0.column, $0.indexColumn]) }
    let wanted = column.lowercased()
    if let place = places.first(where: { $0.1.contains { $0?.lowercased() == wanted } }) {
      property = place.0
    }
    return NacreError(
      .sealedCondition,
      entity: entity,
      property: property,
      detail: inMigration(
        "SQL finds only ciphertext in \(table).\(column); open the rows with changeRows, in a "
          + "hook with SQLStatement.changingRows, or copy whole cells with copyingSealedCells"
      )
    )
  }
}
