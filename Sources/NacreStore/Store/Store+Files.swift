import Foundation
package import NacreEngine

extension Store {
  /// Whether the store is in the memory of this process, and ends with it.
  public var isInMemory: Bool { !engine.capabilities.contains(.sharedFile) }

  /// Whether a store of this process has the file at a path open.
  package static func isOpen(at path: String) -> Bool { StoreTable.isOpen(path) }

  /// Deletes a database; if a store is open there, close it first.
  ///
  /// - Throws: ``NacreError`` if a store in this process has the database open, or if it can't be
  ///   deleted.
  package static func delete(_ home: any EngineHome) throws {
    if StoreTable.isOpen(home.path) {
      throw NacreError(.busy, detail: "\(home.path) is open in this process")
    }
    // The path may lead to the database by a link, which is deleted as well.
    let file = RotationLockFile.file(ofStoreAt: home.path)
    try NacreError.wrapping { try home.delete() }
    guard FileManager.default.fileExists(atPath: file) else { return }
    guard unlink(file) == 0 else {
      throw NacreError(.readOnly, detail: "\(file): \(lastSystemError())")
    }
  }

  /// Copies the store's current state into a new file, while others go on reading and writing.
  ///
  /// The copy of a store in memory is a store in a file.
  ///
  /// - Throws: ``NacreError`` if `path` exists or can't be written; with code `serverCannot` for a store on a server.
  public func backup(to path: String) throws {
    try refuseOnServer(
      "a backup is a copy of a file",
      advice: "Use pg_dump or pg_basebackup, or export the objects."
    )
    try withReader { try engine.backUp($0.connection, to: path) }
  }

  /// Copies the store's current state into a new file, while others go on reading and writing.
  ///
  /// - Throws: ``NacreError`` if `path` exists or can't be written.
  public func backup(to path: String) async throws {
    try await Self.onThread { try self.backup(to: path) }
  }
}
