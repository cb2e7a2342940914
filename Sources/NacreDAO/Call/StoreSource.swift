import NacreCore

/// Where a DAO finds its store at each call.
enum StoreSource: Sendable {
  /// Always the same.
  // Not by a closure as well: what a closure gives is retained once more.
  case fixed(Store)
  /// Whichever it is then, such as the present user's.
  case asked(@Sendable () throws -> Store)

  var store: Store {
    get throws {
      switch self {
      case .fixed(let store): store
      case .asked(let ask): try ask()
      }
    }
  }
}
