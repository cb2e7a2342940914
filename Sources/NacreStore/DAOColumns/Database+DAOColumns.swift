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
    let place = DAOPlace(type: type, property: property)
    try noteDAO(DAOColumn(table: table, column: column, place: place))
  }

  /// Records a column in the catalog, if it does not have it yet.
  func noteDAO(_ noted: DAOColumn) throws {
    if try hasCurrentStatements(), dao.known.contains(noted) { return }
    try NacreError.wrapping {
      try refuseForeignCatalog()
      // Fail now for a name under which no value could be sealed later.
      _ = try dao.column(noted.place)
      let found = try inFile(noted)
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
    let held = "\(row.target ?? "").\(row.inverse ?? "")"
    throw unsuitable(noted, "it holds \(held) and can't hold \(noted.place.words)")
  }

  private func unsuitable(_ noted: DAOColumn, _ detail: String) -> NacreError {
    NacreError(.unsuitableColumn, entity: noted.table, property: noted.column, detail: detail)
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
      CatalogSQL.insertEntity(connection.dialect),
      [.text(entity), .text(noted.table), .integer(1)]
    )
    try changeCatalog(
      CatalogSQL.insertProperty(connection.dialect),
      CatalogProperty(noted).arguments(entity: entity)
    )
    undo.note { [unowned self] in dao.known = [] }
    try followSealedColumns()
  }

  private func deleteCatalogRows(_ entity: String) throws {
    try changeCatalog(DAOSQL.remember(connection.dialect), [.text(entity)])
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

  /// Returns a column with the names of the column and its table as they are in the file.
  private func inFile(_ noted: DAOColumn) throws -> DAOColumn {
    let table = try daoTable(noted.table)
    let columns = try connection.columnNames(of: table)
    guard let column = columns.first(where: { SQLName($0) == SQLName(noted.column) }) else {
      throw unsuitable(noted, "the table has no such column")
    }
    return DAOColumn(table: table, column: column, place: noted.place)
  }

  /// Returns the name in the file of a table that a DAO's statements have created.
  ///
  /// - Throws: `unsuitableColumn` if there is no table with rowids of that name, or if it belongs
  ///   to the store or to an entity.
  private func daoTable(_ table: String) throws -> String {
    func refused(_ detail: String) -> NacreError {
      NacreError(.unsuitableColumn, entity: table, detail: detail)
    }
    guard let found = try FoundTable(table, on: connection) else {
      throw refused("there is no such table")
    }
    if let refusal = found.refusal { throw refused(refusal) }
    let name = found.name
    // The catalog keeps its remembered classes and properties under the name that such a table
    // would get.
    if name.isEmpty { throw refused("it has no name") }
    let entity = CatalogEntity.daoName(ofTable: name)
    if case .text(let owner)? = try scalar(CatalogSQL.entityOfTable, [.text(name)]),
      SQLName(owner) != SQLName(entity)
    {
      throw refused("it is the table of the entity \(owner)")
    }
    if try !connection.valueTables().contains(where: { $0.hasSameBytes(as: name) }) {
      throw refused("it is not an application's table")
    }
    return name
  }
}
