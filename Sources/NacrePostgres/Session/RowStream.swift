#if PostgreSQL
import CPQ

/// The results of one statement, in the order in which the server sends them: each row is one, and the end is another.
///
/// They come from the socket one by one, so a statement of any number of rows takes constant memory. If the session has
/// to run another statement meanwhile, the rest is kept here.
final class RowStream {
  /// Something that the server has sent.
  enum Item {
    case row(ServerRow)
    /// The end of the rows, or an error; the one who takes it clears it.
    case end(OpaquePointer)

    func free() {
      switch self {
      case .row(let row): row.free()
      case .end(let result): PQclear(result)
      }
    }
  }

  /// The items that were read ahead.
  private var kept: [Item] = []
  private var first = 0
  /// Whether the session has no more results.
  var isEnded = false
  /// Whether nobody wants the rest.
  private(set) var isAbandoned = false

  deinit { for item in kept[first...] { item.free() } }

  /// Keeps a result that was read ahead, unless nobody wants it.
  func keep(_ result: OpaquePointer) {
    if isAbandoned {
      PQclear(result)
    } else if PQresultStatus(result) == PGRES_SINGLE_TUPLE {
      kept.append(.row(ServerRow(copying: result)))
      PQclear(result)
    } else {
      kept.append(.end(result))
    }
  }

  /// Returns the next item that was read ahead.
  func takeKept() -> Item? {
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
    while let item = takeKept() { item.free() }
  }
}
#endif
