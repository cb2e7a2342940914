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

  // Unchecked: one thread uses a session, and looks at these for each row.
  /// The items that were read ahead.
  @exclusivity(unchecked) private var kept: [Item] = []
  @exclusivity(unchecked) private var first = 0
  /// Whether the session has no more results.
  @exclusivity(unchecked) var isEnded = false
  /// Whether the statement was sent with the settings of a shared session before it.
  let isFramed: Bool
  /// Whether nobody wants the rest.
  private(set) var isAbandoned = false

  /// Whether the rows have other columns than are expected.
  @exclusivity(unchecked) private(set) var isUnfit = false
  /// Whether a result has the columns that are expected; nil once one was looked at.
  @exclusivity(unchecked) private var fits: ((OpaquePointer) -> Bool)?

  init(isFramed: Bool, _ fits: ((OpaquePointer) -> Bool)?) {
    (self.isFramed, self.fits) = (isFramed, fits)
  }

  deinit { for item in kept[first...] { item.free() } }

  /// Compares the columns of the first result that has some.
  func look(at result: OpaquePointer) {
    let status = PQresultStatus(result)
    guard let fits, status == PGRES_SINGLE_TUPLE || status == PGRES_TUPLES_OK else { return }
    isUnfit = !fits(result)
    self.fits = nil
  }

  /// Keeps a result that was read ahead, unless nobody wants it.
  func keep(_ result: OpaquePointer) {
    look(at: result)
    if isAbandoned || isUnfit {
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
