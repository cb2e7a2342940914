import Foundation

/// A predicate that is evaluated on each stored object, for those parts that have no SQL.
struct PredicateFilter<E: Entity>: Sendable {
  let predicate: Predicate<E>
  let request: FetchRequest

  /// Reads objects in batches and keeps those that the predicate is true of, or one page of them.
  func objects() throws -> [E] {
    var all = request
    all.source = nil
    all.terms.limit = nil
    all.terms.offset = 0
    let cursor = try E.cursor(all)
    defer { cursor.close() }
    var skipped = 0
    var found: [E] = []
    while found.count < request.terms.limit ?? .max, let object = try cursor.next() {
      guard try predicate.evaluate(object) else { continue }
      if skipped < request.terms.offset {
        skipped += 1
      } else {
        found.append(object)
      }
    }
    return found
  }
}

extension Entity {
  /// Fetches by SQL, or, where a part of the predicate has none and the caller asked for it, by evaluation.
  static func fetch(
    _ predicate: Predicate<Self>,
    _ request: FetchRequest,
    filteringInMemory: Bool
  ) throws -> [Self] {
    do {
      return try fetch(request)
    } catch let error as NacreError
      where filteringInMemory
      && (error.code == .untranslatablePredicate || error.code == .sealedCondition)
    {
      return try PredicateFilter(predicate: predicate, request: request).objects()
    }
  }
}
