import CSQLite

/// One connection's opening of a file in memory, with the locks that it holds.
///
/// Only the file uses the variables, under its mutex.
final class MemoryOpening {
  /// The file.
  let file: MemoryFile
  /// The path to remove when the opening is closed; nil if the file stays.
  let temporaryPath: String?
  /// The lock on the whole file: one of `SQLITE_LOCK_…`, which grow from none to exclusive.
  var level = SQLITE_LOCK_NONE
  /// The locks on the log that the opening shares with others, as bits.
  var sharedSlots: UInt32 = 0
  /// The locks on the log that the opening has alone, as bits.
  var ownedSlots: UInt32 = 0
  /// Whether the opening uses the log's index.
  var usesIndex = false

  init(_ file: MemoryFile, temporaryPath: String?) {
    self.file = file
    self.temporaryPath = temporaryPath
  }
}
