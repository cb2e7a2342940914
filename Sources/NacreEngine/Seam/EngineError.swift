/// An error of a database engine, with a kind that all engines share.
package protocol EngineError: Error {
  /// The engine's own words, for people; nothing is decided by them.
  var message: String { get }
  /// The kind of failure.
  var kind: EngineErrorKind { get }
  /// The error of the module above that made the engine fail; nil if none did.
  var origin: (any Error)? { get }
  /// The constraint that was violated; nil for errors of other kinds.
  var violation: ConstraintViolation? { get }
  /// The part of the application's own schema that keeps a column from being changed, such as
  /// `trigger audit`; nil if the error names none.
  var dependent: String? { get }

  /// Returns whether a statement names a table that does not exist.
  func isMissing(table: String) -> Bool
  /// Returns the same error without the parts of its texts that may quote a value or a statement.
  func withoutTexts() -> any EngineError
}

extension EngineError {
  /// No error of another module.
  package var origin: (any Error)? { nil }
}

/// A kind of failure of a database engine.
package enum EngineErrorKind: Sendable {
  /// Somebody else holds a lock for longer than the busy timeout.
  case busy
  /// A transaction can't be made as if it had run alone, because of what others have committed.
  case conflict
  /// The transaction and another one wait for each other.
  case deadlock
  /// A statement took longer than its timeout.
  case timedOut
  /// The connection to a server is gone, and with it an open transaction.
  case connectionLost
  /// A constraint was violated.
  case constraint
  /// The disk, or the limit of the database, is full.
  case full
  /// The operating system failed to read or write.
  case inputOutput
  /// The commit failed, and nobody can tell whether the transaction is stored.
  case commitUnknown
  /// The database's structure is damaged.
  case corrupt
  /// Bytes of a sealed file, its log or its journal are not as its keys' holder wrote them.
  case sealBroken
  /// A sealed file has the log or journal of another store.
  case otherStore
  /// A log or journal is of a later version.
  case newerFormat
  /// The file is no database of the engine.
  case notADatabase
  /// The database could not be opened or made.
  case cannotOpen
  /// The server's role lacks a right.
  case notPermitted
  /// The place of the database is the URL of a server, which the engine does not have.
  case onServer
  /// The database is in memory, where this can't be done.
  case inMemory
  /// The database can't be written.
  case readOnly
  /// A statement that writes ran on a connection that only reads.
  case writeOnReader
  /// Somebody has interrupted the statement.
  case interrupted
  /// The engine rolled the transaction back on its own while the caller went on.
  case rolledBack
  /// The caller's own SQL would have begun or ended a transaction.
  case refusedTransaction
  /// A statement was refused because of what it reads or writes.
  case refusedAccess
  /// A value is larger than the engine takes.
  case tooLarge
  /// A value is none that the engine can hold.
  case badValue
  /// A sum of integers is larger than 64 bits.
  case overflow
  /// The statement is wrong: its text, its names or its arguments.
  case badStatement
  /// Any other failure.
  case other
}

/// The constraint that a statement violated.
package struct ConstraintViolation: Sendable, Equatable {
  /// A kind of constraint.
  package enum Kind: Sendable {
    case unique, foreignKey, notNull, check, other
  }

  /// The kind of constraint.
  package let kind: Kind
  /// The column as `table.column`; nil if the engine names none.
  ///
  /// Compare it with the name of a column as a whole: it can be a list of several columns, and names
  /// can contain points and commas.
  package let place: String?

  package init(kind: Kind, place: String? = nil) {
    self.kind = kind
    self.place = place
  }
}
