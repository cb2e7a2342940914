import NacreSQLite

/// A rotation or conversion that was begun and is not done, as the journal has it.
struct UnfinishedWork {
  let kind: String
  let entity: String?
  let property: String?
  let phase: String
  let done: Int64
  let total: Int64

  /// Whether it changes what a property's rows look like; a rotation leaves them readable throughout.
  var isConversion: Bool { ["seal", "unseal", "reseal"].contains(kind) }

  static func all(on connection: Connection) throws -> [UnfinishedWork] {
    // A store that is only read may be older than the journal.
    guard try connection.has("nacre_rotation") else { return [] }
    var all: [UnfinishedWork] = []
    try connection.each(VerifySQL.unfinished, []) { row in
      all.append(
        UnfinishedWork(
          kind: row.text(at: 0),
          entity: row.isNull(at: 1) ? nil : row.text(at: 1),
          property: row.isNull(at: 2) ? nil : row.text(at: 2),
          phase: row.text(at: 3),
          done: row.int64(at: 4),
          total: row.int64(at: 5)
        )
      )
    }
    return all
  }
}
