/// Seals the pages of one database anew under the key under which its sealer seals now.
///
/// Others read and write meanwhile. Only one thread uses it at a time, and only one process.
package protocol PageRekeying: AnyObject {
  /// Seals the next pages anew, those that are not under the present key, for some tenths of a second.
  ///
  /// They reach a journal first, so that a page which is torn by a crash is whole there.
  ///
  /// - Parameter first: The number of the first page to look at, from 1.
  /// - Returns: What was done.
  /// - Throws: An `EngineError`; of kind `busy` if somebody else holds the lock for too long.
  func reseal(from first: UInt32) throws -> PageBatch
  /// Runs the body while nobody moves pages from the log to the database's file.
  ///
  /// - Throws: An `EngineError` of kind `busy`; the error of `body`.
  func withoutCheckpoints<T>(_ body: () throws -> T) throws -> T
  /// Waits until the log is on the disk as it is now.
  ///
  /// A checkpoint that empties the log leaves it to chance when the disk learns of it.
  ///
  /// - Throws: An `EngineError`.
  func syncLog() throws
  /// Deletes the journal, of which nobody needs a page any more.
  ///
  /// - Throws: An `EngineError`.
  func deleteJournal() throws
  /// Empties the journal, and ends the connection.
  func close() throws
}

/// Pages that were looked at.
package struct PageBatch: Sendable, Equatable {
  /// The number of the page after the last one; nil if that was the database's last one.
  package var next: UInt32?
  /// How many pages the database has.
  package var pageCount = 0
  /// How many pages were sealed anew.
  package var resealed = 0
  /// The numbers of the first pages that did not open; they were left as they are.
  package var unopened: [UInt32] = []
  /// How many pages did not open.
  package var unopenedCount = 0

  /// Makes a batch of no page.
  package init() {}
}
