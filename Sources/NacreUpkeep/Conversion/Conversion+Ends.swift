import NacreCrypto
import NacreSQLite
import NacreStore

extension Conversion {
  /// Puts the new columns of some prepared conversions in the old ones' place, all in one transaction, and tells every
  /// process to look again.
  ///
  /// Where two objects have a value that no two may have, all of them are taken back: the class as it was before can use
  /// the entity then, to change one of the values.
  ///
  /// - Throws: `constraint`, with everything taken back.
  static func exchange(_ conversions: [Conversion], in store: Store) throws {
    if conversions.isEmpty { return }
    do {
      try store.read { for conversion in conversions { try conversion.refuseTwins(on: $0) } }
      try store.write { database in
        for conversion in conversions { try conversion.exchange(on: database) }
        try database.replaceRing(by: store.keys.unlocked().renumbered())
      }
    } catch let error as NacreError where error.code == .constraint {
      // A unique index of what becomes plain refuses twins by itself.
      try abandon(conversions, in: store)
      throw error
    }
    for conversion in conversions {
      store.noteSealedColumns(
        table: conversion.sql.table,
        column: conversion.sql.column,
        isSealed: conversion.to.isSealed,
        hasIndex: conversion.to.index != nil
      )
    }
  }

  private func exchange(on database: Database) throws {
    for statement in sql.exchange(from: from, to: to) + sql.makeIndex(to) {
      try database.connection.execute(statement)
    }
    try rewriteCatalog(on: database)
    try enter(.clearing, on: database)
  }

  private func rewriteCatalog(on database: Database) throws {
    let rows = try CatalogEntity.properties(of: place.entity, on: database.connection)
    guard var row = rows.first(where: { $0.name == place.property }) else { return }
    row.column = sql.column
    row.sealing = to.sealing
    row.isOptional = to.acceptsNull
    // Every row was given its new cell, nil's among them.
    row.isFilled = to.hidesNil
    try database.changeCatalog(
      CatalogSQL.insertProperty,
      row.arguments(entity: place.entity)
    )
  }

  /// Names two objects with the same value, where no two may have it.
  private func refuseTwins(on database: Database) throws {
    guard to.index?.isUnique == true else { return }
    try database.each(sql.twins, []) { row in
      let (first, second) = (
        try ObjectID.read(from: row, at: 0), try ObjectID.read(from: row, at: 1)
      )
      throw NacreError(
        .constraint,
        entity: place.entity,
        property: place.property,
        objectID: first.uuid,
        detail: "\(second) has the same value"
      )
    }
  }

  /// Takes the old cells out of free pages and the log, once the columns are exchanged: with them the plaintext, where
  /// it was plain.
  ///
  /// - Parameter progress: called before; false stops there.
  /// - Returns: whether it came to the end.
  /// - Throws: `busy` while somebody reads the store as it was.
  func clear(_ progress: (MigrationProgress) -> Bool) throws -> Bool {
    guard report(progress) else { return false }
    let isPlain = !from.isSealed
    if isPlain { try store.withWriterForLong { try $0.connection.execute(RotationSQL.vacuum) } }
    guard try store.emptyLog() else {
      throw NacreError(
        .busy,
        detail:
          "somebody is still reading the store as it was before; migrate again when they are done"
      )
    }
    try store.write { try end(.done, on: $0) }
    return true
  }

  /// Takes back what some conversions have done, as long as their columns are not exchanged, all in one transaction.
  ///
  /// - Throws: ``NacreError``; nothing is taken back then.
  static func abandon(_ conversions: [Conversion], in store: Store) throws {
    try store.write { database in
      for conversion in conversions { try conversion.abandon(on: database) }
      try database.replaceRing(by: store.keys.unlocked().renumbered())
    }
  }

  private func abandon(on database: Database) throws {
    for statement in sql.abandon(to) { try database.connection.execute(statement) }
    try database.changeCatalog(
      ConversionSQL.setColumn,
      [.text(place.entity), .text(place.property), .text(sql.column)]
    )
    try end(.abandoned, on: database)
  }
}
