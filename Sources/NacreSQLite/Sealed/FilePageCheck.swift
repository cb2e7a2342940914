import CSQLite
package import NacreEngine

/// Opens every page of a sealed file that SQLite itself may be unable to open.
///
/// It has the file open on its own. Without SQLite's index of the log, it takes the frames that open for
/// committed.
package final class FilePageCheck: PageChecking {
  private let connection: SealedConnection
  private let pages: SealedPageCheck

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - sealer: The unlocked keys of its header.
  /// - Throws: `HomeError` if there is no such file; an error of the sealer.
  package init(path: String, sealer: any PageSealer) throws {
    let name = FileName(path)
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB
    switch BaseFile.open(nil, keeping: name, flags, nil) {
    case .failure(let failure): throw HomeError(code: failure.code, path: path)
    case .success(let base):
      do {
        connection = try SealedConnection(sealer, on: base, path: path)
      } catch {
        _ = base.close()
        throw error
      }
    }
    pages = SealedPageCheck(connection)
  }

  package func check(from first: UInt32) throws -> PageFindings {
    var findings = PageFindings()
    // Keeps a writer without a log from the pages; if one is just writing, its pages are read anyway.
    let isLocked = connection.base.lock(SQLITE_LOCK_SHARED) == SQLITE_OK
    defer { if isLocked { _ = connection.base.unlock(to: SQLITE_LOCK_NONE) } }
    try checked(pages.look(from: first, &findings))
    if findings.faults.contains(where: { $0.frame == nil }) {
      try checked(pages.lookAgain(&findings))
    }
    return findings
  }

  private func checked(_ result: Int32) throws {
    guard result != SQLITE_OK else { return }
    throw connection.fault.map { $0.cause ?? HomeError(.inputOutput, $0.message) }
      ?? HomeError(.inputOutput, String(cString: sqlite3_errstr(result)))
  }

  package func close() throws { _ = connection.base.close() }
}
