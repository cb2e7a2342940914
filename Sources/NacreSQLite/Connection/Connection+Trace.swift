package import NacreEngine

extension Connection {
  /// Calls the handler for every statement when it starts and when it ends; nil removes the handler.
  ///
  /// The handler is called on the connection's thread and must not use the connection. It may ask for a finished
  /// statement's text with its arguments filled in.
  package func setStatementTrace(
    _ handler: ((TraceEvent, _ expanded: () -> String?) -> Void)?
  ) {
    guard let handle else { return }
    let sink = handler.map(TraceSink.init)
    if let sink {
      sink.install(on: handle)
    } else {
      TraceSink.remove(from: handle)
    }
    traceSink = sink
  }

  /// Asks the handler about every action of the statements prepared from now on; nil removes the handler.
  ///
  /// If the handler answers false, SQLite refuses the statement with SQLITE_AUTH. Statements prepared before are not
  /// asked about again, unless the schema changes. The handler must not use the connection.
  package func watchAccess(_ handler: ((Access) -> Bool)?) {
    authorizer.handler = handler
  }
}
