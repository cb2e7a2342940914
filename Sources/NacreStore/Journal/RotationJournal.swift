package import Foundation
package import NacreCrypto
import NacreEngine

/// A row of `nacre_rotation`: the progress of a rotation or conversion, written in the transactions
/// that make it.
package struct RotationJournal: Equatable {
  package let id: Int64
  /// The kind of work, as the file names it.
  package let kind: String
  // The texts that ``work()`` reads; the MAC covers them as they are.
  private let origin: String
  private let goal: String
  private let property: String?
  /// The entity whose table is being processed; `cursor` is the key after which the next batch
  /// begins.
  ///
  /// A VACUUM by somebody else can give a table other rowids meanwhile; the later scan starts at
  /// the beginning and finds rows that were missed.
  package var entity: String?
  package var cursor: Data?
  package var phase: String
  package var done: Int64 = 0
  package var total: Int64
  package var failed: Int64 = 0
  /// In milliseconds since 1970, like the next two.
  package let started: Int64
  package var updated: Int64
  package var finished: Int64?

  /// The keys that a rotation replaces, and their successors.
  package var from: [KeyID] { JournalWork.ids(origin) }
  package var to: [KeyID] { JournalWork.ids(goal) }

  /// The property that a conversion converts; nil if the row describes no conversion.
  package var place: ConversionPlace? {
    guard JournalWork.conversions.contains(kind), let entity, let property else { return nil }
    return ConversionPlace(entity: entity, property: property)
  }

  /// Returns what the row describes.
  ///
  /// - Throws: `rotationUnfinished` for a kind, and `schemaMismatch` for a form of rows, that this
  ///   version does not know.
  package func work() throws -> JournalWork {
    if let place {
      let forms = (try ConversionForm(json: origin), try ConversionForm(json: goal))
      return .conversion(place, from: forms.0, to: forms.1)
    }
    guard let purposes = JournalWork.rotations[kind] else { throw unfinishedError }
    return .rotation(purposes, from: from, to: to)
  }

  /// The error for a rotation that the caller did not ask for.
  package var unfinishedError: NacreError {
    NacreError(.rotationUnfinished, detail: "the rotation that was begun is of kind \(kind)")
  }

  /// Writes a new row.
  package static func begin(
    _ work: JournalWork,
    phase: String,
    total: Int64,
    on database: Database
  ) throws -> RotationJournal {
    let now = Int64(clamping: CreationTime.now())
    let (kind, origin, goal) = try work.texts
    let arguments: [Value] = [
      .text(kind), .text(origin), .text(goal), work.place.map { .text($0.property) } ?? .null,
      .text(phase), .integer(now),
    ]
    try database.connection.run(RotationSQL.insert, arguments)
    // If a trigger prevented the insert, the last inserted id would be that of another row.
    guard database.connection.changes == 1 else { throw notAsWritten }
    var journal = RotationJournal(
      id: database.connection.lastInsertRowID,
      kind: kind,
      origin: origin,
      goal: goal,
      property: work.place?.property,
      entity: work.place?.entity,
      phase: phase,
      total: total,
      started: now,
      updated: now
    )
    // The MAC covers the id that SQLite gave the row.
    try journal.write(on: database)
    return journal
  }

  /// Ends the work; nobody goes on with a finished row.
  package mutating func finish() { finished = Int64(clamping: CreationTime.now()) }

  /// Writes everything that can change, and reads the row back, because the next step relies on it.
  ///
  /// On a server it renews the lease first, so that a rotation writes nothing once another machine has begun to go on
  /// with it.
  ///
  /// - Throws: `ringTampered` if the row is gone, or something in the file changed it; `rotationHeld` if the lease has
  ///   gone to another process.
  package mutating func write(on database: Database) throws {
    try database.home.renewLease(on: database.connection)
    updated = Int64(clamping: CreationTime.now())
    (done, total, failed) = (done.asRowCount, total.asRowCount, failed.asRowCount)
    // A finished row needs no MAC, because nothing relies on it any more.
    let mac: Value =
      finished == nil
      ? .blob(Data(try database.home.keys.unlocked().mac(of: record))) : .null
    try database.connection.run(
      RotationSQL.update,
      [
        .integer(id), entity.map(Value.text) ?? .null, cursor.map(Value.blob) ?? .null,
        .text(phase), .integer(done), .integer(total), .integer(failed), .integer(updated),
        finished.map(Value.integer) ?? .null, mac,
      ]
    )
    guard database.connection.changes == 1 else { throw RotationJournal.notAsWritten }
    let written = try database.connection.rows(RotationSQL.one, [.integer(id)]) {
      (journal: RotationJournal($0), mac: $0.value(at: 14))
    }
    guard written.count == 1, written[0].journal == self, written[0].mac == mac else {
      throw RotationJournal.notAsWritten
    }
  }

  private static var notAsWritten: NacreError { RingTable.notAsWritten("the journal's row") }
}

