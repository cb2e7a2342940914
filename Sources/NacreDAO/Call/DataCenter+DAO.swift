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
      source: .place(self, .file(path))
    )
  }

  /// Where a DAO finds its store at each call.
  func source(isOfUser: Bool) -> StoreSource {
    isOfUser ? .user(self) : .place(self, .common)
  }
}
