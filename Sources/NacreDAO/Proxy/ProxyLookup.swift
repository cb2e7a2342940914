import NacreCore

/// Finds the class that `@DAO` made of a protocol.
enum ProxyLookup {
  /// The proxy of a protocol, or the proxy itself.
  ///
  /// - Throws: ``NacreError`` with code `noProxy`.
  static func proxy(of type: any Any.Type) throws -> any DAOProxy.Type {
    if let proxy = type as? any DAOProxy.Type { return proxy }
    let name = String(reflecting: type)
    // In the ABI, a mangled protocol type is its context, its name and "_p"; a class is its context, its name and "C".
    // Only reading everything before the name would tell where it begins, so each place where it could begin is tried.
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
}

extension DAO {
  /// Makes a DAO for a protocol; it also knows the models that the protocol's methods take and return.
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
