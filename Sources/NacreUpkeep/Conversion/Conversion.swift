import Foundation
import NacreCrypto
import NacreEngine
package import NacreStore

/// The conversion of one property's rows to another form, in batches.
///
/// Each batch moves the journal's cursor in the same transaction. If the process is killed at any
/// instruction, the conversion goes on where it was. The old column stays as it is until the new
/// one is complete and was read back. Nobody can use the entity meanwhile.
///
/// The conversions of one call begin in one transaction, are prepared one after another, and are
/// exchanged in one transaction. So whenever they stop, they are in one of three states:
/// - Before the exchange (`converting`, `verifying`), every property is in its old column, which
///   has a held name. The next call goes on, or all of the conversions are undone; then the former
///   class can be used again.
/// - After the exchange (`clearing`), every property is as the new class declares it, and the new
///   class can be used. The next call removes the content of the old columns from the file. A
///   former class asks for the reverse conversions by `migrate`.
/// - `done` or `abandoned`: nothing is left to do.
package final class Conversion {
  package enum Phase: String {
    /// The rows get their new cells.
    case converting
    /// Every new cell is read back and compared with the old one.
    case verifying
    /// The columns are exchanged; the rest of the old cells is removed from the file.
    case clearing
    case done, abandoned
  }

  private static let batchSize = 500
  /// How many times the rows are read back before the conversion gives up, because somebody keeps
  /// changing them.
  private static let passLimit = 5

  let store: Store
  package let place: ConversionPlace
  let from: ConversionForm
  package let to: ConversionForm
  private var journal: RotationJournal
  let sql: ConversionSQL

  /// Reads a conversion from its row of the journal.
  ///
  /// - Throws: `schemaMismatch` if the row of the journal does not fit the catalog;
  ///   `catalogTampered`.
  init(_ journal: RotationJournal, on database: Database) throws {
    try database.refuseForeignCatalog()
    let entity = try CatalogEntity.named(journal.place?.entity ?? "", on: database.connection)
    let property = entity.properties.first { $0.name == journal.place?.property }
    guard let phase = Phase(rawValue: journal.phase), let property, let held = property.column,
      phase == .clearing || held.hasSuffix(ConversionSQL.heldSuffix),
      case .conversion(_, let from, let to) = try journal.work()
    else {
      throw NacreError(
        .schemaMismatch,
        entity: entity.name,
        detail: "the journal does not fit its properties and columns"
      )
    }
    store = database.home
    place = ConversionPlace(entity: entity.name, property: property.name)
    (self.from, self.to) = (from, to)
    self.journal = journal
    // The catalog has the column's present name: until the exchange, that is the held name.
    let suffix = phase == .clearing ? 0 : ConversionSQL.heldSuffix.count
    sql = ConversionSQL(table: entity.table, column: String(held.dropLast(suffix)))
  }

  var phase: Phase? { Phase(rawValue: journal.phase) }

  /// The conversion as a plan describes it.
  package var change: SealingChange {
    SealingChange(place, from: from, to: to, done: Int(journal.done), total: Int(journal.total))
  }

  // MARK: - Going on

  /// Converts the rows and reads them back until the new column is complete; the property stays in
  /// the old column.
  ///
  /// - Parameter progress: called after each batch; if it returns false, the conversion stops
  ///   there.
  /// - Returns: false if `progress` stopped it; true if the new column is complete, or the columns
  ///   are already exchanged.
  /// - Throws: the error of a cell that can't be read, with its place; `busy` if the rows keep
  ///   changing.
  func prepare(_ progress: (MigrationProgress) -> Bool) throws -> Bool {
    var isClean = true
    var passes = 0
    // Read back every row again, because the findings from before a stop or a kill are lost.
    if phase == .verifying { (journal.cursor, journal.done) = (nil, 0) }
    while phase == .converting || phase == .verifying {
      let batch = try store.write { try convert(on: $0) }
      isClean = isClean && (batch.changed == 0 || phase == .converting)
      if batch.count > 0 {
        guard report(progress) else { return false }
      } else if phase == .converting || !isClean {
        passes += 1
        guard passes <= Self.passLimit else {
          throw NacreError(.busy, at: place, detail: "other connections keep changing its rows")
        }
        isClean = true
        try store.write { try enter(.verifying, on: $0) }
      } else {
        return true
      }
    }
    return true
  }

  func report(_ progress: (MigrationProgress) -> Bool) -> Bool {
    progress(
      MigrationProgress(
        change: change,
        phase: journal.phase,
        done: Int(journal.done),
        total: Int(journal.total)
      )
    )
  }

  // MARK: - Rows

  /// Converts the next batch, or reads it back and converts the rows that are wrong once more.
  private func convert(on database: Database) throws -> (count: Int, changed: Int) {
    let (rows, last, count) = try read(on: database)
    let update = try database.connection.cached(sql.update(to))
    for row in rows {
      try update.bindAll(row)
      try update.run()
    }
    if count > 0 {
      try write(on: database) { journal in
        journal.cursor = last
        journal.done += Int64(count)
      }
    }
    return (count, rows.count)
  }

  /// Returns objectID and new cells of each row that has to be written, the last key, and how many
  /// rows it has read.
  private func read(on database: Database) throws -> (rows: [[Value]], last: Data, count: Int) {
    let old = try ConversionCodec(place, from, on: database)
    let new = try ConversionCodec(place, to, on: database)
    var (rows, last, count) = ([[Value]](), journal.cursor ?? Data(), 0)
    let dialect = database.connection.dialect
    let walk = TableWalk(table: sql.table, columns: sql.columns(to), dialect)
    let position = RowKey.objectID.position(journal.cursor)
    _ = try walk.next(after: position, limit: Self.batchSize, on: database.connection) { row in
      let identity = try ObjectID.read(from: row, at: 0)
      last = identity.data
      count += 1
      do {
        let value = try old.value(row, at: 1, identity)
        if phase == .verifying, try to.index == nil || row.value(at: 3) == new.token(value),
          try isSame(new.value(row, at: 2, identity), value)
        {
          return true
        }
        rows.append([.blob(identity.data)] + (try new.cells(value, identity)))
        return true
      } catch {
        throw NacreError.wrap(
          error,
          entity: place.entity,
          property: place.property,
          objectID: identity.uuid
        )
      }
    }
    return (rows, last, count)
  }

  /// Returns whether a cell came back as it was; SQLite keeps no sign of a zero in a plain column.
  private func isSame(_ found: Value, _ value: Value) -> Bool {
    if case (.real(let found), .real(let value)) = (found, value), !to.isSealed {
      return found == value
    }
    return found.indexed(.exact) == value.indexed(.exact)
  }

  // MARK: - Journal

  /// Changes the row of the journal, in the file and in memory; a rollback undoes both.
  private func write(
    on database: Database,
    _ change: (inout RotationJournal) -> Void
  ) throws {
    var next = journal
    change(&next)
    try next.write(on: database)
    let former = journal
    database.undo.note { self.journal = former }
    journal = next
  }

  func enter(_ phase: Phase, on database: Database) throws {
    try write(on: database) { journal in
      (journal.phase, journal.cursor) = (phase.rawValue, nil)
      switch phase {
      case .verifying: journal.done = 0
      case .done, .abandoned: journal.finish()
      case .converting, .clearing: break
      }
    }
  }
}
