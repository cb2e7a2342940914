import CSQLite

extension Connection {
  /// Whether the library can tell of changes to rows; Debian's and Apple's can.
  package static var reportsChanges: Bool { ChangeHook.isAvailable }

  /// Reports every row that the connection inserts, updates or deletes, before it does; nil stops that.
  ///
  /// The handler is called with the table's name and the row's first column where that is a blob, or else with no bytes;
  /// twice for an update. It is told of what is rolled back later, too, and must not use the connection.
  package func setChangeHook(
    _ handler: ((UnsafePointer<CChar>, UnsafeRawBufferPointer) -> Void)?
  ) {
    changeHookHandlers { $0.handler = handler }
  }

  /// Reports every blob that a row is given from now on, before it is; nil stops that.
  ///
  /// The handler is told of what is rolled back later, too, and must not use the connection. It is not told of what a
  /// change of the schema copies.
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
    // A DELETE of all rows that was prepared without the hook empties the table at one stroke, and tells nobody.
    authorizer.install(on: handle)
  }

  /// Notes from now on which tables statements read, those prepared before included.
  package func beginRecordingReads() {
    guard let handle else { return }
    authorizer.readTables = []
    // SQLite prepares every statement anew, and asks anew.
    authorizer.install(on: handle)
  }

  /// The tables that were read since `beginRecordingReads()`.
  package func endRecordingReads() -> Set<String> {
    defer { authorizer.readTables = nil }
    return authorizer.readTables ?? []
  }
}
