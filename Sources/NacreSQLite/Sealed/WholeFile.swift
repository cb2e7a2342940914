import CSQLite
import Foundation
import NacreEngine

/// A file that was made as a whole under another name, and is to get its own.
///
/// So a file under the name is there with all of it, also after a power cut.
struct WholeFile {
  /// The name under which it was made.
  let partial: String
  /// The name that it is to have.
  let path: String

  /// Gives the file its name, unless another file has that, and waits until the disk knows it.
  ///
  /// - Returns: Whether the file has the name; false if another one has it.
  /// - Throws: `HomeError`; after a failure to wait, the file has its name.
  func takeName() throws -> Bool {
    guard link(partial, path) == 0 else {
      if errno == EEXIST { return false }
      // Some file systems have no second names.
      guard try rename() else { return false }
      try Self.syncDirectory(of: path)
      return true
    }
    let deleted = SealedFileSystem.delete(FileName(partial), syncsDirectory: true)
    guard deleted == SQLITE_OK else { throw HomeError(code: deleted, path: path) }
    return true
  }

  /// Gives the file its name where it can't have two at once; false if another file has the name.
  func rename() throws -> Bool {
    if nacre_sqlite_rename_to_free_name(partial, path) == 0 { return true }
    switch errno {
    case EEXIST: return false
    case EINVAL, ENOSYS, ENOTSUP: return try renameOverEmptyFile()
    default: throw failure
    }
  }

  /// Lets an empty file hold the name for a moment, so that nobody's file is replaced.
  ///
  /// A process that opens it meanwhile would have a file without a name, but no file system that a store should be on
  /// lacks both second names and this kind of renaming.
  func renameOverEmptyFile() throws -> Bool {
    let holder = Foundation.open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard holder >= 0 else {
      guard errno == EEXIST else { throw failure }
      return false
    }
    Foundation.close(holder)
    if Foundation.rename(partial, path) == 0 { return true }
    let failure = failure
    unlink(path)
    throw failure
  }

  /// Makes an empty file that only its owner can read, under a name that nobody has.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - path: The path that an error names, where the file's is one that nobody knows.
  /// - Throws: `HomeError`.
  static func makeEmpty(_ file: String, for path: String) throws {
    let descriptor = Foundation.open(file, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw HomeError(.cannotOpen, "\(path): \(lastSystemError())")
    }
    Foundation.close(descriptor)
  }

  /// Waits until the disk knows the names of the files beside a file.
  ///
  /// SQLite's default file system knows how to wait for a directory on each system, and does so when it
  /// deletes a file.
  static func syncDirectory(of path: String) throws {
    try syncDirectory(byDeleting: "\(path)-\(UUID().uuidString).sync")
  }

  /// Does the same by an empty file, which is made for it under a name that nobody has.
  static func syncDirectory(byDeleting marker: String) throws {
    try makeEmpty(marker, for: marker)
    let deleted = SealedFileSystem.delete(FileName(marker), syncsDirectory: true)
    guard deleted == SQLITE_OK else {
      unlink(marker)
      throw HomeError(code: deleted, path: marker)
    }
  }

  private var failure: HomeError { HomeError(.cannotOpen, "\(path): \(lastSystemError())") }
}
