import NacreCrypto
import NacreEngine
import NacreStore

extension Conversion {
  /// Replaces the old columns of some prepared conversions by the new ones, all in one transaction.
  ///
  /// It also renumbers the ring, so that every process looks at the tables again. If two objects
  /// have the same value of a unique property, it undoes all of the conversions. Then the class as
  /// it was before can use the entity again, to change one of the values.
  ///
  /// - Throws: `constraint`, after undoing all of the conversions.
  static func exchange(_ conversions: [Conversion], in store: Store) throws {
    if conversions.isEmpty { return }
    try waitForOlderStates(in: store)
    do {
      try store.read { for conversion in conversions { try conversion.refuseTwins(on: $0) } }
      try store.writeMuch { database in
        for conversion in conversions { try conversion.exchange(on: database) }
        try FullTextIndex.makeMissing(on: database.connection)
        try database.replaceRing(by: store.keys.unlocked().renumbered())
      }
    } catch let error as NacreError where error.code == .constraint {
      // If a unique property becomes plain, its index itself refuses equal values.
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

  /// Waits until nobody reads a state from before the new columns were complete, if the store is on a server: that shows
  /// the exchanged columns in older states, too, and there they would be empty.
  ///
  /// - Throws: `busy` if somebody still does after the time that the store waits for locks.
  private static func waitForOlderStates(in store: Store) throws {
    guard store.engine.capabilities.contains(.onServer), try !store.emptyLog() else { return }
    throw NacreError(
      .busy,
      detail: "somebody is reading the store as it was before; convert again when they are done"
    )
  }

  private func exchange(on database: Database) throws {
    let connection = database.connection
    for statement in sql.exchange(from: from, to: to) + sql.makeIndex(to, connection.dialect) {
      try connection.execute(statement)
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
    // Every row has its new cell, also each row whose value is nil.
    row.isFilled = to.hidesNil
    try database.changeCatalog(
      CatalogSQL.insertProperty(database.connection.dialect),
      row.arguments(entity: place.entity)
    )
  }

  /// Throws `constraint`, which names both objects, if two objects have the same value of a unique
  /// sealed property.
  private func refuseTwins(on database: Database) throws {
    guard to.index?.isUnique == true else { return }
    var twins: [ObjectID] = []
    try database.each(sql.twins, []) { twins.append(try ObjectID.read(from: $0, at: 0)) }
    guard let first = twins.first, let second = twins.last else { return }
    throw NacreError(.constraint, at: place, first, detail: "\(second) has the same value")
  }

  /// Removes the old cells from the file after the columns are exchanged, and then ends the
  /// conversion.
  ///
  /// It empties the log, and vacuums the file if the property was plain, so that no plaintext is
  /// left.
  ///
  /// - Parameter progress: called once before the work; if it returns false, nothing is done.
  /// - Returns: whether the conversion is done.
  /// - Throws: `busy` while somebody still reads the store's former state.
  func clear(_ progress: (MigrationProgress) -> Bool) throws -> Bool {
    guard report(progress) else { return false }
    let isPlain = !from.isSealed
    if isPlain { try store.withWriterForLong { try $0.connection.vacuum() } }
    guard try store.emptyLog() else {
      throw NacreError(
        .busy,
        detail:
          "somebody is still reading the store as it was before; migrate again when they are done"
      )
    }
    try store.write { try enter(.done, on: $0) }
    return true
  }

  /// Undoes some conversions whose columns are not exchanged yet, all in one transaction.
  ///
  /// - Throws: ``NacreError``; then nothing is undone.
  static func abandon(_ conversions: [Conversion], in store: Store) throws {
    try store.write { database in
      for conversion in conversions { try conversion.abandon(on: database) }
      try FullTextIndex.makeMissing(on: database.connection)
      try database.replaceRing(by: store.keys.unlocked().renumbered())
    }
  }

  private func abandon(on database: Database) throws {
    try database.restoreColumn(of: place, sql, hasIndex: to.index != nil)
    try enter(.abandoned, on: database)
  }
}
