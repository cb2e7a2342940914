import CSQLite
import NacreEngine

extension HomeError {
  /// Makes the error of a file that was used beside SQLite's own connections.
  ///
  /// - Parameters:
  ///   - code: The code of SQLite's file system.
  ///   - path: The file.
  init(code: Int32, path: String) {
    let kind: EngineErrorKind =
      switch code & 0xff {
      case SQLITE_BUSY: .busy
      case SQLITE_FULL: .full
      case SQLITE_READONLY: .readOnly
      case SQLITE_CANTOPEN: .cannotOpen
      default: .inputOutput
      }
    self.init(kind, "\(path): \(String(cString: sqlite3_errstr(code)))")
  }
}
