import Foundation
import NacreCrypto
import NacreSQLite

/// A row of `nacre_rotation`: how far a rotation or conversion is, moved in the transactions that move it.
struct RotationJournal {
  let id: Int64
  /// What is done: of a rotation, the purposes, joined by `+`.
  let kind: String
  /// The keys that were primary, and their successors.
  let from: [KeyID]
  let to: [KeyID]
  /// The entity whose table is gone through, and the objectID behind which the next batch begins.
  var entity: String?
  var cursor: Data?
  var phase: String
  var done: Int64
  var total: Int64
  var failed: Int64
  /// Milliseconds since 1970, like the two below.
  let started: Int64
  var updated: Int64
  var finished: Int64?

  /// Whether the new keys are still to be made primary.
  var isPending: Bool { phase == RotationPhase.pending.rawValue }

  /// Writes a new row, whose phase is `pending`.
  static func begin(
    _ kind: String,
    from: [KeyID],
    to: [KeyID],
    total: Int64,
    on connection: Connection
  ) throws -> RotationJournal {
    let now = Int64(clamping: StoreKeys.now())
    let phase = RotationPhase.pending.rawValue
    try connection.run(
      RotationSQL.insert,
      [
        .text(kind), .text(text(from)), .text(text(to)), .text(phase), .integer(total),
        .integer(now),
      ]
    )
    return RotationJournal(
      id: connection.lastInsertRowID,
      kind: kind,
      from: from,
      to: to,
      phase: phase,
      done: 0,
      total: total,
      failed: 0,
      started: now,
      updated: now
    )
  }

  /// Writes all that can change.
  mutating func write(on connection: Connection) throws {
    updated = Int64(clamping: StoreKeys.now())
    try connection.run(
      RotationSQL.update,
      [
        .integer(id), entity.map(Value.text) ?? .null, cursor.map(Value.blob) ?? .null,
        .text(phase), .integer(done), .integer(total), .integer(failed), .integer(updated),
        finished.map(Value.integer) ?? .null,
      ]
    )
  }

  /// The same behind a batch.
  func moved(by tally: TablePass.Tally, failures: Int) -> RotationJournal {
    var next = self
    next.cursor = tally.cursor ?? cursor
    next.done += Int64(tally.rowCount)
    next.failed += Int64(failures)
    return next
  }

  /// The one that goes on, or nil.
  static func unfinished(on connection: Connection) throws -> RotationJournal? {
    try read(RotationSQL.unfinished, on: connection)
  }

  /// The one that goes on, or else the last one, or nil.
  static func latest(on connection: Connection) throws -> RotationJournal? {
    try read(RotationSQL.latest, on: connection)
  }

  private static func read(_ sql: String, on connection: Connection) throws -> RotationJournal? {
    // A store that is only read may be of before there were rotations.
    guard try connection.has("nacre_rotation") else { return nil }
    var found: RotationJournal?
    try connection.each(sql, []) { row in
      guard found == nil else { return }
      found = RotationJournal(
        id: row.int64(at: 0),
        kind: row.text(at: 1),
        from: ids(row.text(at: 2)),
        to: ids(row.text(at: 3)),
        entity: row.string(at: 4),
        cursor: row.bytes(at: 5).map { Data($0) },
        phase: row.text(at: 6),
        done: row.count(at: 7),
        total: row.count(at: 8),
        failed: row.count(at: 9),
        started: row.int64(at: 10),
        updated: row.int64(at: 11),
        finished: row.integer(at: 12)
      )
    }
    return found
  }

  private static func text(_ ids: [KeyID]) -> String {
    ids.map(\.description).joined(separator: " ")
  }

  private static func ids(_ text: String) -> [KeyID] {
    text.split(separator: " ").compactMap { KeyID(String($0)) }
  }
}

extension Statement {
  /// A count, as whoever wrote to the file may have left it: no more than rows there can be.
  func count(at index: Int32) -> Int64 { min(max(int64(at: index), 0), 1 << 53) }
}
