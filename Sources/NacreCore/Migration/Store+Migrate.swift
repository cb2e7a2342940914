import Foundation
import NacreCrypto
import NacreSQLite

// Marking a stored property `@Encrypted`, unmarking it, or changing its index: until its rows are converted, the entity
// can't be used, and nothing plain passes for sealed.

extension Store {
  /// Returns the changes that using the classes and `migrate` would make: pending steps, versions,
  /// columns, and the properties that the classes seal otherwise than they are stored, with the
  /// conversions that were begun and are not done.
  ///
  /// - Parameter entities: the classes; none are those of ``StoreOptions/entities``. What they reach by children and
  ///   links is looked at, too.
  /// - Returns: the changes; none where everything is as declared.
  /// - Throws: ``NacreError``.
  public func migrationPlan(_ entities: any Entity.Type...) throws -> MigrationPlan {
    try completePlan(for: orOptions(entities))
  }

  func plan(_ entities: [any Entity.Type]) throws -> [SealingChange] {
    try read { database in
      let unfinished = try database.unfinishedConversions().map(\.change)
      let wanted = try database.wantedConversions(of: orOptions(entities)).map {
        SealingChange(
          entity: $0.place.entity,
          property: $0.place.property,
          stored: CatalogProperty.storedForm($0.from.sealing),
          wanted: CatalogProperty.storedForm($0.to.sealing),
          done: 0,
          total: $0.total
        )
      }
      return unfinished
        + wanted.filter { change in
          !unfinished.contains { $0.entity == change.entity && $0.property == change.property }
        }
    }
  }

  /// Runs the pending steps, converts the rows of all properties that the classes seal otherwise than they are stored,
  /// and brings the classes' tables up to date; of conversions, first it goes on with what was begun.
  ///
  /// Columns of decimals that an earlier version made, and that compare texts, are rebuilt, so that they compare numbers.
  ///
  /// The rows are converted in batches, under a journal: killed at any instruction, it goes on at the next call, in
  /// another process and without the classes, too. Each new cell is read back and compared before the old ones go. Until
  /// then nobody can use the entity; other entities can be used meanwhile. Plaintext that was sealed is gone from the
  /// file at the end, for which it is vacuumed: that takes as much room again for a moment.
  ///
  /// Plain values are believed as they are stored: somebody who could write to the file before
  /// chooses the values that are sealed.
  ///
  /// - Parameters:
  ///   - entities: the classes; none are those of ``StoreOptions/entities``. What they reach by children and links is
  ///     converted, too.
  ///   - progress: called after each batch; false stops there, and the next call goes on.
  /// - Returns: what was converted to its end.
  /// - Throws: ``NacreError`` with code `transactionState` inside `read` or `write`; `rotationHeld` while a rotation or
  ///   another migration runs; `halfConverted` where columns of a conversion are there that nothing goes on with;
  ///   `schemaMismatch`, before a row is touched, where an index, view or trigger of the
  ///   application's own keeps a column; `ringTampered` for a journal that something else has written; `constraint`
  ///   where no two objects may have the same value and two have; `valueMismatch` or a code of sealed values, with the
  ///   place, for a cell that can't be read; `migrationFailed` for a step or a class's hook. What was
  ///   converted stays so.
  @discardableResult
  public func migrate(
    _ entities: any Entity.Type...,
    progress: (MigrationProgress) -> Bool = { _ in true }
  ) throws -> [SealingChange] {
    try migrateAll(entities, progress)
  }

  func migrate(
    _ entities: [any Entity.Type],
    _ progress: (MigrationProgress) -> Bool
  ) throws -> [SealingChange] {
    try migrating {
      let entities = orOptions(entities)
      try refuseUnwanted(entities)
      var done: [SealingChange] = []
      guard try resume(progress, &done) else { return done }
      try run(read { try $0.wantedConversions(of: entities) }, progress, &done)
      return done
    }
  }

