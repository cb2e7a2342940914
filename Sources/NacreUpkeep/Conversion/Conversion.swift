import Foundation
import NacreCrypto
import NacreSQLite
package import NacreStore

/// Gives the rows of one property another form, in batches that each move the journal's cursor in their transaction:
/// it can be killed at any instruction and goes on where it was.
///
/// The old column stays as it is until the new one is whole and was read back; nobody can use the entity meanwhile.
///
/// The conversions of one call are begun in one transaction, prepared one after the other, and exchanged in one
/// transaction. So there are three states, whenever it stops:
/// - Before the exchange (`converting`, `verifying`) every property lies in its old column, under a name that is held. The
///   next call goes on, or all of them are taken back; then the class of before can be used again.
/// - After it (`clearing`) every property is as the new class declares it, and the new class can be used. The next call
///   clears the file of what the old columns held. A class of before asks for the conversions back by `migrate`.
/// - `done` or `abandoned`: nothing is left to do.
package final class Conversion {
  package enum Phase: String {
    /// Rows are given their new cells.
    case converting
    /// Every new cell is read back and compared with the old one.
    case verifying
    /// The columns are exchanged; what is left of the old cells is taken out of the file.
    case clearing
    case done, abandoned
  }

  private static let batchSize: Int64 = 500
  /// How often the rows are read back before somebody else must be changing them.
  private static let passLimit = 5

  let store: Store
  package let place: ConversionPlace
  let from: ConversionForm
  package let to: ConversionForm
  private var journal: RotationJournal
  let sql: ConversionSQL

  /// - Throws: `schemaMismatch` for a row of the journal that does not fit the catalog; `catalogTampered`.
  init(_ journal: RotationJournal, on database: Database) throws {
    try database.refuseForeignCatalog()
    let entity = try CatalogEntity.named(journal.entity ?? "", on: database.connection)
    let property = entity.properties.first { $0.name == journal.property }
    guard let phase = Phase(rawValue: journal.phase), let property, let held = property.column,
      phase == .clearing || held.hasSuffix(ConversionSQL.heldSuffix)
    else {
      throw NacreError(
        .schemaMismatch,
        entity: entity.name,
        detail: "the journal does not fit its properties and columns"
      )
    }
    store = database.home
    place = ConversionPlace(entity: entity.name, property: property.name)
    from = try ConversionForm(json: journal.origin)
    to = try ConversionForm(json: journal.goal)
    self.journal = journal
    // The catalog has the column under the name that it bears meanwhile.
    let suffix = phase == .clearing ? 0 : ConversionSQL.heldSuffix.count
    sql = ConversionSQL(table: entity.table, column: String(held.dropLast(suffix)))
  }

  var phase: Phase? { Phase(rawValue: journal.phase) }

  /// The conversion, in the words of a plan.
  package var change: SealingChange {
    SealingChange(
      entity: place.entity,
      property: place.property,
      stored: CatalogProperty.storedForm(from.sealing),
      wanted: CatalogProperty.storedForm(to.sealing),
      done: Int(journal.done),
      total: Int(journal.total)
    )
  }

  // MARK: - Going on

  /// Converts the rows and reads them back, until the new column is whole; the old one stays the property's.
  ///
  /// - Parameter progress: called after each batch; false stops there.
  /// - Returns: whether it came to the end; true where the columns are exchanged already.
  /// - Throws: what a cell that can't be read throws, with its place; `busy` where the rows keep changing.
  func prepare(_ progress: (MigrationProgress) -> Bool) throws -> Bool {
    var isClean = true
    var passes = 0
    // Always a whole one: what was found before a stop or a kill is not known any more.
    if phase == .verifying { (journal.cursor, journal.done) = (nil, 0) }
    while phase == .converting || phase == .verifying {
      let batch = try store.write { try convert(on: $0) }
      isClean = isClean && (batch.changed == 0 || phase == .converting)
      if batch.count > 0 {
        guard report(progress) else { return false }
      } else if phase == .converting || !isClean {
        passes += 1
        guard passes <= Self.passLimit else {
          throw NacreError(
            .busy,
            entity: place.entity,
            property: place.property,
            detail: "other connections keep changing its rows"
          )
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

  private struct Row {
    let identity: ObjectID
    let cell: Value
    let index: Value
  }

  /// Converts the next batch, or reads it back and converts what is not as it should be.
  private func convert(on database: Database) throws -> (count: Int, changed: Int) {
    let (rows, last, count) = try read(on: database)
    let update = try database.connection.cached(sql.update(to))
    for row in rows {
      try row.identity.bind(to: update, at: 1)
      try update.bind(row.cell, at: 2)
      if to.index != nil { try update.bind(row.index, at: 3) }
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

  private func read(on database: Database) throws -> (rows: [Row], last: Data, count: Int) {
    let old = try ConversionCodec(place, from, on: database)
    let new = try ConversionCodec(place, to, on: database)
    let cursor = journal.cursor ?? Data()
    var (rows, last, count) = ([Row](), cursor, 0)
    let text = sql.select(to)
    try database.each(text, [.blob(cursor), .integer(Self.batchSize)]) { row in
      let identity = try ObjectID.read(from: row, at: 0)
      last = identity.data
      count += 1
      do {
        let value = try old.value(row, at: 1, identity)
        let token = try new.token(value)
        if phase == .verifying, row.value(at: 3) == token,
          try isSame(new.value(row, at: 2, identity), value)
        {
          return
        }
        rows.append(Row(identity: identity, cell: try new.cell(value, identity), index: token))
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

  /// Whether a cell came back as it was; SQLite keeps no sign of a zero in a plain column.
  private func isSame(_ found: Value, _ value: Value) -> Bool {
    if case (.real(let found), .real(let value)) = (found, value), !to.isSealed {
      return found == value
    }
    return found.indexed(.exact) == value.indexed(.exact)
  }

  // MARK: - Journal

  /// Moves the journal; in memory, too, unless the transaction is rolled back.
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
      if phase == .verifying { journal.done = 0 }
    }
  }

  func end(_ phase: Phase, on database: Database) throws {
    try write(on: database) { journal in
      (journal.phase, journal.cursor) = (phase.rawValue, nil)
      journal.finished = Int64(clamping: StoreKeys.now())
    }
  }
}
