import Foundation
import NacreCrypto
import NacreEngine
import NacreStore
public import NacreUpkeep

// These calls convert rows after a stored property was marked `@Encrypted` or unmarked, or after
// its index changed. Until its rows are converted, the entity can't be used, so no plain value is
// taken for a sealed one.

extension Store {
  /// Returns the changes that `migrate` and the use of the classes would make.
  ///
  /// These are pending steps, new versions, new and changed columns, properties that the classes
  /// seal differently from the file, and conversions that were begun and are not done.
  ///
  /// - Parameter entities: the classes; if none are given, those of ``StoreOptions/entities``. The
  ///   classes that they reach by children and links are included.
  /// - Returns: the changes; none if everything is as declared.
  /// - Throws: ``NacreError``.
  public func migrationPlan(_ entities: any Entity.Type...) throws -> MigrationPlan {
    try completePlan(for: orOptions(entities))
  }

  /// Returns the changes that `migrate` and the use of the classes would make; the async twin of
  /// ``migrationPlan(_:)-(Entity.Type...)``.
  ///
  /// - Throws: ``NacreError``.
  public func migrationPlan(_ entities: any Entity.Type...) async throws -> MigrationPlan {
    try await Self.onThread { try self.completePlan(for: self.orOptions(entities)) }
  }

  func plan(_ entities: [any Entity.Type]) throws -> [SealingChange] {
    try read { database in
      let unfinished = try database.unfinishedConversions().map(\.change)
      let wanted = try database.wantedConversions(of: entities).map(\.change)
      return unfinished
        + wanted.filter { change in
          !unfinished.contains { $0.entity == change.entity && $0.property == change.property }
        }
    }
  }

  /// Runs the pending steps, converts rows that the classes seal differently, and brings the tables
  /// up to date.
  ///
  /// It first finishes conversions that were begun before, then begins new ones.
  ///
  /// Columns of decimals that an earlier version made, and that compare texts, are rebuilt so that
  /// they compare numbers.
  ///
  /// The rows are converted in batches, under a journal. If the process is killed at any
  /// instruction, the next call goes on, also in another process and without the classes. Each new
  /// cell is read back and compared before the old cells are removed. Until then nobody can use the
  /// entity; other entities can be used. At the end the file is vacuumed, so that the plaintext of
  /// values that were sealed is gone from it; for a moment that takes as much space again.
  ///
  /// Plain values are sealed as they are stored: an attacker who could write to the file before the
  /// migration chooses the values that it seals.
  ///
  /// - Parameters:
  ///   - entities: the classes; if none are given, those of ``StoreOptions/entities``. The classes
  ///     that they reach by children and links are included.
  ///   - progress: called after each batch; if it returns false, the migration stops, and the next
  ///     call goes on.
  /// - Returns: the conversions that were finished.
  /// - Throws: ``NacreError`` with code `transactionState` inside `read` or `write`; `rotationHeld`
  ///   while a rotation or another migration runs; `halfConverted` if a table has columns of a
  ///   conversion that no row of the journal continues; `schemaMismatch`, before a row is touched,
  ///   if an index, view or trigger of the application prevents the change of a column;
  ///   `ringTampered` if somebody without the store's key wrote to the journal; `constraint` if two
  ///   objects have the same value of a unique property; `valueMismatch` or a code of sealed
  ///   values, with the place, for a cell that can't be read; `migrationFailed` for a step or a
  ///   class's hook. What was converted stays converted.
  @discardableResult
  public func migrate(
    _ entities: any Entity.Type...,
    progress: (MigrationProgress) -> Bool = { _ in true }
  ) throws -> [SealingChange] {
    try migrateAll(entities, progress)
  }

  /// Runs steps, converts rows and brings tables up to date; the async twin of
  /// ``migrate(_:progress:)-(Entity.Type...,_)``.
  ///
  /// - Throws: ``NacreError``; what was converted stays converted.
  @discardableResult
  public func migrate(
    _ entities: any Entity.Type...,
    progress: @escaping @Sendable (MigrationProgress) -> Bool = { _ in true }
  ) async throws -> [SealingChange] {
    try await Self.onThread { try self.migrateAll(entities, progress) }
  }

  func migrate(
    _ entities: [any Entity.Type],
    _ progress: (MigrationProgress) -> Bool
  ) throws -> [SealingChange] {
    try convert(progress) { begun in
      try wants(begun, entities)
    } requesting: {
      try $0.wantedConversions(of: entities)
    }
  }

  /// Returns whether the classes ask for a conversion that was begun.
  ///
  /// An old row of the journal is authentic too, so an attacker who can write to the file could
  /// restore one that makes a sealed property plain.
  private func wants(_ begun: Conversion, _ entities: [any Entity.Type]) throws -> Bool {
    // Without classes, the caller asks for every conversion that was begun, as the plan shows them.
    if entities.isEmpty { return true }
    let property = entities.reachableSchemas.first { $0.name == begun.place.entity }?
      .property(named: begun.place.property)
    guard let property else { return false }
    return property.sealing.map { SealedForm($0) } == begun.to.sealing?.form
  }

  func orOptions(_ entities: [any Entity.Type]) -> [any Entity.Type] {
    entities.isEmpty ? self.entities.options.entities : entities
  }
}
