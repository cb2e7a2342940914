import NacreCore

/// Finds the class that `@DAO` made of a protocol.
enum ProxyLookup {
  /// The proxy of a protocol, or the proxy itself.
  ///
  /// - Throws: ``NacreError`` with code `noProxy`.
  static func proxy(of type: any Any.Type) throws -> any DAOProxy.Type {
    if let proxy = type as? any DAOProxy.Type { return proxy }
    let name = String(reflecting: type)
    // As the ABI has it, a protocol as a type is its context, its name, and "_p"; a class is its context, its name, and
    // "C". Where the name begins can't be told without reading all before it, so each place where it could is tried.
    if let mangled = _mangledTypeName(type), mangled.hasSuffix("_p") {
      let simple = "\(name.split(separator: ".").last ?? "")Proxy"
      for index in mangled.indices.reversed() where mangled[index].isNumber {
        let candidate = "\(mangled[..<index])\(simple.utf8.count)\(simple)C"
        guard let found = _typeByName(candidate) as? any DAOProxy.Type,
          String(reflecting: found) == name + "Proxy"
        else { continue }
        return found
      }
    }
    throw NacreError.dao(.noProxy, name)
  }

  /// Whether a type is that of values of a protocol: what is one of them is only known of a value.
  static func isExistential(_ type: any Any.Type) -> Bool {
    guard let mangled = _mangledTypeName(type) else { return false }
    // In the ABI's words: a protocol; with AnyObject; with a class; with its associated types.
    return ["p", "_Xl", "yXl", "Xc", "XP"].contains(where: mangled.hasSuffix)
  }
}

extension DAO {
  /// Makes a DAO for a protocol; the models that its methods take and give are among those that it knows.
  static func proxy<P>(
    _ type: P.Type,
    _ configuration: some ConfigurationSource,
    models: [any Any.Type],
    sealing: DAOSealing = DAOSealing(),
    source: StoreSource
  ) throws -> P {
    let proxy = try ProxyLookup.proxy(of: type)
    let dao = try DAO(
      configuration: configuration,
      models: models,
      methods: proxy.methods,
      sealing: sealing,
      source: source
    )
    guard let made = proxy.init(dao: dao) as? P else {
      throw NacreError.dao(.noProxy, String(reflecting: type))
    }
    return made
  }
}
