import CSQLite

extension Connection {
  /// Whether the SQLite library can report changes to rows; Debian's and Apple's can.
  package static var reportsChanges: Bool { ChangeHook.isAvailable }

  /// Calls the handler before each row that the connection inserts, updates or deletes; nil removes the handler.
  ///
  /// The handler gets the table's name and the row's first column if that is a blob, or else no bytes; for an update it
  /// is called twice. It is called for changes that are rolled back later, too, and must not use the connection.
  package func setChangeHook(
    _ handler: ((UnsafePointer<CChar>, UnsafeRawBufferPointer) -> Void)?
  ) {
    changeHookHandlers { $0.handler = handler }
  }

  /// Calls the handler with each blob that a row gets from now on, before the row gets it; nil removes the handler.
  ///
  /// The handler is called for changes that are rolled back later, too, and must not use the connection. It is not
  /// called for rows that a change of the schema copies.
  package func setBlobHook(_ handler: ((UnsafeRawBufferPointer) -> Void)?) {
    changeHookHandlers { $0.blobHandler = handler }
  }

  private func changeHookHandlers(_ change: (ChangeHook) -> Void) {
    guard let handle else { return }
    let former = changeHook
    let hook = former ?? ChangeHook()
    change(hook)
    if hook.handler == nil, hook.blobHandler == nil {
      ChangeHook.remove(from: handle)
      changeHook = nil
    } else {
      hook.install(on: handle)
      changeHook = hook
    }
    if (former == nil) == (changeHook == nil) { return }
    // A `DELETE` of all rows that was prepared without the hook empties the table in one step and calls no hook.
    authorizer.install(on: handle)
  }

  /// Records from now on which tables statements read, including statements that were prepared before.
  package func beginRecordingReads() {
    guard let handle else { return }
    authorizer.readTables = []
    // This makes SQLite prepare every statement again, and so ask the authorizer again.
    authorizer.install(on: handle)
  }

  /// Ends the recording and returns the tables that were read since `beginRecordingReads()`.
  package func endRecordingReads() -> Set<String> {
    defer { authorizer.readTables = nil }
    return authorizer.readTables ?? []
  }
}
