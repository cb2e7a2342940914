import NacreCrypto
import NacreSQLite

/// A column of an ordinary table that holds a DAO's sealed values, and whose they are.
package struct DAOColumn: Hashable {
  let table: String
  package let column: String
  let type: String
  let property: String

  /// The same under another name of the column.
  func named(_ column: String) -> DAOColumn {
    DAOColumn(table: table, column: column, type: type, property: property)
  }

  package static func == (left: DAOColumn, right: DAOColumn) -> Bool {
    // SQLite has columns that are one text to Swift.
    left.table.hasSameBytes(as: right.table) && left.column.hasSameBytes(as: right.column)
      && left.type == right.type && left.property == right.property
  }
}

extension CatalogEntity {
  /// The name under which the catalog has a table of DAOs, which no class can bear for it.
  package static func daoName(ofTable table: String) -> String { "dao:" + table }

  /// Whether it is a table of DAOs, which has rowids and no objectIDs.
  package var isDAO: Bool { name == CatalogEntity.daoName(ofTable: table) }

  /// Whether it is a table of DAOs that the catalog knows and the file does not have any more, or none of its columns.
  package var isGone: Bool { isDAO && properties.isEmpty }

  /// Those of the catalog's properties of a DAO's table whose columns are in the file: SQL can drop and rename them.
  ///
  /// - Throws: `schemaMismatch` when the rows have no number that `RowKey.rowID` could name: somebody has made the table
  ///   anew as another.
  static func present(
    _ properties: [CatalogProperty],
    in table: String,
    on connection: Connection
  ) throws -> [CatalogProperty] {
    // A table of the name in other letters was made anew, or renamed.
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

  /// The key that tells its rows apart.
  package var key: RowKey { isDAO ? .rowID : .objectID }
}

extension CatalogProperty {
  /// The kind of a column that holds a DAO's values; class and property stand as target and inverse.
  package static let daoKind = "dao"

  /// A column of a table of DAOs.
  init(_ noted: DAOColumn) {
    self.init(
      name: noted.column,
      column: noted.column,
      type: "ANY",
      kind: CatalogProperty.daoKind,
      target: noted.type,
      inverse: noted.property,
      sealing: Sealing(form: SealedForm()),
      isOptional: true
    )
  }

  /// Returns the context to which the values of a sealed property are bound, without the object.
  package func context(of entity: String, in storeID: StoreID) throws(CryptoError) -> FieldContext {
    guard kind == CatalogProperty.daoKind else {
      return try FieldContext(storeID: storeID, entity: entity, property: name)
    }
    return try FieldContext(
      storeID: storeID,
      entity: target ?? "",
      property: inverse ?? "",
      domain: .dao
    )
  }
}
