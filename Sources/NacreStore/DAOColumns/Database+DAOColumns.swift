import NacreCrypto
import NacreEngine

extension Database {
  /// Records in the catalog that a column of a table with rowids holds a DAO's sealed values.
  ///
  /// Rotation and verification find the values by this. Call it before the first value is stored,
  /// in the transaction that stores it. For a known column the call only costs a look into a set.
  ///
  /// - Parameters:
  ///   - table: A table in the file.
  ///   - column: Its column.
  ///   - type: The class to which the values belong.
  ///   - property: The property.
  /// - Throws: ``NacreError`` with code `unsuitableColumn` for a missing table, a view, a virtual
  ///   table, a table WITHOUT ROWID or of an entity, for a missing column, and for one that holds
  ///   another property; `transactionState` outside `write`; `valueMismatch` for a name that is too
  ///   long.
  package func noteDAO(table: String, column: String, type: String, property: String) throws {
    let noted = DAOColumn(table: table, column: column, type: type, property: property)
    if try hasCurrentStatements(), dao.known.contains(noted) { return }
    try NacreError.wrapping {
      try refuseForeignCatalog()
      // Fail now for a name under which no value could be sealed later.
      _ = try dao.column(type: type, property: property)
      let found = try DAOTable(table, on: self).column(noted)
      if try isNoted(found) { return }
      guard isWriter else {
        throw NacreError(.transactionState, detail: "columns can be noted only inside write { }")
      }
      try write(found)
    }
    dao.known.insert(noted)
  }

  /// Removes a table's columns from the catalog, in the transaction that dropped the table.
  ///
  /// The catalog remembers the classes and properties of their values, because SQL may have copied
  /// the values.
  ///
  /// - Parameter table: A table that is no longer in the file.
  /// - Throws: ``NacreError`` with code `unsuitableColumn` while the table exists, because no
  ///   rotation would find its values any more.
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

  /// Returns whether the catalog has the same entry for a column.
  ///
  /// - Throws: `unsuitableColumn` if it has another entry for the column.
  private func isNoted(_ noted: DAOColumn) throws -> Bool {
    let entity = CatalogEntity.daoName(ofTable: noted.table)
    let rows = try CatalogEntity.properties(of: entity, on: connection)
    let name = SQLName(noted.column)
    guard let row = rows.first(where: { $0.column.map(SQLName.init) == name }) else { return false }
    // SQL may have changed only the case of the column's name, which makes no difference.
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
      // The table was re-created with its name in other case.
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

  /// Makes this connection read the catalog again after columns were removed from it, and again if
  /// that is rolled back.
  func noteDAOChange() throws {
    dao.known = []
    undo.note { [unowned self] in dao.known = [] }
    // Conditions may read the columns of a table that gets this name later.
    try followSealedColumns()
  }

  private func followSealedColumns() throws {
    try home.loadSealedColumns(self)
    undo.note { [unowned self] in try? home.loadSealedColumns(self) }
  }
}

/// A table that a DAO's statements have created, as it is in the file.
private struct DAOTable {
  private let name: String
  private var columns: [String] = []

  /// - Throws: `unsuitableColumn` if there is no table with rowids of that name, or if it belongs
  ///   to the store or to an entity.
  init(_ table: String, on database: Database) throws {
    func refused(_ detail: String) -> NacreError {
      NacreError(.unsuitableColumn, entity: table, detail: detail)
    }
    guard let found = try FoundTable(table, on: database.connection) else {
      throw refused("there is no such table")
    }
    if let refusal = found.refusal { throw refused(refusal) }
    name = found.name
    // The catalog keeps its remembered classes and properties under the name that such a table
    // would get.
    if name.isEmpty { throw refused("it has no name") }
    let entity = CatalogEntity.daoName(ofTable: name)
    if case .text(let owner)? = try database.scalar(CatalogSQL.entityOfTable, [.text(name)]),
      SQLName(owner) != SQLName(entity)
    {
      throw refused("it is the table of the entity \(owner)")
    }
    if try !database.connection.valueTables().contains(where: { $0.hasSameBytes(as: name) }) {
      throw refused("it is not an application's table")
    }
    columns = try database.connection.columnNames(of: name)
  }

  /// Returns a column with the names of the column and its table as they are in the file.
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