  /// Converts one property by the catalog alone, without its class, which has to be declared like that from then on.
  ///
  /// - Parameters:
  ///   - property: the property's name.
  ///   - entity: the entity's name.
  ///   - options: how it shall be sealed; nil leaves it plain.
  ///   - progress: called after each batch; false stops there, and the next call goes on.
  /// - Returns: what was converted to its end.
  /// - Throws: ``NacreError``, as ``migrate(_:progress:)``; `noSuchEntity` or `noSuchProperty`.
  @discardableResult
  public func convert(
    _ property: String,
    of entity: String,
    to options: SealedOptions?,
    progress: (MigrationProgress) -> Bool = { _ in true }
  ) throws -> [SealingChange] {
    try migrating {
      try read { database in
        for begun in try database.unfinishedConversions() {
          let place = begun.place
          let isWanted = place.entity == entity && place.property == property
          if !isWanted || begun.to.sealing?.form != options.map({ SealedForm($0) }) {
            throw Store.unwanted(begun)
          }
        }
      }
      var done: [SealingChange] = []
      guard try resume(progress, &done) else { return done }
      let request = try read { try $0.conversion(of: property, of: entity, to: options) }
      try run(request.map { [$0] } ?? [], progress, &done)
      return done
    }
  }

  /// Takes back the migrations that were begun and are not done: the rows are as before.
  ///
  /// - Returns: what was taken back.
  /// - Throws: ``NacreError`` with code `transactionState` inside `read` or `write`; `rotationHeld`.
  @discardableResult
  public func abandonMigration() throws -> [SealingChange] {
    try migrating {
      let unfinished = try read { try $0.unfinishedConversions() }
      let open = unfinished.filter { $0.phase != .clearing }
      if open.isEmpty { return [] }
      try Conversion.abandon(open, in: self)
      // The log holds plaintext that the conversion has already written.
      guard try emptyLog() else {
        throw NacreError(
          .busy,
          detail:
            "everything is taken back, but somebody reads the store as it was, and what was made "
            + "plain stays in the log until the store is closed"
        )
      }
      return open.map(\.change)
    }
  }

  /// Refuses to go on with what the classes do not ask for: an old row of the journal is authentic, too, and whoever can
  /// write to the file could put back one by which a sealed property is made plain.
  private func refuseUnwanted(_ entities: [any Entity.Type]) throws {
    // Without a class it is the caller who asks for what was begun, having seen it in the plan.
    if entities.isEmpty { return }
    let schemas = entities.reachableSchemas
    for begun in try read({ try $0.unfinishedConversions() }) {
      let place = begun.place
      let property = schemas.first { $0.name == place.entity }?.property(named: place.property)
      guard let property, property.sealing.map({ SealedForm($0) }) == begun.to.sealing?.form
      else { throw Store.unwanted(begun) }
    }
  }

  private static func unwanted(_ begun: Conversion) -> NacreError {
    NacreError(
      .rotationUnfinished,
      entity: begun.place.entity,
      property: begun.place.property,
      detail:
        "\(begun.change.stored) → \(begun.change.wanted) was begun, and nobody asks for it now; "
        + "take it back, or go on with it by name"
    )
  }

  func orOptions(_ entities: [any Entity.Type]) -> [any Entity.Type] {
    entities.isEmpty ? self.entities.options.entities : entities
  }

  private func migrating(_ body: () throws -> [SealingChange]) throws -> [SealingChange] {
    try checkRingCanChange()
    return try NacreError.wrapping {
      let lock = try RotationLock(ofStoreAt: path)
      defer { lock.release() }
      try read { database in
        // The following steps read the catalog and write to it.
        try OwnTables.refuseStrangers(on: database.connection)
        guard let begun = try RotationJournal.believed(on: database), !begun.isConversion else {
          return
        }
        throw NacreError(
          .rotationUnfinished,
          detail: "a rotation (\(begun.kind)) was begun and is not done"
        )
      }
      return try patiently(body)
    }
  }

