import Synchronization

/// A database in memory, with its log or journal, under a path that leads to no file.
///
/// Its connections are opened by that path in ``MemoryFileSystem``. The bytes are released with
/// this object and the last connection.
package final class MemoryDatabase: Sendable {
  /// The beginning of every path.
  package static let pathPrefix = ":memory:"

  /// The path: the prefix and a number that no other database of this process gets.
  package let path: String
  private let files: Mutex<[String: MemoryFile]>

  private struct Entry {
    weak var database: MemoryDatabase?
  }

  private struct Registry {
    var last = 0
    var entries: [String: Entry] = [:]
  }

  private static let registry = Mutex(Registry())

  /// Makes an empty database.
  package init() {
    let number = MemoryDatabase.registry.withLock { registry -> Int in
      registry.last += 1
      return registry.last
    }
    let path = "\(MemoryDatabase.pathPrefix)\(number)"
    self.path = path
    files = Mutex([path: MemoryFile()])
    MemoryDatabase.registry.withLock { $0.entries[path] = Entry(database: self) }
  }

  deinit {
    MemoryDatabase.registry.withLock { _ = $0.entries.removeValue(forKey: path) }
  }

  /// Returns the file at a path of an open database, or of its log or journal.
  ///
  /// - Parameters:
  ///   - path: The database's path, or that path with a suffix such as `-wal`.
  ///   - creates: Whether a missing log or journal is made.
  /// - Returns: The file; nil if there is none.
  static func file(at path: String, creates: Bool = false) -> MemoryFile? {
    guard let database = database(of: path) else { return nil }
    return database.files.withLock { files -> MemoryFile? in
      if let file = files[path] { return file }
      guard creates else { return nil }
      let file = MemoryFile()
      files[path] = file
      return file
    }
  }

  /// Removes a file's name; who has the file open keeps it.
  ///
  /// - Returns: Whether there was a file of that name.
  static func remove(_ path: String) -> Bool {
    guard let database = database(of: path) else { return false }
    return database.files.withLock { $0.removeValue(forKey: path) != nil }
  }

  private static func database(of path: String) -> MemoryDatabase? {
    let own = String(path.prefix { $0 != "-" })
    return registry.withLock { $0.entries[own]?.database }
  }
}
