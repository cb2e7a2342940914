#if PostgreSQL
extension PostgresSettings {
  /// How long a pool between a store and its server, such as pgbouncer, lends a session of the server to a client.
  public enum PoolMode: Sendable, Equatable {
    /// The store looks whether a pool has answered in the server's place; if so, it takes it for one in transaction mode.
    case detected
    /// Until the client leaves, as with `pool_mode=session`; also where there is no pool.
    ///
    /// Statements are then prepared once. A transaction that finds itself in another session is refused.
    case session
    /// For a transaction, as with `pool_mode=transaction`.
    case transaction
  }
}
#endif
