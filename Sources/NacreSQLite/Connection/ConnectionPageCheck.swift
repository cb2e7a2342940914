import NacreEngine

/// Opens every page of a connection's database, beside others who read and write.
final class ConnectionPageCheck: PageChecking {
  private let connection: Connection
  private let state: SealedConnection
  private let pages: SealedPageCheck

  /// Makes a check; nil if the connection's pages are not sealed.
  init?(_ connection: Connection) throws(SQLiteError) {
    guard let state = SealedFileSystem.connection(try connection.opened()) else { return nil }
    self.connection = connection
    self.state = state
    pages = SealedPageCheck(state)
  }

  func check(from first: UInt32) throws -> PageFindings {
    var findings = PageFindings()
    // Without a log, nobody writes to the file while it is held for reading.
    try connection.begin(.deferred)
    defer { if connection.isInTransaction { try? connection.rollback() } }
    // Takes the lock and opens the log; a first page that does not open is found below.
    _ = try? connection.pragma("schema_version")
    try state.check(pages.look(from: first, &findings))
    guard findings.faults.contains(where: { $0.frame == nil }), state.hasLog else {
      return findings
    }
    // With a log, a checkpoint may have been writing these very pages.
    try connection.rollback()
    try lookAgain(&findings)
    return findings
  }

  private func lookAgain(_ findings: inout PageFindings) throws {
    let found = findings
    do {
      try connection.withoutCheckpoints(of: state) {
        try state.check(pages.lookAgain(&findings))
      }
    } catch {
      // Somebody holds the lock for long, or the first page itself does not open.
      findings = found
      try state.check(pages.lookAgain(&findings))
    }
  }

  func close() throws { try connection.close() }
}
