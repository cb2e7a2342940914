import Foundation
import NacreCrypto
import NacreSQLite

/// Gives the rows of one property another form, in batches that each move the journal's cursor in their transaction:
/// it can be killed at any instruction and goes on where it was.
///
/// The old column stays as it is until the new one is whole and was read back; nobody can use the entity meanwhile.
final class Conversion {
  /// A row of `nacre_rotation`.
  struct Journal {
    let id: Int64
    let place: ConversionPlace
    let from: ConversionForm
    let to: ConversionForm
    var cursor: Data
    var phase: Phase
    var done: Int
    let total: Int
  }

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
  private(set) var journal: Journal
  private let sql: ConversionSQL

  init(_ journal: Journal, table: String, column: String, in store: Store) {
    self.store = store
    self.journal = journal
    sql = ConversionSQL(table: table, column: column)
  }

  /// What is being done, in words.
  var change: SealingChange {
    SealingChange(
      entity: journal.place.entity,
      property: journal.place.property,
      stored: CatalogProperty.storedForm(journal.from.sealing),
      wanted: CatalogProperty.storedForm(journal.to.sealing),
      done: journal.done,
      total: journal.total
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
    while journal.phase == .converting || journal.phase == .verifying {
      let batch = try store.write { try convert(on: $0) }
      isClean = isClean && (batch.changed == 0 || journal.phase == .converting)
      if batch.count > 0 {
        guard report(progress) else { return false }
      } else if journal.phase == .converting || !isClean {
        passes += 1
        guard passes <= Self.passLimit else {
          throw NacreError(
            .busy,
            entity: journal.place.entity,
            property: journal.place.property,
            detail: "its rows keep changing"
          )
        }
        isClean = true
        try enter(.verifying)
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
        phase: journal.phase.rawValue,
        done: journal.done,
        total: journal.total
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
    let update = try database.connection.cached(sql.update(journal.to))
    for row in rows {
      try row.identity.bind(to: update, at: 1)
      try update.bind(row.cell, at: 2)
      if journal.to.index != nil { try update.bind(row.index, at: 3) }
      try update.run()
    }
    if count > 0 { try move(to: last, journal.phase, journal.done + count, on: database) }
    return (count, rows.count)
  }

  private func read(on database: Database) throws -> (rows: [Row], last: Data, count: Int) {
    let old = try ConversionCodec(journal.place, journal.from, on: database)
    let new = try ConversionCodec(journal.place, journal.to, on: database)
    var (rows, last, count) = ([Row](), journal.cursor, 0)
    let text = sql.select(journal.to)
    try database.each(text, [.blob(journal.cursor), .integer(Self.batchSize)]) { row in
      let identity = try ObjectID.read(from: row, at: 0)
      last = identity.data
      count += 1
      do {
        let value = try old.value(row, at: 1, identity)
        let token = try new.token(value)
        if journal.phase == .verifying, row.value(at: 3) == token,
          try isSame(new.value(row, at: 2, identity), value)
        {
          return
        }
        rows.append(Row(identity: identity, cell: try new.cell(value, identity), index: token))
      } catch {
        throw located(error, identity)
      }
    }
    return (rows, last, count)
  }

  /// Whether a cell came back as it was; SQLite keeps no sign of a zero in a plain column.
  private func isSame(_ found: Value, _ value: Value) -> Bool {
    if case (.real(let found), .real(let value)) = (found, value), !journal.to.isSealed {
      return found == value
    }
    return found.indexed(.exact) == value.indexed(.exact)
  }

  private func located(_ error: any Error, _ identity: ObjectID) -> any Error {
    guard var error = NacreError.wrap(error) as? NacreError else { return error }
    error.entity = journal.place.entity
    error.property = journal.place.property
    error.objectID = identity.uuid
    return error
  }

  // MARK: - Journal

  private func move(
    to cursor: Data,
    _ phase: Phase,
    _ done: Int,
    on database: Database
  ) throws {
    try database.connection.run(
      ConversionSQL.move,
      [
        .integer(journal.id), .blob(cursor), .text(phase.rawValue), .integer(Int64(done)),
        .integer(Int64(StoreKeys.now())),
      ]
    )
    let former = journal
    database.undo.note { self.journal = former }
    (journal.cursor, journal.phase, journal.done) = (cursor, phase, done)
  }

  private func enter(_ phase: Phase) throws {
    try store.write { try move(to: Data(), phase, 0, on: $0) }
  }

  private func end(_ phase: Phase, on database: Database) throws {
    let now = Value.integer(Int64(StoreKeys.now()))
    try database.connection.run(
      ConversionSQL.end,
      [.integer(journal.id), .text(phase.rawValue), now]
    )
    journal.phase = phase
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
      for statement in sql.finish(from: journal.from, to: journal.to) {
        try database.connection.execute(statement)
      }
      try rewriteCatalog(on: database)
      try move(to: Data(), .clearing, journal.done, on: database)
      try database.replaceRing(by: store.keys.unlocked().renumbered())
    }
    store.noteSealedColumns(
      table: sql.table,
      column: sql.column,
      isSealed: journal.to.isSealed,
      hasIndex: journal.to.index != nil
    )
  }

  private func rewriteCatalog(on database: Database) throws {
    let rows = try CatalogEntity.properties(of: journal.place.entity, on: database.connection)
    guard var row = rows.first(where: { $0.name == journal.place.property }) else { return }
    row.column = sql.column
    row.sealing = journal.to.sealing
    row.isOptional = journal.to.acceptsNull
    try database.connection.run(
      CatalogSQL.insertProperty,
      row.arguments(entity: journal.place.entity)
    )
  }

  /// Names two objects with the same value, where no two may have it.
  private func refuseTwins(on database: Database) throws {
    guard journal.to.index?.isUnique == true else { return }
    try database.each(sql.twins, []) { row in
      let (first, second) = (
        try ObjectID.read(from: row, at: 0), try ObjectID.read(from: row, at: 1)
      )
      throw NacreError(
        .constraint,
        entity: journal.place.entity,
        property: journal.place.property,
        objectID: first.uuid,
        detail: "\(second) has the same value"
      )
    }
  }

  /// Takes the old cells out of free pages and the log: with them the plaintext, where it was plain.
  private func clear() throws {
    let isPlain = !journal.from.isSealed
    if isPlain { try store.withWriter { try $0.connection.execute(RotationSQL.vacuum) } }
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
      for statement in sql.abandon(journal.to) { try database.connection.execute(statement) }
      try database.connection.run(
        ConversionSQL.setColumn,
        [.text(journal.place.entity), .text(journal.place.property), .text(sql.column)]
      )
      try end(.abandoned, on: database)
      try database.replaceRing(by: store.keys.unlocked().renumbered())
    }
  }
}