// MARK: - Reading

extension RotationJournal {
  /// The fields that decide the next step, which the MAC covers.
  private var record: JournalRecord {
    JournalRecord(
      id: id,
      kind: kind,
      from: origin,
      to: goal,
      entity: entity,
      property: property,
      phase: phase,
      cursor: cursor.map { Array($0) }
    )
  }

  /// Throws if somebody else wrote or changed the row; whoever continues the work does what the row
  /// says.
  ///
  /// - Throws: `ringTampered`.
  package func verify(on database: Database) throws {
    let ring = try database.home.followedRing(on: database)
    guard let fault = try fault(by: ring, on: database) else { return }
    throw NacreError(
      .ringTampered,
      detail: "row \(id) of nacre_rotation, the journal of rotations, does not match its MAC",
      advice:
        "Someone wrote or changed the row: `clearJournal()`, or "
        + "`nacre rotate --clear-journal`, clears it if nothing is lost by that.",
      cause: fault
    )
  }

  /// Returns whether a holder of the ring's store key wrote the row as it is.
  package func isBelieved(by ring: KeyRing, on database: Database) throws -> Bool {
    try fault(by: ring, on: database) == nil
  }

  /// Compares the row with its MAC; returns the error if they don't match.
  private func fault(by ring: KeyRing, on database: Database) throws -> CryptoError? {
    let found = try database.scalar(RotationSQL.selectMAC, [.integer(id)])
    let mac: [UInt8]? = if case .blob(let bytes)? = found { Array(bytes) } else { nil }
    do throws(CryptoError) {
      try ring.verify(record, mac: mac)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the unfinished row, or the first of several conversions, after verifying all
  /// unfinished rows; nil if there is none.
  ///
  /// - Throws: `ringTampered`.
  package static func believed(on database: Database) throws -> RotationJournal? {
    let journals = try unfinished(on: database.connection)
    for journal in journals { try journal.verify(on: database) }
    return journals.first
  }

  /// Returns the unfinished rows without verifying them: one rotation, or the conversions of one
  /// call.
  package static func unfinished(on connection: any EngineConnection) throws -> [RotationJournal] {
    try read(RotationSQL.unfinished, on: connection)
  }

  /// Throws if rows of an entity are being converted, so that their cells are in two columns.
  ///
  /// - Throws: `migrationPending`, with the property.
  package static func refuseConversions(on connection: any EngineConnection) throws {
    guard let place = try unfinished(on: connection).lazy.compactMap(\.place).first else { return }
    throw NacreError(.migrationPending, entity: place.entity, property: place.property)
  }

  /// Returns the unfinished row, or else the last one; nil if there is none.
  package static func latest(on connection: any EngineConnection) throws -> RotationJournal? {
    try read(RotationSQL.latest, on: connection).first
  }

  private static func read(
    _ sql: String,
    _ arguments: [Value] = [],
    on connection: any EngineConnection
  ) throws -> [RotationJournal] {
    // A store that is only read may come from a version without rotations.
    guard try connection.has("nacre_rotation") else { return [] }
    return try connection.rows(sql, arguments) { RotationJournal($0) }
  }

  private init(_ row: any PreparedStatement) {
    id = row.int64(at: 0)
    kind = row.text(at: 1)
    origin = row.text(at: 2)
    goal = row.text(at: 3)
    entity = row.string(at: 4)
    property = row.string(at: 5)
    cursor = row.bytes(at: 6).map { Data($0) }
    phase = row.text(at: 7)
    done = row.int64(at: 8).asRowCount
    total = row.int64(at: 9).asRowCount
    failed = row.int64(at: 10).asRowCount
    started = row.int64(at: 11)
    updated = row.int64(at: 12)
    finished = row.integer(at: 13)
  }
}
