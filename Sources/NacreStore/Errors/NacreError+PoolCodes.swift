// Codes for waits inside the process that timed out. A wait for the writer fails with `busy`, like a lock of another
// process.
extension NacreError.Code {
  /// The store has its maximum number of readers, and cursors and reads held all of them for longer than the busy
  /// timeout.
  public static let readersHeld = Self(
    "readersHeld",
    "Cursors and reads hold all of the store's readers",
    "Close cursors that you no longer read, or raise `maximumReaderCount`."
  )
  /// Somebody still reads or writes the store, so it was not closed.
  public static let stillUsed = Self(
    "stillUsed",
    "The store is still in use and was not closed",
    "Wait until its reads and writes have ended, and close it again."
  )
}

extension NacreError {
  /// Maps the timeout of a wait in the pool to `NacreError`.
  static func of(_ error: PoolTimeoutError) -> NacreError {
    let seconds = (error.seconds * 1000).rounded() / 1000
    switch error.goal {
    case .writer:
      return NacreError(
        .busy,
        detail: "another thread or task of this process wrote for \(seconds) s"
      )
    case .reader:
      return NacreError(.readersHeld, detail: "\(words(error.readers)), for \(seconds) s")
    case .end:
      let writes = error.writer.lentCount == 0 ? "no write" : "a write"
      return NacreError(
        .stillUsed,
        detail: "\(writes), \(words(error.readers)), after \(seconds) s"
      )
    }
  }

  private static func words(_ readers: PoolUse) -> String {
    let reads = readers.lentCount - readers.keptCount
    return "\(reads.counted("read")), \(readers.keptCount.counted("cursor"))"
  }
}
