#if PostgreSQL
/// The channel by which commits to a store's schema are told, and the lock by which a writer learns whether anybody listens.
///
/// A listener has the lock, shared, for as long as its session lasts, and takes it before it listens and reads. A writer
/// tries to take it alone when it commits. If it can't, somebody may listen, and it tells. If it can, nobody has begun to
/// listen, and whoever begins meanwhile gets the lock after the commit, and reads what was committed. So nobody misses a
/// commit, and a store that nobody observes does not wait for the lock over the whole server that NOTIFY takes.
///
/// On a server without such locks each commit tells. Whoever begins to listen reads after that what was committed before.
struct ChangeChannel: Equatable {
  /// Selects the number of the schema.
  static let selectSchema = "quote_ident(current_schema())::regnamespace::oid"
  /// The first half of the lock's number, which tells it from an application's own: the bytes of `nacr`.
  private static let lockClass = 0x6E61_6372

  /// The schema's number, its oid.
  let schema: UInt32
  /// Whether the server has advisory locks.
  let hasLocks: Bool

  /// The channel's name.
  var name: String { "nacre_\(schema)" }
  private var lock: String { "\(Self.lockClass), \(Int32(bitPattern: schema))" }

  /// The statements after which a session listens.
  var listen: String {
    (hasLocks ? "SELECT pg_advisory_lock_shared(\(lock)); " : "") + "LISTEN \(name)"
  }

  /// Returns an expression that tells of the open transaction when it is committed, if anybody may listen.
  ///
  /// - Parameter token: The store's own token, by which it knows its own commits again. It is all that is told.
  /// - Returns: The expression of an empty text.
  func tell(_ token: String) -> String {
    let notice = "pg_notify('\(name)', '\(token)')::text"
    return hasLocks
      ? "CASE WHEN pg_try_advisory_xact_lock(\(lock)) THEN '' ELSE \(notice) END" : notice
  }
}
#endif
