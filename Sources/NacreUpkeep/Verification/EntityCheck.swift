import Foundation
import NacreEngine
import NacreStore
import NacreCrypto

/// Checks the rows of one entity, using only the catalog, as far as its table has what the catalog names.
final class EntityCheck {
  let entity: CatalogEntity
  /// The checks of the sealed properties.
  let cells: [CellCheck]
  /// The properties that hold a reference in a column.
  let references: [CatalogProperty]
  /// The columns that the statements select.
  let row: VerifySQL.Row

  /// Prepares the checks of the parts that can be checked; without a session, only those of references.
  init(_ shape: EntityShape, session: RingSession?, connection: any EngineConnection) throws {
    entity = shape.entity
    references = shape.references.map(\.property)
    var cells: [CellCheck] = []
    var row = VerifySQL.Row(table: shape.entity.table, key: shape.entity.key)
    for property in shape.sealed {
      guard let session, let column = property.column, property.isSealed else { continue }
      cells.append(
        try CellCheck(property, of: shape.entity, session: session, connection: connection)
      )
      row.sealed.append((column: column, index: property.indexColumn))
    }
    row.references = shape.references.map {
      (column: $0.property.column ?? "", target: $0.target)
    }
    self.cells = cells
    self.row = row
  }

  /// The column of a sealed property in the statements; the next column is its index.
  static func column(ofCell index: Int) -> Int32 { Int32(1 + 2 * index) }

  /// Whether a reference of the current row is NULL or refers to an existing object.
  func holds(reference index: Int, _ statement: any PreparedStatement) -> Bool {
    statement.int64(at: Int32(1 + 2 * cells.count + index)) != 0
  }
}
