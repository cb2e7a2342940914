import NacreCrypto
import NacreSQLite

/// Where sealed cells lie while a step or hook runs, whose SQL renames tables and columns and copies cells.
///
/// The catalog alone does not tell: it knows what a table was called before the SQL of a step has renamed it.
struct SealedTrail {
  private struct Table {
    /// The columns' names in order.
    let columns: [String]
    var sealed: Set<SQLName>
  }

  private var tables: [SQLName: Table] = [:]
  private var version: [Value?] = []

  /// Takes the sealed columns from the catalog and from classes that it does not know as they will be.
  ///
  /// - Parameters:
  ///   - declared: the catalog's future rows for the classes' tables.
  ///   - connection: a connection in the step's transaction.
  /// - Throws: what reading throws.
  init(_ declared: [CatalogEntity], on connection: Connection) throws {
    try follow(on: connection)
    try takeCatalog(declared, on: connection)
  }

  /// The columns by the names that they have now.
  var columns: SealedColumns {
    var columns = SealedColumns()
    for (name, table) in tables {
      for column in table.sealed { columns.insert(name.text, column.text) }
    }
    return columns
  }

  // MARK: Renaming

  /// Follows what one statement has done to the tables.
  ///
  /// - Returns: whether there was anything.
  /// - Throws: what reading throws.
  @discardableResult
  mutating func follow(on connection: Connection) throws -> Bool {
    let version = try SealedTrailSQL.versions.map { try connection.scalar($0) }
    if version == self.version { return false }
    self.version = version
    var found: [SQLName: [String]] = [:]
    try connection.each(SealedTrailSQL.columns, []) { row in
      found[SQLName(row.text(at: 0)), default: []].append(row.text(at: 1))
    }
    let gone = tables.keys.filter { found[$0] == nil }
    let new = found.keys.filter { tables[$0] == nil }
    // One statement renames one table; what else it takes away or makes is no table with columns that were sealed.
    let renamed = gone.count == 1 && new.count == 1 ? gone.first : nil
    tables = found.reduce(into: [:]) { tables, entry in
      let former = self.tables[entry.key] ?? renamed.flatMap { self.tables[$0] }
      tables[entry.key] = Table(
        columns: entry.value,
        sealed: former.map { Self.sealed($0, in: entry.value) } ?? []
      )
    }
    return true
  }

  /// The sealed ones of a table's columns; where as many are new as are gone, these were renamed.
  private static func sealed(_ former: Table, in columns: [String]) -> Set<SQLName> {
    let (names, formerNames) = (columns.map(SQLName.init), former.columns.map(SQLName.init))
    let (known, formerKnown) = (Set(names), Set(formerNames))
    var sealed = former.sealed.intersection(known)
    let gone = formerNames.filter { !known.contains($0) }
    let new = names.filter { !formerKnown.contains($0) }
    guard gone.count == new.count else { return sealed }
    for (old, name) in zip(gone, new) where former.sealed.contains(old) { sealed.insert(name) }
    return sealed
  }

  // MARK: What is sealed

  /// Adds what the catalog calls sealed, and what the classes do of which it knows nothing yet.
  mutating func takeCatalog(_ declared: [CatalogEntity], on connection: Connection) throws {
    try SealedColumns.each(ofCatalogOn: connection) { add($0, $1) }
    for entity in declared {
      let known = try CatalogEntity.properties(of: entity.name, on: connection).map(\.name)
      for property in entity.properties where property.isSealed && !known.contains(property.name) {
        if let column = property.column { add(entity.table, column) }
        if let index = property.indexColumn { add(entity.table, index) }
      }
    }
  }

  private mutating func add(_ table: String, _ column: String) {
    tables[SQLName(table)]?.sealed.insert(SQLName(column))
  }

  /// Adds the columns of tables to which sealed cells were copied: those that are called like a sealed one, and those with
  /// values under the ring's keys.
  ///
  /// - Parameters:
  ///   - copies: the tables that a statement has written which may read sealed cells.
  ///   - keys: the ring's.
  ///   - connection: the connection.
  /// - Throws: what reading throws.
  mutating func take(copies: [String], of keys: [KeyRecord], on connection: Connection) throws {
    let names = tables.values.reduce(into: Set<SQLName>()) { $0.formUnion($1.sealed) }
    let copies = Set(copies.map(SQLName.init))
    for table in copies {
      let columns = Set(tables[table]?.columns.map(SQLName.init) ?? [])
      tables[table]?.sealed.formUnion(columns.intersection(names))
    }
    let strays = StrayEnvelopes(of: keys, outside: [:], on: connection)
    for found in try strays.findings(in: copies) { add(found.table, found.column) }
  }
}
