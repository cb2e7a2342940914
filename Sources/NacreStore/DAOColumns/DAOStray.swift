import NacreCrypto
import NacreEngine

/// A column with a DAO's sealed values that the catalog does not have.
///
/// SQL has copied the values there, or has renamed the column or its table.
package struct DAOStray {
  package let column: StoredColumn
  package let finding: Finding

  /// The result of examining the column's values.
  package enum Finding {
    /// Values of one class and property, which all open, in a table through which a rotation can
    /// go.
    case values(of: DAOPlace)
    /// Values that no rotation reaches, with the reason and the advice.
    case outOfReach(String)
  }

  /// Whether no rotation reaches the column's values.
  var isOutOfReach: Bool {
    if case .outOfReach = finding { true } else { false }
  }

  /// Returns the column's new entry in the catalog.
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

  /// Returns the column's entry for a class and property.
  package func noted(as place: DAOPlace) -> DAOColumn {
    DAOColumn(table: column.table, column: column.column, place: place)
  }
}

extension [CatalogEntity] {
  /// Returns these entities with the columns of DAOs that the catalog does not have yet.
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
  /// Makes the entity of a DAO's table with one column.
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
