import CSQLite
package import NacreEngine

// The other methods are the protocol's as they stand.
extension Statement: PreparedStatement {
  package func send(_ write: PendingWrite) throws {
    switch write {
    case .row(_, let failure):
      do throws(SQLiteError) { try run() } catch { throw failure(error) }
      if changes == 0 { throw failure(nil) }
    case .rows(let ended):
      try run()
      ended?(changes)
    }
  }

  package func readInPortions() {}

  /// The number of rows that the statement has changed, right after its end.
  private var changes: Int { Int(sqlite3_changes64(sqlite3_db_handle(handle))) }
}