  /// Goes on with what was begun; false when it was stopped.
  private func resume(
    _ progress: (MigrationProgress) -> Bool,
    _ done: inout [SealingChange]
  ) throws -> Bool {
    try finish(read { try $0.unfinishedConversions() }, progress, &done)
  }

  /// Begins what was asked for, all of it or nothing, and converts it.
  private func run(
    _ requests: [ConversionRequest],
    _ progress: (MigrationProgress) -> Bool,
    _ done: inout [SealingChange]
  ) throws {
    if requests.isEmpty { return }
    try write { database in
      for request in requests {
        try HalfConversion.refuseLeftovers(of: request, on: database.connection)
        try rehearse(request, on: database)
      }
    }
    let begun = try write { database in
      let begun = try requests.map { try begin($0, on: database) }
      try database.replaceRing(by: keys.unlocked().renumbered())
      return begun
    }
    _ = try finish(begun, progress, &done)
  }

  /// Takes conversions from wherever they are to their end; false when it was stopped.
  ///
  /// - Throws: `constraint`, with all of them taken back that could be.
  private func finish(
    _ conversions: [Conversion],
    _ progress: (MigrationProgress) -> Bool,
    _ done: inout [SealingChange]
  ) throws -> Bool {
    let open = conversions.filter { $0.phase != .clearing }
    for conversion in open {
      guard try conversion.prepare(progress) else { return false }
    }
    try Conversion.exchange(open, in: self)
    for conversion in conversions {
      guard try conversion.clear(progress) else { return false }
      done.append(conversion.change)
    }
    return true
  }

  /// Gives the old column its held name, adds the new one, and writes the journal.
  private func begin(_ request: ConversionRequest, on database: Database) throws -> Conversion {
    let connection = database.connection
    let sql = ConversionSQL(table: request.table, column: request.column)
    if let suite = request.to.sealing?.suite { try database.makeKey(of: suite) }
    for statement in sql.begin(to: request.to) { try connection.execute(statement) }
    let place = request.place
    try database.changeCatalog(
      ConversionSQL.setColumn,
      [.text(place.entity), .text(place.property), .text(sql.heldColumn)]
    )
    let journal = try RotationJournal.begin(
      ConversionForm.kind(from: request.from, to: request.to),
      from: request.from.json,
      to: request.to.json,
      of: place,
      phase: Conversion.Phase.converting.rawValue,
      total: Int64(request.total),
      on: database
    )
    return try Conversion(journal, on: database)
  }

  /// Exchanges the columns and takes that back: what the application has made on a column keeps it from being dropped,
  /// which would otherwise show only when every row is converted.
  private func rehearse(_ request: ConversionRequest, on database: Database) throws {
    struct Success: Error {}
    let sql = ConversionSQL(table: request.table, column: request.column)
    do {
      try database.connection.transaction(.immediate) {
        let statements =
          sql.begin(to: request.to) + sql.exchange(from: request.from, to: request.to)
        for statement in statements { try database.connection.execute(statement) }
        throw Success()
      }
    } catch is Success {
      return
    } catch let error as SQLiteError where error.code == 1 {
      throw NacreError(
        .schemaMismatch,
        entity: request.place.entity,
        property: request.place.property,
        detail: try stranger(in: error.message, on: database) + " keeps its column as it is; "
          + "drop it and make it again afterwards",
        cause: error
      )
    }
  }

  /// The index, trigger or view that a message of SQLite names.
  private func stranger(in message: String, on database: Database) throws -> String {
    var found = "something that the application has made"
    try database.each(ConversionSQL.selectStrangers, []) { row in
      let words = "\(row.text(at: 0)) \(row.text(at: 1))"
      if message.contains("error in \(words) ") { found = words }
    }
    return found
  }
}
