import NacreEngine

/// The columns that the SQL of a running migration step or hook may not read.
///
/// SQL sees ciphertext in a sealed column, and would store whatever it computes from that for good.
package struct SealedReads {
  /// The catalog's future rows for the tables that are being migrated; the catalog does not have
  /// their new properties yet.
  package let declared: [CatalogEntity]
  /// Where the sealed cells are; nil until the first statement.
  fileprivate var trail: SealedTrail?
  /// The sealed columns after the last statement; nil if they are not known.
  fileprivate var columns: SealedColumns?
  /// Whether the running statements copy whole cells.
  fileprivate var isCopying = false
  /// Whether SQLite is checking the reads of a running statement.
  fileprivate var isGuarding = false

  init(declared: [CatalogEntity] = []) { self.declared = declared }

  /// Follows a change of the catalog's tables.
  package mutating func follow(on connection: any EngineConnection) throws {
    try trail?.follow(on: connection)
    try trail?.takeCatalog(declared, on: connection)
    columns = nil
  }
}

extension Database {
  /// Runs a step or hook, in which no entity can be used, because its table may be the one that is
  /// being migrated.
  ///
  /// - Parameters:
  ///   - words: Names the step or hook.
  ///   - declared: The catalog's future rows for the tables of the hook; empty for a step.
  ///   - body: Runs the step or hook.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
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

  /// Lets the SQL of a step copy the cells of sealed properties as they are, for example to rebuild
  /// a table.
  ///
  /// A sealed value opens only as the property, and in the object, in which it was sealed. So the
  /// copy must get the entity's table name in the end, and each cell must be in its former column
  /// beside its former objectID. SQL that looks into a cell finds ciphertext.
  /// ```swift
  /// .init("2027") { database in
  ///   try database.execute("CREATE TABLE made (objectID BLOB PRIMARY KEY, email BLOB) WITHOUT ROWID")
  ///   try database.copyingSealedCells {
  ///     try database.execute("INSERT INTO made SELECT objectID, email FROM Member")
  ///   }
  ///   try database.execute("DROP TABLE Member; ALTER TABLE made RENAME TO Member")
  /// }
  /// ```
  /// Outside a step it changes nothing.
  ///
  /// - Parameter body: Runs the statements.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  public func copyingSealedCells<T>(_ body: () throws -> T) rethrows -> T {
    let outer = sealedReads.isCopying
    sealedReads.isCopying = true
    defer { sealedReads.isCopying = outer }
    return try body()
  }

  /// Prepares and runs the caller's SQL; while a step or hook runs, SQLite checks every column that
  /// the SQL reads.
  ///
  /// - Parameters:
  ///   - sql: The text.
  ///   - body: Prepares and runs it.
  /// - Returns: The result of `body`.
  /// - Throws: `sealedCondition` if the text reads a sealed column, directly or by a view or
  ///   trigger; the error of `body`.
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

  /// Returns an error's detail that names the running step or hook first.
  package func inMigration(_ detail: String) -> String {
    (migration.map { "\($0): " } ?? "") + detail
  }

  /// Runs a statement that may copy sealed cells, and records which tables it writes.
  private func notingCopies<T>(_ body: () throws -> T) throws -> T {
    var written: [String] = []
    connection.watchAccess { action in
      switch action {
      case .insert(let table), .update(let table, _): written.append(table)
      default: break
      }
      return true
    }
    let result: T
    do {
      defer { connection.watchAccess(nil) }
      result = try body()
    }
    // The reads of the statements that were prepared here were not checked.
    sealedReads.columns = nil
    if written.isEmpty { return result }
    try sealedReads.trail?.follow(on: connection)
    let ring = try RingTable.read(home.storeID, on: connection)
    try sealedReads.trail?.take(copies: written, of: ring?.keys ?? [], on: connection)
    return result
  }

  /// Returns the sealed columns in the open transaction.
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
    let wanted = SQLName(column)
    if let place = places.first(where: { $0.1.contains { $0.map(SQLName.init) == wanted } }) {
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
