#if PostgreSQL
import CPQ

/// The results of one statement, in the order in which the server sends them: each row is one, and the end is another.
///
/// They come from the socket one by one, so a statement of any number of rows takes constant memory. If the session has
/// to run another statement meanwhile, the rest is kept here.
final class RowStream {
  /// The results that were read ahead; each belongs to the stream until it is taken.
  private var kept: [OpaquePointer] = []
  private var first = 0
  /// Whether the session has no more results.
  var isEnded = false
  /// Whether nobody wants the rest.
  private(set) var isAbandoned = false

  deinit { for result in kept[first...] { PQclear(result) } }

  /// Keeps a result that was read ahead.
  func keep(_ result: OpaquePointer) { kept.append(result) }

  /// Returns the next result that was read ahead; the caller clears it.
  func takeKept() -> OpaquePointer? {
    guard first < kept.count else { return nil }
    defer {
      first += 1
      if first == kept.count { (kept, first) = ([], 0) }
    }
    return kept[first]
  }

  /// Lets the rest go.
  func abandon() {
    isAbandoned = true
    while let result = takeKept() { PQclear(result) }
  }
}
#endif
