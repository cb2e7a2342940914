#if PostgreSQL
extension PostgresSettings {
  /// How long a pool between a store and its server, such as pgbouncer, lends a session of the server to a client.
  public enum PoolMode: Sendable, Equatable {
    /// The store looks: if another program has answered in the server's place, it may lend a session for a transaction.
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
