import Foundation
import NacreCrypto
import NacreEngine
import NacreStore
import NacreUpkeep

/// A rename of a stored property: of its column or table, its indexes and its row in the catalog.
///
/// A sealed value is bound to its property's name, so sealed values also get new envelopes.
struct PropertyRename {
  let entity: String
  let table: String
  let old: CatalogProperty
  /// The same property under its new name, column and table.
  let new: CatalogProperty

  /// Renames the property in the open transaction, with one row in memory at a time.
  func run(on database: Database) throws {
    let connection = database.connection
    if let from = old.column, let to = new.column, !from.hasSameBytes(as: to) {
      // SQLite would rename the column in the index's triggers, but not in the index.
      if old.fullText != nil { try FullTextIndex.drop(ofTable: table, on: connection) }
      try renameColumn(from, to, on: connection)
      if let fromIndex = old.indexColumn, let toIndex = new.indexColumn {
        try renameColumn(fromIndex, toIndex, on: connection)
      }
      try renamePosition(from, to, on: connection)
      try database.changeCatalog(
        MigrationSQL.renameInverse,
        [.text(entity), .text(from), .text(to)]
      )
      let home = database.home
      home.noteSealedColumns(table: table, column: from, isSealed: false, hasIndex: false)
      home.noteSealedColumns(
        table: table,
        column: to,
        isSealed: new.isSealed,
        hasIndex: new.indexColumn != nil
      )
    }
    if let from = old.join, let to = new.join, !from.hasSameBytes(as: to), try connection.has(from)
    {
      try connection.execute(MigrationSQL.renameTable(from, to: to))
      try connection.execute(MigrationSQL.dropIndex(from + "__child"))
      try connection.execute(
        MigrationSQL.createIndex(
          to + "__child",
          on: to,
          columns: ["child"],
          isUnique: false,
          connection.dialect
        )
      )
    }
    try database.changeCatalog(CatalogSQL.deleteProperty, [.text(entity), .text(old.name)])
    try database.changeCatalog(
      CatalogSQL.insertProperty(database.connection.dialect),
      new.arguments(entity: entity)
    )
    // A DAO's sealed values are bound to class and property, which keep their names.
    if old.isSealed && old.name != new.name && old.kind != CatalogProperty.daoKind {
      try reseal(on: database)
    }
  }

  /// Renames the column with the objects' places in a list that a link stores, if it exists.
  private func renamePosition(_ from: String, _ to: String, on connection: any EngineConnection)
    throws
  {
    guard old.kind == "link" else { return }
    let columns = (CatalogProperty.positionColumn(of: from), CatalogProperty.positionColumn(of: to))
    let layout = try TableLayout(table, on: connection)
    guard layout.column(columns.0) != nil, layout.column(columns.1) == nil else { return }
    try connection.execute(MigrationSQL.renameColumn(columns.0, of: table, to: columns.1))
  }

  /// Renames a column and the index that has the column's name.
  private func renameColumn(_ from: String, _ to: String, on connection: any EngineConnection)
    throws
  {
    let layout = try TableLayout(table, on: connection)
    try connection.execute(MigrationSQL.renameColumn(from, of: table, to: to))
    guard let isUnique = layout.indexes[SQLName(table + "__" + from)] else { return }
    try connection.execute(MigrationSQL.dropIndex(table + "__" + from))
    try connection.execute(
      TableSQL.createIndex(
        table: table,
        column: to,
        isUnique: isUnique,
        holdsDecimals: try connection.comparesDecimals(to, of: table),
        connection.dialect
      )
    )
  }

  private func reseal(on database: Database) throws {
    guard let column = new.column else { return }
    let form = try ConversionForm(new)
    let opening = try codec(old.name, form, on: database)
    let sealing = try codec(new.name, form, on: database)
    let columns = [column, new.indexColumn].compactMap { $0 }
    let update = VerifySQL.update(table: table, columns: columns, database.connection.dialect)
    let walk = TableWalk(table: table, columns: [column], database.connection.dialect)
    try walk.each(on: database.connection) { row -> [Value] in
      let identity = try ObjectID.read(from: row, at: 0)
      do {
        let value = try opening.value(row, at: 1, identity)
        return [.blob(identity.data)] + (try sealing.cells(value, identity))
      } catch {
        throw NacreError.wrap(error, entity: entity, property: old.name, objectID: identity.uuid)
      }
    } _: { cells in
      try database.connection.run(update, cells)
    }
  }

  private func codec(
    _ property: String,
    _ form: ConversionForm,
    on database: Database
  ) throws -> ConversionCodec {
    try ConversionCodec(ConversionPlace(entity: entity, property: property), form, on: database)
  }
}
