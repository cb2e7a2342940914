import NacreCrypto
import NacreSQLite

/// A column with a DAO's sealed values of which the catalog does not know: SQL has copied them there, or has renamed the
/// column or its table.
package struct DAOStray {
  package let column: StoredColumn
  package let finding: Finding

  /// The values that a column was found to hold.
  package enum Finding {
    /// Values of one class and property, which all open, in a table that a rotation can go through.
    case values(of: DAOPlace)
    /// Values that no rotation reaches: why, and what to do.
    case outOfReach(String)
  }

  /// Whether no rotation reaches its values.
  var isOutOfReach: Bool {
    if case .outOfReach = finding { true } else { false }
  }

  /// Returns the entry that the catalog is to get for the column.
  ///
  /// - Throws: `unsuitableColumn` for values that no rotation reaches.
  func noted() throws -> DAOColumn {
    switch finding {
    case .values(let place): return noted(as: place)
    case .outOfReach(let detail):
      throw NacreError(
        .unsuitableColumn,
        entity: column.table,
        property: column.column,
        detail: detail
      )
    }
  }

  /// The column as one of a class and property.
  package func noted(as place: DAOPlace) -> DAOColumn {
    DAOColumn(
      table: column.table,
      column: column.column,
      type: place.type,
      property: place.property
    )
  }
}

extension [CatalogEntity] {
  /// The same with columns of DAOs that the catalog does not have yet.
  ///
  /// - Throws: `unsuitableColumn` for values that no rotation reaches.
  package func including(_ strays: [DAOStray]) throws -> [CatalogEntity] {
    var entities = self
    for stray in strays {
      let entity = CatalogEntity(try stray.noted())
      if let index = entities.firstIndex(where: { $0.name.hasSameBytes(as: entity.name) }) {
        entities[index] = entities[index].adding(entity.properties)
      } else {
        entities.append(entity)
      }
    }
    return entities.sorted { $0.name < $1.name }
  }
}

extension CatalogEntity {
  /// A table of DAOs with one column.
  package init(_ noted: DAOColumn) {
    self.init(
      name: CatalogEntity.daoName(ofTable: noted.table),
      table: noted.table,
      version: 1,
      properties: [CatalogProperty(noted)]
    )
  }

  fileprivate func adding(_ others: [CatalogProperty]) -> CatalogEntity {
    CatalogEntity(
      name: name,
      table: table,
      version: version,
      properties: (properties + others).sorted { $0.name < $1.name }
    )
  }
}
