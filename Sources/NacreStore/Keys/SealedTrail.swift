import NacreCrypto
import NacreEngine

/// The columns that hold sealed cells while a step or hook runs, whose SQL renames tables and
/// columns and copies cells.
///
/// The catalog alone is not enough: it has a table's name from before the SQL of a step renamed it.
struct SealedTrail {
  private struct Table {
    /// The columns' names in order.
    let columns: [String]
    var sealed: Set<SQLName>
  }

  private var tables: [SQLName: Table] = [:]
  private var layoutNumbers: [Int64] = []

  /// Starts with the sealed columns of the catalog, and with the future ones of classes that the
  /// catalog does not have yet.
  ///
  /// - Parameters:
  ///   - declared: The catalog's future rows for the classes' tables.
  ///   - connection: A connection in the step's transaction.
  /// - Throws: The errors of reading.
  init(_ declared: [CatalogEntity], on connection: any EngineConnection) throws {
    try follow(on: connection)
    try takeCatalog(declared, on: connection)
  }

  /// The sealed columns by their current names.
  var columns: SealedColumns {
    var columns = SealedColumns()
    for (name, table) in tables {
      for column in table.sealed { columns.insert(name.text, column.text) }
    }
    return columns
  }

  // MARK: Renaming

  /// Follows what one statement did to the tables.
  ///
  /// - Returns: Whether it changed any.
  /// - Throws: The errors of reading.
  @discardableResult
  mutating func follow(on connection: any EngineConnection) throws -> Bool {
    let numbers = [
      try connection.layoutNumber(), try connection.schema.temporaryLayoutNumber(),
    ]
    if numbers == layoutNumbers { return false }
    layoutNumbers = numbers
    var found: [SQLName: [String]] = [:]
    for (table, column) in try connection.schema.columnsOfAllTables() {
      found[SQLName(table), default: []].append(column)
    }
    let gone = tables.keys.filter { found[$0] == nil }
    let new = found.keys.filter { tables[$0] == nil }
    // One statement renames at most one table; no other table that it drops or creates had sealed
    // columns.
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

  /// Returns a table's sealed columns.
  ///
  /// If as many columns are new as are gone, the new ones are the gone ones under new names, in
  /// order.
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

  /// Adds the columns that the catalog calls sealed, and those of the classes' properties that the
  /// catalog does not have yet.
  mutating func takeCatalog(_ declared: [CatalogEntity], on connection: any EngineConnection) throws
  {
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

  /// Adds the columns to which sealed cells were copied.
  ///
  /// These are columns with the name of a sealed column, and columns with values under the ring's
  /// keys.
  ///
  /// - Parameters:
  ///   - copies: The tables that were written by a statement that may read sealed cells.
  ///   - keys: The ring's keys.
  ///   - connection: The connection.
  /// - Throws: The errors of reading.
  mutating func take(copies: [String], of keys: [KeyRecord], on connection: any EngineConnection)
    throws
  {
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
