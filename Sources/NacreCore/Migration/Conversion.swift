import Foundation
import NacreCrypto
import NacreSQLite

/// Gives the rows of one property another form, in batches that each move the journal's cursor in their transaction:
/// it can be killed at any instruction and goes on where it was.
///
/// The old column stays as it is until the new one is whole and was read back; nobody can use the entity meanwhile.
final class Conversion {
  enum Phase: String {
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

  private let store: Store
  let place: ConversionPlace
  let from: ConversionForm
  let to: ConversionForm
  private var journal: RotationJournal
  private let sql: ConversionSQL

  /// - Throws: `schemaMismatch` for a row of the journal that does not fit the catalog; `catalogTampered`.
  init(_ journal: RotationJournal, on database: Database) throws {
    try database.refuseForeignCatalog()
    let entity = try CatalogEntity.named(journal.entity ?? "", on: database.connection)
    let property = entity.properties.first { $0.name == journal.property }
    guard let phase = Phase(rawValue: journal.phase), let property, let held = property.column,
      phase == .clearing || held.hasSuffix(ConversionSQL.heldSuffix)
    else {
      throw NacreError(.schemaMismatch, entity: entity.name, detail: "the journal is not its")
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

  /// What is being done, in words.
  var change: SealingChange {
    SealingChange(
      entity: place.entity,
      property: place.property,
      stored: CatalogProperty.storedForm(from.sealing),
      wanted: CatalogProperty.storedForm(to.sealing),
      done: Int(journal.done),
      total: Int(journal.total)
    )
  }

  /// Goes on to the end.
  ///
  /// - Parameter progress: called after each batch; false stops there.
  /// - Returns: whether it came to the end.
  /// - Throws: `constraint`, with everything taken back; what a cell that can't be read throws, with its place.
  func run(_ progress: (MigrationProgress) -> Bool) throws -> Bool {
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
            detail: "its rows keep changing"
          )
        }
        isClean = true
        try store.write { try enter(.verifying, on: $0) }
      } else {
        try exchange()
      }
    }
    guard report(progress) else { return false }
    try clear()
    return true
  }

  private func report(_ progress: (MigrationProgress) -> Bool) -> Bool {
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

  private func enter(_ phase: Phase, on database: Database) throws {
    try write(on: database) { journal in
      (journal.phase, journal.cursor) = (phase.rawValue, nil)
      if phase == .verifying { journal.done = 0 }
    }
  }

  private func end(_ phase: Phase, on database: Database) throws {
    try write(on: database) { journal in
      (journal.phase, journal.cursor) = (phase.rawValue, nil)
      journal.finished = Int64(clamping: StoreKeys.now())
    }
  }

  // MARK: - Ends

  /// Puts the new column in the old one's place, in one transaction, and tells every process to look again.
  ///
  /// Where two objects have a value that no two may have, everything is taken back: to change one, the entity must be usable.
  private func exchange() throws {
    do {
      try store.read { try refuseTwins(on: $0) }
    } catch let error as NacreError where error.code == .constraint {
      try abandon()
      throw error
    }
    try store.write { database in
      for statement in sql.exchange(from: from, to: to) + sql.makeIndex(to) {
        try database.connection.execute(statement)
      }
      try rewriteCatalog(on: database)
      try enter(.clearing, on: database)
      try database.replaceRing(by: store.keys.unlocked().renumbered())
    }
    store.noteSealedColumns(
      table: sql.table,
      column: sql.column,
      isSealed: to.isSealed,
      hasIndex: to.index != nil
    )
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

  /// Takes the old cells out of free pages and the log: with them the plaintext, where it was plain.
  private func clear() throws {
    let isPlain = !from.isSealed
    if isPlain { try store.withWriterForLong { try $0.connection.execute(RotationSQL.vacuum) } }
    guard try store.emptyLog() else {
      throw NacreError(
        .busy,
        detail: "somebody reads the store as it was; migrate again when they are done"
      )
    }
    try store.write { try end(.done, on: $0) }
  }

  /// Takes back what was done, as long as the columns are not exchanged.
  func abandon() throws {
    try store.write { database in
      for statement in sql.abandon(to) { try database.connection.execute(statement) }
      try database.changeCatalog(
        ConversionSQL.setColumn,
        [.text(place.entity), .text(place.property), .text(sql.column)]
      )
      try end(.abandoned, on: database)
      try database.replaceRing(by: store.keys.unlocked().renumbered())
    }
  }
}
