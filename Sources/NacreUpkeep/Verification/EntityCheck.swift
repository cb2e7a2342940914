import Foundation
import NacreCore
import NacreCrypto
import NacreSQLite

/// Checks the rows of one entity by the catalog alone, as far as its table has what the catalog names.
final class EntityCheck {
  let entity: CatalogEntity
  /// The sealed properties that are checked.
  let cells: [CellCheck]
  /// The properties that hold a reference in a column.
  let references: [CatalogProperty]
  /// What the statements select.
  let row: VerifySQL.Row

  /// Prepares the checks of what can be looked at; without an opener, those of references alone.
  init(_ shape: EntityShape, opener: CellOpener?, connection: Connection) throws {
    entity = shape.entity
    references = shape.references.map(\.property)
    var cells: [CellCheck] = []
    var row = VerifySQL.Row(table: shape.entity.table, key: shape.entity.key)
    for property in shape.sealed {
      guard let opener, let column = property.column, let form = property.sealing?.form else {
        continue
      }
      cells.append(
        try CellCheck(property, form, of: shape.entity, opener: opener, connection: connection)
      )
      row.sealed.append(.init(column: column, index: property.indexColumn))
    }
    row.references = shape.references.map {
      .init(column: $0.property.column ?? "", target: $0.target)
    }
    self.cells = cells
    self.row = row
  }

  /// The column of a sealed property in the statements; that of its index is the next.
  static func column(ofCell index: Int) -> Int32 { Int32(1 + 2 * index) }

  /// Whether a reference of the current row is NULL or leads to an object.
  func holds(reference index: Int, _ statement: Statement) -> Bool {
    statement.int64(at: Int32(1 + 2 * cells.count + index)) != 0
  }
}
