import Foundation
import NacreCrypto
import NacreEngine
public import NacreStore

// These calls convert the rows of a property to another form: sealed, plain, or with another index.

extension Store {
  /// Converts one property as the catalog describes it, without its class.
  ///
  /// From then on the class must declare the property in the new form.
  ///
  /// - Parameters:
  ///   - property: the property's name.
  ///   - entity: the entity's name.
  ///   - options: how the property will be sealed; nil makes it plain.
  ///   - progress: called after each batch; if it returns false, the conversion stops, and the next
  ///     call goes on.
  /// - Returns: the conversions that were finished.
  /// - Throws: ``NacreError``, with the codes of `migrate`; `noSuchEntity` or `noSuchProperty`.
  @discardableResult
  public func convert(
    _ property: String,
    of entity: String,
    to options: SealedOptions?,
    progress: (MigrationProgress) -> Bool = { _ in true }
  ) throws -> [SealingChange] {
    try convert(progress) { begun in
      begun.place == ConversionPlace(entity: entity, property: property)
        && begun.to.sealing?.form == options.map { SealedForm($0) }
    } requesting: { database in
      try database.conversion(of: property, of: entity, to: options).map { [$0] } ?? []
    }
  }

  /// Converts one property as the catalog describes it, without its class; the async twin of
  /// ``convert(_:of:to:progress:)-(_,_,_,_)``.
  ///
  /// - Throws: ``NacreError``.
  @discardableResult
  public func convert(
    _ property: String,
    of entity: String,
    to options: SealedOptions?,
    progress: @escaping @Sendable (MigrationProgress) -> Bool = { _ in true }
  ) async throws -> [SealingChange] {
    try await Self.onThread {
      try self.convert(property, of: entity, to: options, progress: progress)
    }
  }

  /// Returns the conversions that were begun and are not done.
  ///
  /// - Throws: ``NacreError`` with code `ringTampered` if somebody without the store's key wrote to
  ///   the journal.
  public func unfinishedConversions() throws -> [SealingChange] {
    try read { try $0.unfinishedConversions().map(\.change) }
  }

  /// Finishes the conversions that were begun, without the classes.
  ///
  /// - Parameter progress: called after each batch; if it returns false, the conversion stops, and
  ///   the next call goes on.
  /// - Returns: the conversions that were finished.
  /// - Throws: ``NacreError``, with the codes of ``convert(_:of:to:progress:)``.
  @discardableResult
  public func resumeConversions(
    progress: (MigrationProgress) -> Bool = { _ in true }
  ) throws -> [SealingChange] {
    // Without the ring no row can be converted; this is fine if no conversion was begun.
    if try !keys.isUnlocked && unfinishedConversions().isEmpty { return [] }
    return try convert(progress, where: { _ in true }, requesting: { _ in [] })
  }

  /// Undoes the conversions that were begun and have not exchanged their columns yet.
  ///
  /// Their rows are then as before.
  ///
  /// - Returns: the conversions that were undone.
  /// - Throws: ``NacreError`` with code `transactionState` inside `read` or `write`;
  ///   `rotationHeld`; `busy` if somebody still reads the store as it was before: the conversions
  ///   are undone then, but values that were made plain stay in the log.
  @discardableResult
  public func abandonMigration() throws -> [SealingChange] {
    try converting {
      let unfinished = try read { try $0.unfinishedConversions() }
      let open = unfinished.filter { $0.phase != .clearing }
      if open.isEmpty { return [] }
      try Conversion.abandon(open, in: self)
      // The log holds plaintext that the conversion has already written.
      guard try emptyLog() else {
        throw NacreError(
          .busy,
          detail:
            "everything is taken back, but somebody is still reading the store as it was before, "
            + "so the values that were made plain stay in the log until the store is closed"
        )
      }
      return open.map(\.change)
    }
  }

  /// Undoes the conversions that were begun and have not exchanged their columns yet.
  ///
  /// - Throws: ``NacreError``.
  @discardableResult
  public func abandonMigration() async throws -> [SealingChange] {
    try await Self.onThread { try self.abandonMigration() }
  }

