public import NacreCore

extension DataCenter {
  /// Makes a DAO on the common store, or on the store of the user who is current at each call.
  ///
  /// - Parameters:
  ///   - configuration: the XML, or the URL of its file.
  ///   - userDependent: whether it works on the current user's store; without a user its calls fail.
  ///   - models: the classes and structs that the configuration names.
  /// - Returns: the DAO.
  /// - Throws: ``ConfigurationError`` with everything that is wrong in the configuration; ``NacreError`` if it can't be
  ///   read.
  public func dao(
    config configuration: some ConfigurationSource,
    userDependent: Bool,
    models: [any Any.Type] = []
  ) throws -> DAO {
    try DAO(
      configuration: configuration,
      models: models,
      sealing: usedSealing(),
      source: source(isOfUser: userDependent)
    )
  }

  /// Makes a DAO on a file of its own, which any number of DAOs can share.
  ///
  /// - Parameters:
  ///   - configuration: the XML, or the URL of its file.
  ///   - path: the file; absolute, or relative to ``directory``.
  ///   - models: the classes and structs that the configuration names.
  /// - Returns: the DAO.
  /// - Throws: ``ConfigurationError`` with everything that is wrong in the configuration; ``NacreError`` if it can't be
  ///   read.
  public func dao(
    config configuration: some ConfigurationSource,
    databasePath path: String,
    models: [any Any.Type] = []
  ) throws -> DAO {
    try DAO(
      configuration: configuration,
      models: models,
      sealing: usedSealing(),
      source: source(ofFile: path)
    )
  }

  /// Where a DAO finds its store at each call.
  func source(isOfUser: Bool) -> StoreSource {
    isOfUser ? .user(self) : .place(self, .common)
  }

  /// Where a DAO on a file of its own finds its store at each call.
  func source(ofFile path: String) -> StoreSource { .place(self, .file(path)) }
}

// MARK: - Async

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
