import Foundation
import NacreCrypto
import NacreSQLite
import NacreStore
import NacreUpkeep

/// Gives a stored property another name: its column or table, its indexes, its row in the catalog, and, because a sealed
/// value is bound to its property's name, new envelopes.
struct PropertyRename {
  let entity: String
  let table: String
  let old: CatalogProperty
  /// The same under its new name, column and table.
  let new: CatalogProperty

  /// Runs in the open transaction; of the rows, one at a time is in memory.
  func run(on database: Database) throws {
    let connection = database.connection
    if let from = old.column, let to = new.column, from != to {
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
    if let from = old.join, let to = new.join, from != to, try connection.has(from) {
      try connection.execute(MigrationSQL.renameTable(from, to: to))
      try connection.execute(MigrationSQL.dropIndex(from + "__child"))
      try connection.execute(
        MigrationSQL.createIndex(to + "__child", on: to, columns: ["child"], isUnique: false)
      )
    }
    try database.changeCatalog(CatalogSQL.deleteProperty, [.text(entity), .text(old.name)])
    try database.changeCatalog(CatalogSQL.insertProperty, new.arguments(entity: entity))
    // A DAO's sealed values are bound to class and property, which keep their names.
    if old.isSealed && old.name != new.name && old.kind != CatalogProperty.daoKind {
      try reseal(on: database)
    }
  }

  /// Renames what keeps the objects' places in a list by a link, where it is there.
  private func renamePosition(_ from: String, _ to: String, on connection: Connection) throws {
    guard old.kind == "link" else { return }
    let columns = (CatalogProperty.positionColumn(of: from), CatalogProperty.positionColumn(of: to))
    let layout = try TableLayout(table, on: connection)
    guard layout.column(columns.0) != nil, layout.column(columns.1) == nil else { return }
    try connection.execute(MigrationSQL.renameColumn(columns.0, of: table, to: columns.1))
  }

  /// With the index that bears the column's name.
  private func renameColumn(_ from: String, _ to: String, on connection: Connection) throws {
    let layout = try TableLayout(table, on: connection)
    try connection.execute(MigrationSQL.renameColumn(from, of: table, to: to))
    guard let isUnique = layout.indexes[table + "__" + from] else { return }
    try connection.execute(MigrationSQL.dropIndex(table + "__" + from))
    try connection.execute(
      TableSQL.createIndex(
        table: table,
        column: to,
        isUnique: isUnique,
        holdsDecimals: try connection.comparesDecimals(to, of: table)
      )
    )
  }

  private func reseal(on database: Database) throws {
    guard let column = new.column else { return }
    let form = try ConversionForm(new)
    let opening = try codec(old.name, form, on: database)
    let sealing = try codec(new.name, form, on: database)
    let columns = [column, new.indexColumn].compactMap { $0 }
    let update = try database.connection.prepare(VerifySQL.update(table: table, columns: columns))
    var last: Data? = Data()
    while let cursor = last {
      last = nil
      try database.each(MigrationSQL.nextRow([column], of: table), [.blob(cursor)]) { row in
        let identity = try ObjectID.read(from: row, at: 0)
        last = identity.data
        do {
          let value = try opening.value(row, at: 1, identity)
          try identity.bind(to: update, at: 1)
          try update.bind(sealing.cell(value, identity), at: 2)
          if columns.count > 1 { try update.bind(sealing.token(value), at: 3) }
        } catch {
          throw NacreError.wrap(
            error,
            entity: entity,
            property: old.name,
            objectID: identity.uuid
          )
        }
      }
      if last != nil { try update.run() }
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