  /// Finishes the conversions that were begun, then runs the requested ones.
  ///
  /// - Parameters:
  ///   - progress: called after each batch; if it returns false, the conversion stops, and the next
  ///     call goes on.
  ///   - isWanted: whether the caller asks for a conversion that was begun.
  ///   - requests: returns the conversions to begin after that, when the properties have their new
  ///     form.
  /// - Returns: the conversions that were finished.
  /// - Throws: `rotationUnfinished` if the caller does not ask for a conversion that was begun.
  package func convert(
    _ progress: (MigrationProgress) -> Bool,
    where isWanted: (Conversion) throws -> Bool,
    requesting requests: (Database) throws -> [ConversionRequest]
  ) throws -> [SealingChange] {
    try converting {
      let unfinished = try read { try $0.unfinishedConversions() }
      if let begun = try unfinished.first(where: { try !isWanted($0) }) {
        throw Store.unwanted(begun)
      }
      var done: [SealingChange] = []
      guard try finish(unfinished, progress, &done) else { return done }
      try run(read(requests), progress, &done)
      return done
    }
  }

  private static func unwanted(_ begun: Conversion) -> NacreError {
    NacreError(
      .rotationUnfinished,
      at: begun.place,
      detail:
        "the conversion \(begun.change.stored) → \(begun.change.wanted) was begun, but this call "
        + "does not ask for it; take it back, or name it to go on with it"
    )
  }

  private func converting(_ body: () throws -> [SealingChange]) throws -> [SealingChange] {
    try checkRingCanChange()
    return try NacreError.wrapping {
      let lock = try RotationLock(of: self)
      defer { lock.release() }
      try read { database in
        // The following steps read the catalog and write to it.
        try OwnTables.refuseForeignObjects(on: database.connection)
        guard let begun = try RotationJournal.believed(on: database), begun.place == nil else {
          return
        }
        throw NacreError(
          .rotationUnfinished,
          detail: "a rotation (\(begun.kind)) was begun and is not finished"
        )
      }
      return try patiently(body)
    }
  }

  /// Begins the requested conversions, all or none, and runs them.
  private func run(
    _ requests: [ConversionRequest],
    _ progress: (MigrationProgress) -> Bool,
    _ done: inout [SealingChange]
  ) throws {
    if requests.isEmpty { return }
    for request in requests { try rehearse(request) }
    let begun = try write { database in
      let begun = try requests.map { try begin($0, on: database) }
      try database.replaceRing(by: keys.unlocked().renumbered())
      return begun
    }
    _ = try finish(begun, progress, &done)
  }

  /// Finishes conversions, whatever their phase; returns false if `progress` stopped it.
  ///
  /// - Throws: `constraint`, after undoing all conversions whose columns were not exchanged before.
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

  /// Drops the full-text index if it has the property, because it holds the texts that are to be
  /// sealed.
  ///
  /// The use of the class makes it again, without the property.
  private func dropFullText(of request: ConversionRequest, on database: Database) throws {
    let sql = request.sql
    try FullTextIndex.drop(ofTable: sql.table, with: sql.column, on: database.connection)
    try database.changeCatalog(
      CatalogSQL.clearFullText,
      [.text(request.place.entity), .text(request.place.property)]
    )
  }

  /// Gives the old column its held name, adds the new one, and writes the journal.
  private func begin(_ request: ConversionRequest, on database: Database) throws -> Conversion {
    let connection = database.connection
    if let suite = request.to.sealing?.suite { try database.makeKey(of: suite) }
    try dropFullText(of: request, on: database)
    for statement in request.sql.begin(to: request.to, connection.dialect) {
      try connection.execute(statement)
    }
    try database.noteColumn(request.sql.heldColumn, of: request.place)
    let journal = try RotationJournal.begin(
      .conversion(request.place, from: request.from, to: request.to),
      phase: Conversion.Phase.converting.rawValue,
      total: Int64(request.total),
      on: database
    )
    return try Conversion(journal, on: database)
  }

  /// Exchanges the columns and rolls that back, to see whether SQLite allows it.
  ///
  /// An index, trigger or view of the application can prevent the drop of a column. Otherwise this
  /// would show only when every row is converted.
  private func rehearse(_ request: ConversionRequest) throws {
    let sql = request.sql
    try writeMuch { database in
      try HalfConversion.refuseLeftovers(of: request, on: database.connection)
      database.shouldRollback = true
      try dropFullText(of: request, on: database)
      do {
        let statements =
          sql.begin(to: request.to, database.connection.dialect)
          + sql.exchange(from: request.from, to: request.to)
        for statement in statements { try database.connection.execute(statement) }
      } catch let error as any EngineError where error.kind == .badStatement {
        throw NacreError(
          .schemaMismatch,
          at: request.place,
          detail: (error.dependent ?? "an index, trigger or view of the application")
            + " does not let its column change; drop it and make it again afterwards",
          cause: error
        )
      }
    }
  }
}
