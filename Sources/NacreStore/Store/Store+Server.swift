import NacreEngine

extension Store {
  /// Throws if the store is in a database on a server, because something asks for what only a file has.
  ///
  /// - Parameters:
  ///   - reason: What a server can't do.
  ///   - advice: What to do instead.
  /// - Throws: ``NacreError`` with code `serverCannot`.
  package func refuseOnServer(_ reason: String, advice: String) throws {
    guard engine.capabilities.contains(.onServer) else { return }
    throw NacreError(.serverCannot, detail: reason, advice: advice)
  }
}
