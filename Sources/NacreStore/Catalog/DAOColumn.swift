import NacreCrypto
import NacreEngine

/// A column of an ordinary table that holds a DAO's sealed values, with the class and property to
/// which they belong.
package struct DAOColumn: Hashable {
  let table: String
  package let column: String
  let place: DAOPlace

  /// Returns the same values' column under another name.
  func named(_ column: String) -> DAOColumn {
    DAOColumn(table: table, column: column, place: place)
  }

  package static func == (left: DAOColumn, right: DAOColumn) -> Bool {
    // Compare the bytes: SQLite distinguishes columns whose names are equal strings in Swift.
    left.table.hasSameBytes(as: right.table) && left.column.hasSameBytes(as: right.column)
      && left.place == right.place
  }
}

extension CatalogEntity {
  /// Returns the catalog's name for a table of DAOs; no class can have this name for that table.
  package static func daoName(ofTable table: String) -> String { "dao:" + table }

  /// Whether this is a table of DAOs, which has rowids and no objectIDs.
  package var isDAO: Bool { name == CatalogEntity.daoName(ofTable: table) }

  /// Whether this is a table of DAOs that is no longer in the file, or of whose columns none is.
  package var isGone: Bool { isDAO && properties.isEmpty }

  /// Returns the properties of a DAO's table whose columns are in the file, because SQL can drop
  /// and rename columns.
  ///
  /// - Throws: `schemaMismatch` if `RowKey.rowID` can't identify the rows, because somebody
  ///   re-created the table differently.
  static func present(
    _ properties: [CatalogProperty],
    in table: String,
    on connection: any EngineConnection
  ) throws -> [CatalogProperty] {
    // A table whose name differs only in case was re-created or renamed.
    guard let found = try FoundTable(table, on: connection), !found.isView,
      found.name.hasSameBytes(as: table)
    else { return [] }
    let columns = Set(try connection.columnNames(of: table).map(SQLName.init))
    let present = properties.filter { $0.column.map { columns.contains(SQLName($0)) } ?? true }
    if !present.isEmpty, found.refusal != nil {
      throw NacreError(
        .schemaMismatch,
        entity: daoName(ofTable: table),
        detail: "the table has no rowids any more"
      )
    }
    return present
  }

  /// The key that identifies the table's rows.
  package var key: RowKey { isDAO ? .rowID : .objectID }
}

extension CatalogProperty {
  /// The kind of a column that holds a DAO's values; `target` holds the class and `inverse` the
  /// property.
  package static let daoKind = "dao"

  /// Makes a property for a column of a table of DAOs.
  init(_ noted: DAOColumn) {
    self.init(name: noted.column, type: "ANY", kind: CatalogProperty.daoKind)
    column = noted.column
    target = noted.place.type
    inverse = noted.place.property
    sealing = Sealing(form: SealedForm())
    isOptional = true
  }

  /// Returns the context to which the values of a sealed property are bound, without the object.
  package func context(of entity: String, in storeID: StoreID) throws(CryptoError) -> FieldContext {
    guard kind == CatalogProperty.daoKind else {
      return try FieldContext(storeID: storeID, entity: entity, property: name)
    }
    return try DAOPlace(type: target ?? "", property: inverse ?? "").context(in: storeID)
  }
}
