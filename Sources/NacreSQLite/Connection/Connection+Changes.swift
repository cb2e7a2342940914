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
    guard let handle else { return }
    let hook = handler.map(ChangeHook.init)
    if let hook {
      hook.install(on: handle)
    } else {
      ChangeHook.remove(from: handle)
    }
    changeHook = hook
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
