import Foundation
package import NacreEngine

extension SQLiteHome {
  package var exists: Bool { memory != nil || Self.exists(path) }

  package func delete() throws {
    try Self.refuseServer(path)
    guard !path.hasPrefix(MemoryDatabase.pathPrefix) else {
      throw HomeError(.inMemory, "\(path) ends with its store, and is no file to delete")
    }
    // SQLite keeps the log beside the file itself, also if the path leads there by a link.
    let file = Self.resolved(path)
    try Self.deleteFiles(of: file)
    try Self.deleteFiles(of: file + FileExchange.draftEnding)
    if file != path { try Self.remove(path) }
  }

  package func backUp(_ connection: any EngineConnection, to path: String) throws {
    try Self.checkPath(path)
    // A copy that is not whole must not bear the name: a store would be made anew there.
    let partial = "\(path)-\(UUID().uuidString).partial"
    guard !Self.exists(path) else { throw HomeError(.cannotOpen, "\(path) exists already") }
    do {
      let target = try Connection(
        path: partial,
        mode: .create,
        sealing: try pagesOfCopy(at: partial),
        configuration: ConnectionConfiguration(pragmas)
      )
      defer { try? target.close() }
      try own(connection).backup(to: target)
      try target.close()
      // SQLite keeps the log, and says nothing, if it could not move all of it into the file.
      guard ["-wal", SealedFileSystem.logEnding].allSatisfy({ !Self.exists(partial + $0) }) else {
        throw HomeError(.full, "\(path) could not be written as a whole")
      }
      guard try WholeFile(partial: partial, path: path).takeName() else {
        throw HomeError(.cannotOpen, "\(path) exists already")
      }
    } catch {
      try? Self.deleteFiles(of: partial)
      throw error
    }
  }

  /// Makes the file of a copy of a sealed file, with its header, and the seals on its pages.
  private func pagesOfCopy(at path: String) throws -> SealedPages? {
    guard let pages else { return nil }
    let (sealer, header) = try pages.sealer.forCopy()
    guard try SealedHeaderFile(path: path).create(header) else {
      throw HomeError(.cannotOpen, "\(path) exists already")
    }
    return SealedPages(sealer)
  }

  /// Deletes a database's file, and whatever lies beside it by either format's names.
  static func deleteFiles(of path: String) throws {
    for file in files(of: path) { try remove(file) }
  }

  /// A database's file and whatever lies beside it by either format's names, as far as they are there.
  static func files(of path: String) -> [String] {
    // The names of both formats: a log that stays would be that of another store later.
    let endings =
      ["", "-wal", "-shm", "-journal", SealedFileSystem.rekeyEnding]
      + SealedFileSystem.endings.map(\.1)
    return endings.map { path + $0 }.filter(exists)
  }

  // Do not use FileManager here: it would delete a whole directory with everything in it.
  private static func remove(_ file: String) throws {
    guard unlink(file) == 0 || errno == ENOENT else {
      throw HomeError(.readOnly, "\(file): \(lastSystemError())")
    }
  }

  /// Fills the new database in memory with a copy of a file.
  ///
  /// - Parameter file: The file's path.
  /// - Throws: `HomeError` if there is no database at the path; an `EngineError`.
  package func fill(fromFile file: String) throws {
    let source = try SQLiteHome(path: file).connect(.inspector)
    defer { try? source.close() }
    let target = try found(creates: true)
    defer { try? target.close() }
    try own(source).backup(to: target)
  }

  package func readRaw(
    _ file: RawFile,
    under connection: any EngineConnection,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try own(connection).readRaw(file, body)
  }

  // MARK: - Paths

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Whether a file has no bytes, or is not there.
  static func isEmpty(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 || status.st_size == 0
  }

  /// Returns the path of the file that a path leads to by symbolic links.
  package static func resolved(_ path: String) -> String { DatabaseFile.resolved(path) }

  /// Throws if SQLite would take the path for a database in memory, of which every connection has its own.
  static func checkPath(_ path: String) throws {
    try refuseServer(path)
    guard !path.isEmpty else { throw HomeError(.cannotOpen, "the path is empty") }
    guard path != MemoryDatabase.pathPrefix, !path.utf8.contains(0) else {
      throw HomeError(
        .cannotOpen,
        "a store has to be a file with a path that contains no NUL; `Store.inMemory()` makes one "
          + "in memory"
      )
    }
    // The path of a database in memory, which is no file's.
    guard !path.hasPrefix(MemoryDatabase.pathPrefix) else {
      throw HomeError(.inMemory, "no file or copy of one can have the path \(path)")
    }
  }

  /// Throws for the URL of a PostgreSQL server, which would become a file of that name.
  ///
  /// A URL can hold a password, so the error does not show it.
  ///
  /// - Throws: `HomeError` of kind `onServer`.
  static func refuseServer(_ path: String) throws {
    guard path.isServerURL else { return }
    throw HomeError(.onServer, "no file of such a name is opened or made")
  }

  /// Creates the missing directories above a file.
  ///
  /// - Throws: `HomeError`.
  package static func createDirectory(above path: String) throws {
    let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    } catch {
      throw HomeError(.cannotOpen, "\(directory.path) can't be made", cause: error)
    }
  }

  /// Throws if a file can be seen to be no database before SQLite opens it.
  static func checkIsDatabase(_ path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let reason = errno == ENOENT ? "there is no file at \(path)" : "\(path): \(lastSystemError())"
      throw HomeError(.cannotOpen, reason)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw HomeError(.cannotOpen, "\(path) is a directory, not a store's file")
    default: throw HomeError(.cannotOpen, "\(path) is not a file")
    }
    // SQLite takes an empty file for an empty database, and does not look further into a file without a whole header.
    guard status.st_size >= 100 else {
      let size = status.st_size == 0 ? "is empty" : "has \(status.st_size) bytes"
      throw HomeError(.notADatabase, "\(path) \(size), which is too short for a store")
    }
  }

  /// Whether a file can be read, but nothing can be made beside it.
  static func canOnlyBeRead(_ path: String) -> Bool {
    let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return access(path, R_OK) == 0 && access(directory, W_OK) != 0
  }
}
