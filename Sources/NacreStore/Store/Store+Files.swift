import Foundation
import NacreSQLite

extension Store {
  /// Returns whether there is a file at `path`.
  public static func exists(at path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  /// Deletes the file at `path` and its write-ahead log; if a store is open there, close it first.
  ///
  /// - Throws: ``NacreError`` if a store in this process has the file open, or if the file can't be
  ///   deleted.
  public static func delete(at path: String) throws {
    if StoreTable.isOpen(path) {
      throw NacreError(.busy, detail: "\(path) is open in this process")
    }
    let files = [path, path + "-wal", path + "-shm", path + "-journal"]
    for file in files + [RotationLock.file(ofStoreAt: path)] where exists(at: file) {
      // Do not use FileManager here: it would delete a whole directory with everything in it.
      guard unlink(file) == 0 else {
        throw NacreError(.readOnly, detail: "\(file): \(lastSystemError())")
      }
    }
  }

  /// Copies the store's current state into a new file, while others go on reading and writing.
  ///
  /// - Throws: ``NacreError`` if `path` exists or can't be written.
  public func backup(to path: String) throws {
    try StoreFoundation.checkPath(path)
    guard !Store.exists(at: path) else {
      throw NacreError(.cannotOpen, detail: "\(path) exists already")
    }
    try withReader { database in
      let target = try Connection(
        path: path,
        mode: .create,
        configuration: settings.configuration
      )
      try database.connection.ofSQLite.backup(to: target)
      try target.close()
    }
  }
}
