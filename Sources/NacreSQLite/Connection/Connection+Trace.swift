extension Connection {
  /// Reports every statement when it starts and when it ends; nil stops that.
  ///
  /// The handler is called on the connection's thread and must not use the connection.
  package func setTrace(_ handler: ((TraceEvent) -> Void)?) {
    setStatementTrace(handler.map { handler in { event, _ in handler(event) } })
  }

  /// The same with a way to a finished statement's text with its arguments in their places.
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

  /// Asks the handler about everything that statements prepared from now on would do.
  ///
  /// When it answers false the statement is refused with SQLITE_AUTH; nil stops the asking.
  /// Statements prepared before are not asked about again, unless the schema changes. The handler
  /// must not use the connection.
  package func setAuthorizer(_ handler: ((AuthorizerAction) -> Bool)?) {
    authorizer.handler = handler
  }
}
