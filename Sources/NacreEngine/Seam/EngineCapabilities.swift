/// The features of an engine that not every engine has.
package struct EngineCapabilities: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// A connection reports the rows that it changes, and the blobs that they get.
  package static let changeReports = EngineCapabilities(rawValue: 1)
  /// The database is a file whose bytes can be read, with what deleted rows have left there.
  package static let rawFile = EngineCapabilities(rawValue: 2)
  /// The database is a file that other processes can open by its path; otherwise it is in the
  /// memory of this process, and ends with it.
  package static let sharedFile = EngineCapabilities(rawValue: 4)
  /// The database is on a server, and has no file to lock, to copy or to search.
  package static let onServer = EngineCapabilities(rawValue: 16)
  /// A connection sends writes of a transaction one after another, and waits for all of them at once.
  package static let sendsAhead = EngineCapabilities(rawValue: 32)
  /// Commits tell whoever listens, in every process.
  package static let tellsChanges = EngineCapabilities(rawValue: 64)
  /// Foreign keys are checked at the end of a transaction; otherwise with each statement.
  package static let defersReferences = EngineCapabilities(rawValue: 1024)
  /// A transaction on a server can lock a table, and a name, until it ends.
  package static let locksTables = EngineCapabilities(rawValue: 2048)
  /// A statement that fails in a transaction undoes itself alone, and the transaction goes on.
  package static let undoesFailedStatements = EngineCapabilities(rawValue: 8)
}
