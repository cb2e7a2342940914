public import NacreCore

extension DataCenter {
  /// Makes a DAO for a protocol, on the common store or on the store of the user who is current at each call.
  ///
  /// - Parameters:
  ///   - type: a protocol marked `@DAO`: `(any MessageDAO).self`.
  ///   - configuration: the XML, or the URL of its file.
  ///   - userDependent: whether it works on the current user's store; without a user its calls fail.
  ///   - models: the classes and structs that the configuration names, except those that the protocol's methods take or
  ///     return.
  /// - Returns: the DAO.
  /// - Throws: ``ConfigurationError`` with everything that is wrong in the configuration, or does not match the
  ///   protocol; ``NacreError`` if it can't be read, and with code `noProxy` for a protocol that is not marked.
  public func dao<P>(
    _ type: P.Type,
    config configuration: some ConfigurationSource,
    userDependent: Bool,
    models: [any Any.Type] = []
  ) throws -> P {
    try DAO.proxy(
      type,
      configuration,
      models: models,
      sealing: usedSealing(),
      source: source(isOfUser: userDependent)
    )
  }

  /// Makes a DAO for a protocol, on a file of its own, which any number of DAOs can share.
  ///
  /// - Parameters:
  ///   - type: a protocol marked `@DAO`: `(any MessageDAO).self`.
  ///   - configuration: the XML, or the URL of its file.
  ///   - path: the file; absolute, or relative to ``directory``.
  ///   - models: the classes and structs that the configuration names, except those that the protocol's methods take or
  ///     return.
  /// - Returns: the DAO.
  /// - Throws: ``ConfigurationError`` with everything that is wrong in the configuration, or does not match the
  ///   protocol; ``NacreError`` if it can't be read, and with code `noProxy` for a protocol that is not marked.
  public func dao<P>(
    _ type: P.Type,
    config configuration: some ConfigurationSource,
    databasePath path: String,
    models: [any Any.Type] = []
  ) throws -> P {
    try DAO.proxy(
      type,
      configuration,
      models: models,
      sealing: usedSealing(),
      source: .place(self, .file(path))
    )
  }
}

extension Store {
  /// Makes a DAO for a protocol, which works on this store.
  ///
  /// - Parameters:
  ///   - type: a protocol marked `@DAO`: `(any MessageDAO).self`.
  ///   - configuration: the XML, or the URL of its file.
  ///   - models: the classes and structs that the configuration names, except those that the protocol's methods take or
  ///     return.
  /// - Returns: the DAO.
  /// - Throws: ``ConfigurationError`` with everything that is wrong in the configuration, or does not match the
  ///   protocol; ``NacreError`` if it can't be read, and with code `noProxy` for a protocol that is not marked.
  public func dao<P>(
    _ type: P.Type,
    config configuration: some ConfigurationSource,
    models: [any Any.Type] = []
  ) throws -> P {
    try DAO.proxy(type, configuration, models: models, source: .fixed(self))
  }
}
