public import NacreCore

extension DataCenter {
  /// Makes a DAO on the common store, or on that of whoever is the current user at each call, for a protocol.
  ///
  /// - Parameters:
  ///   - type: a protocol marked `@DAO`: `(any MessageDAO).self`.
  ///   - configuration: the XML, or the URL of its file.
  ///   - userDependent: whether it works on the current user's store; without a user its calls fail.
  ///   - models: the classes and structs that the configuration names and no method of the protocol takes or gives.
  /// - Returns: the DAO.
  /// - Throws: ``ConfigurationError`` with all that is wrong in the configuration, or does not match the protocol;
  ///   ``NacreError`` where it can't be read, and with code `noProxy` for a protocol that is not marked.
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

  /// Makes a DAO on a file of its own, which any number of DAOs can share, for a protocol.
  ///
  /// - Parameters:
  ///   - type: a protocol marked `@DAO`: `(any MessageDAO).self`.
  ///   - configuration: the XML, or the URL of its file.
  ///   - path: the file; absolute, or relative to ``directory``.
  ///   - models: the classes and structs that the configuration names and no method of the protocol takes or gives.
  /// - Returns: the DAO.
  /// - Throws: ``ConfigurationError`` with all that is wrong in the configuration, or does not match the protocol;
  ///   ``NacreError`` where it can't be read, and with code `noProxy` for a protocol that is not marked.
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
      source: source(ofFile: path)
    )
  }
}

extension Store {
  /// Makes a DAO that works on this store, for a protocol.
  ///
  /// - Parameters:
  ///   - type: a protocol marked `@DAO`: `(any MessageDAO).self`.
  ///   - configuration: the XML, or the URL of its file.
  ///   - models: the classes and structs that the configuration names and no method of the protocol takes or gives.
  /// - Returns: the DAO.
  /// - Throws: ``ConfigurationError`` with all that is wrong in the configuration, or does not match the protocol;
  ///   ``NacreError`` where it can't be read, and with code `noProxy` for a protocol that is not marked.
  public func dao<P>(
    _ type: P.Type,
    config configuration: some ConfigurationSource,
    models: [any Any.Type] = []
  ) throws -> P {
    try DAO.proxy(type, configuration, models: models, source: .fixed(self))
  }
}
