/// How many rows a walk on a server asks for at once, by the size of those before them.
///
/// A server sends every row that it was asked for, also those for which the caller has no room. So the first batch is
/// small, and each one asks for as many rows as may fit. A file is asked for one row after another, and has no limit.
package struct RowLimit {
  /// The number of rows of the next batch; nil for no limit.
  private var fitting: Int?

  package init(isOnServer: Bool) { fitting = isOnServer ? 100 : nil }

  /// Returns how many rows to ask for.
  package func rows(atMost limit: Int) -> Int { fitting.map { min(limit, $0) } ?? limit }

  /// Notes how many rows a batch had, and whether it had no room for another one.
  package mutating func note(rowCount: Int, isFull: Bool) {
    guard let fitting else { return }
    self.fitting = isFull ? max(rowCount, 1) : max(fitting, min(rowCount, 1 << 20) * 4)
  }
}
