#if PostgreSQL
/// The layout of the tables of a session's database, as far as it knows it, and the changes that it has made.
struct SessionLayout {
  /// Rises with each change of tables that the session makes or learns of, after which statements are prepared anew.
  private(set) var revision = 0
  /// The number of statements of the open transaction that may have changed tables.
  private(set) var changeCount = 0
  /// Whether the database has the table with the layout's number.
  var hasTable = false
  /// The layout's number when the open transaction began; nil if it is not known.
  private(set) var numberAtBeginning: Int64?
  /// The number that the session has seen last.
  private var seen: Int64?

  /// Notes that a transaction begins.
  mutating func begin() { (changeCount, numberAtBeginning) = (0, nil) }

  /// Notes the number that a transaction has found at its beginning.
  mutating func begin(at number: Int64?) {
    numberAtBeginning = number
    if let number { see(number) }
  }

  /// Notes the layout's number; after a change by others the statements are prepared anew.
  mutating func see(_ number: Int64) {
    if let seen, seen != number { revision += 1 }
    seen = number
  }

  /// Lets all statements be prepared anew.
  mutating func prepareAnew() { revision += 1 }

  /// Notes that a statement may have changed tables.
  mutating func noteChange() {
    revision += 1
    changeCount += 1
  }

  /// Notes that the changes of tables in the transaction are committed, so that they are not taken for those of others.
  mutating func keepChanges() {
    guard changeCount > 0, let first = numberAtBeginning else { return }
    seen = first &+ Int64(changeCount)
  }

  /// Notes that changes of tables are undone: statements may have been prepared for tables that are gone, and others can
  /// reach the same number by other changes.
  mutating func undoChanges() {
    guard changeCount > 0 else { return }
    revision += 1
    seen = numberAtBeginning
  }
}
#endif
