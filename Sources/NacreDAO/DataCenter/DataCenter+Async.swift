public import NacreCore

// The async twins run on threads that no task is waiting for.

extension DataCenter {
  /// The store of a place, opened if it is not yet, on a thread that no task is waiting for.
  ///
  /// - Parameter place: what the store is for; the path of a file is absolute, or relative to the directory.
  /// - Returns: the store; everyone who asks for the same file gets the same one.
  /// - Throws: ``NacreError`` when it can't be opened, and for a user whose name is too long.
  public func store(at place: Place) async throws -> Store {
    try await Store.onThread { try self.store(at: place) }
  }

  /// Closes the store of a place, and deletes its file; the next call that asks for the store makes a new one.
  ///
  /// - Parameter place: what the file is for.
  /// - Throws: ``NacreError`` inside of a read or write of it, when the file can't be deleted, and for a user whose name is
  ///   too long.
  public func removeFile(of place: Place) async throws {
    try await Store.onThread { try self.removeFile(of: place) }
  }

  /// Closes all stores; each is opened again when it is asked for.
  ///
  /// - Throws: ``NacreError``.
  public func close() async throws { try await Store.onThread { try self.close() } }
}
