import Foundation
import NacreCrypto
import NacreSQLite
import NacreStore
public import NacreUpkeep

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
      let wanted = try database.wantedConversions(of: orOptions(entities)).map(\.change)
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
    let entities = orOptions(entities)
    return try convert(progress) { begun in
      try wants(begun, entities)
    } requesting: {
      try $0.wantedConversions(of: entities)
    }
  }

  /// Whether the classes ask for what was begun: an old row of the journal is authentic, too, and
  /// whoever can write to the file could put back one by which a sealed property is made plain.
  private func wants(_ begun: Conversion, _ entities: [any Entity.Type]) throws -> Bool {
    // Without a class it is the caller who asks for what was begun, having seen it in the plan.
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
