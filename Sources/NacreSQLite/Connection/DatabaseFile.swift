import CSQLite
import Foundation
import Synchronization

/// Functions on the database file that run outside SQLite.
enum DatabaseFile {
  // Closing a descriptor drops every POSIX lock that the process has on the file. So no connection
  // of ours may open a file between its creation here and the close.
  private static let creation = Mutex(())

  static func isInMemory(_ path: String) -> Bool {
    path.isEmpty || path == ":memory:"
  }

  /// The path for SQLite, which would read a leading `file:` as a URI.
  static func verbatim(_ path: String) -> String {
    path.hasPrefix("file:") ? "./" + path : path
  }

  /// The URI that tells SQLite that nobody changes the file.
  static func immutable(_ path: String) -> String { uri(path) + "?immutable=1" }

  /// The path as a URI without parameters.
  static func uri(_ path: String) -> String {
    let name = path.utf8.map { byte in
      let digits = String(byte, radix: 16)
      return "%" + (digits.count < 2 ? "0" : "") + digits
    }
    return "file:" + name.joined()
  }

  /// Returns the path of the file that a path leads to by symbolic links.
  static func resolved(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  /// Whether the file of an open connection has no rollback journal beside it, or an empty one.
  static func hasNoJournal(_ handle: OpaquePointer) -> Bool {
    // The journal's name is nil if there is no file, and then there is no journal either.
    guard let name = sqlite3_db_filename(handle, "main"), name.pointee != 0,
      let journal = sqlite3_filename_journal(name)
    else { return true }
    let path = String(cString: journal)
    if path.hasPrefix(MemoryDatabase.pathPrefix) {
      return MemoryDatabase.file(at: path).map { $0.size == 0 } ?? true
    }
    let isSealed = SealedFileSystem.isSealed(handle)
    var status = stat()
    if stat(isSealed ? SealedFileSystem.nameOnDisk(path) : path, &status) != 0 {
      return errno == ENOENT
    }
    return status.st_size == 0
  }

  /// Whether a file has a single byte.
  ///
  /// SQLite takes such a file for an empty one, because on some file systems it writes a byte into a new database
  /// itself (os_unix.c, findInodeInfo). So it would overwrite somebody's file.
  static func hasOneByte(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size == 1
  }

  /// Makes an empty file of mode 0600 if there is none, and leaves an existing one alone.
  ///
  /// - Throws: SQLITE_CANTOPEN.
  static func createIfMissing(_ path: String) throws(SQLiteError) {
    let failure = creation.withLock { _ -> Int32 in
      let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
      guard descriptor < 0 else {
        close(descriptor)
        return 0
      }
      return errno == EEXIST ? 0 : errno
    }
    guard failure != 0 else { return }
    throw SQLiteError(
      extendedCode: SQLITE_CANTOPEN,
      message: "the file cannot be made (errno \(failure))"
    )
  }

  /// Waits until no file is between its creation and the close of its descriptor.
  static func awaitCreations() {
    creation.withLock { _ in }
  }
}
