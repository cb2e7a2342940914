import NacreCrypto
import NacreSQLite

extension Database {
  /// Says in the catalog that a column of a table with rowids holds a DAO's sealed values, so that rotation and
  /// verification know them; to be called before the first of them is stored, in the transaction that stores it.
  ///
  /// A column that is known costs a look into a set.
  ///
  /// - Parameters:
  ///   - table: a table that is in the file.
  ///   - column: its column.
  ///   - type: the class whose values these are.
  ///   - property: the property.
  /// - Throws: ``NacreError`` with code `unsuitableColumn` for a table that is not there, a view, a virtual table, one
  ///   WITHOUT ROWID or of an entity, for a column that is not there, and for one that holds another property;
  ///   `transactionState` outside of `write`; `valueMismatch` for a name that is too long.
  package func noteDAO(table: String, column: String, type: String, property: String) throws {
    let noted = DAOColumn(table: table, column: column, type: type, property: property)
    if try hasCurrentStatements(), dao.known.contains(noted) { return }
    try NacreError.wrapping {
      try refuseForeignCatalog()
      // Find now a name that could not be sealed under later.
      _ = try dao.context(type: type, property: property)
      let found = try DAOTable(table, on: self).column(noted)
      if try isNoted(found) { return }
      guard isWriter else {
        throw NacreError(.transactionState, detail: "columns can be noted only inside write { }")
      }
      try write(found)
    }
    dao.known.insert(noted)
  }

  /// Takes a table's columns out of the catalog, in the transaction in which it was dropped; whose values they held is
  /// remembered, for SQL may have copied them.
  ///
  /// - Parameter table: a table that is not in the file any more.
  /// - Throws: ``NacreError`` with code `unsuitableColumn` while the table is there: its values would be lost to every
  ///   rotation.
  package func forgetDAO(table: String) throws {
    try NacreError.wrapping {
      if try FoundTable(table, on: connection) != nil {
        throw NacreError(
          .unsuitableColumn,
          entity: table,
          detail: "the table has to be dropped first"
        )
      }
      guard case .text(let name)? = try scalar(CatalogSQL.entityOfTable, [.text(table)]),
        SQLName(name) == SQLName(CatalogEntity.daoName(ofTable: table))
      else { return }
      try deleteCatalogRows(name)
      try noteDAOChange()
    }
  }

  /// Whether the catalog says the same of a column.
  ///
  /// - Throws: `unsuitableColumn` when it says something else.
  private func isNoted(_ noted: DAOColumn) throws -> Bool {
    let entity = CatalogEntity.daoName(ofTable: noted.table)
    let rows = try CatalogEntity.properties(of: entity, on: connection)
    let name = SQLName(noted.column)
    guard let row = rows.first(where: { $0.column.map(SQLName.init) == name }) else { return false }
    // SQL may have renamed it by other letters alone, which changes nothing.
    if row == CatalogProperty(noted.named(row.name)) { return true }
    throw NacreError(
      .unsuitableColumn,
      entity: noted.table,
      property: noted.column,
      detail: "it holds \(row.target ?? "").\(row.inverse ?? "") and can't hold "
        + "\(noted.type).\(noted.property)"
    )
  }

  private func write(_ noted: DAOColumn) throws {
    let entity = CatalogEntity.daoName(ofTable: noted.table)
    if case .text(let owner)? = try scalar(CatalogSQL.entityOfTable, [.text(noted.table)]),
      !owner.hasSameBytes(as: entity)
    {
      // The table was made anew, its name in other letters.
      try deleteCatalogRows(owner)
    }
    try changeCatalog(
      CatalogSQL.insertEntity,
      [.text(entity), .text(noted.table), .integer(1)]
    )
    try changeCatalog(
      CatalogSQL.insertProperty,
      CatalogProperty(noted).arguments(entity: entity)
    )
    undo.note { [unowned self] in dao.known = [] }
    try followSealedColumns()
  }

  private func deleteCatalogRows(_ entity: String) throws {
    try changeCatalog(DAOSQL.remember, [.text(entity)])
    try changeCatalog(CatalogSQL.deleteProperties, [.text(entity)])
    try changeCatalog(CatalogSQL.deleteEntity, [.text(entity)])
  }

  /// Has this connection look into the catalog again, of which columns were taken, also when that is rolled back.
  func noteDAOChange() throws {
    dao.known = []
    undo.note { [unowned self] in dao.known = [] }
    // Conditions may read the columns of a table that bears the name later.
    try followSealedColumns()
  }

  private func followSealedColumns() throws {
    try home.loadSealedColumns(self)
    undo.note { [unowned self] in try? home.loadSealedColumns(self) }
  }
}

/// A table that a DAO's statements have made, as the file has it.
private struct DAOTable {
  private let name: String
  private var columns: [String] = []

  /// - Throws: `unsuitableColumn` for what is no table with rowids, or the store's or an entity's.
  init(_ table: String, on database: Database) throws {
    func refused(_ detail: String) -> NacreError {
      NacreError(.unsuitableColumn, entity: table, detail: detail)
    }
    guard let found = try FoundTable(table, on: database.connection) else {
      throw refused("there is no such table")
    }
    if let refusal = found.refusal { throw refused(refusal) }
    name = found.name
    // The catalog has what it remembers under the name that such a table would have.
    if name.isEmpty { throw refused("it has no name") }
    let entity = CatalogEntity.daoName(ofTable: name)
    if case .text(let owner)? = try database.scalar(CatalogSQL.entityOfTable, [.text(name)]),
      SQLName(owner) != SQLName(entity)
    {
      throw refused("it is the table of the entity \(owner)")
    }
    if try database.scalar(DAOSQL.isReserved, [.text(name)]) == .integer(1) {
      throw refused("it is not an application's table")
    }
    columns = try database.connection.columnNames(of: name)
  }

  /// A column under the names that the file has for it and its table.
  package func column(_ noted: DAOColumn) throws -> DAOColumn {
    guard let column = columns.first(where: { SQLName($0) == SQLName(noted.column) }) else {
      throw NacreError(
        .unsuitableColumn,
        entity: noted.table,
        property: noted.column,
        detail: "the table has no such column"
      )
    }
    return DAOColumn(table: name, column: column, type: noted.type, property: noted.property)
  }
}
