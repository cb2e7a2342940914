public import Foundation

// The async twins of what takes a predicate: the same arguments, the same results.

extension Entity {
  /// The twin of ``fetchOne(_:orderBy:filteringInMemory:with:)``.
  ///
  /// - Throws: ``NacreError``, also for what has no SQL.
  public static func fetchOne(
    _ predicate: Predicate<Self>,
    orderBy order: [SortDescriptor<Self>] = [],
    filteringInMemory: Bool = false,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending Self? {
    let request = try request(predicate, order, nil, 1, links)
    return try await Store.current().readFresh { _ in
      try fetch(predicate, request, filteringInMemory: filteringInMemory).first
    }
  }

  /// The twin of ``fetchAll(_:orderBy:page:size:filteringInMemory:with:)``.
  ///
  /// - Throws: ``NacreError``, also for what has no SQL.
  public static func fetchAll(
    _ predicate: Predicate<Self>,
    orderBy order: [SortDescriptor<Self>] = [],
    page: Int? = nil,
    size: Int? = nil,
    filteringInMemory: Bool = false,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending [Self] {
    let request = try request(predicate, order, page, size, links)
    return try await Store.current().readFresh { _ in
      try fetch(predicate, request, filteringInMemory: filteringInMemory)
    }
  }

  /// The twin of ``fetchAll(orderBy:page:size:with:)-([SortDescriptor<Self>],_,_,_)``.
  ///
  /// - Throws: ``NacreError``, also when the order is none that is stored.
  public static func fetchAll(
    orderBy order: [SortDescriptor<Self>],
    page: Int? = nil,
    size: Int? = nil,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending [Self] {
    let request = try request(nil, order, page, size, links)
    return try await Store.current().readFresh { try $0.fetch(Self.self, request) }
  }

  /// The twin of ``count(_:)-(Predicate<Self>)``.
  ///
  /// - Throws: ``NacreError``, also for what has no SQL.
  public static func count(_ predicate: Predicate<Self>) async throws -> Int {
    let request = try request(predicate, [], nil, nil, [])
    return try await Store.current().readFresh { _ in try count(request) }
  }

  /// The twin of ``deleteAll(_:cascade:)-(Predicate<Self>,_)``.
  ///
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public static func deleteAll(
    _ predicate: Predicate<Self>,
    cascade: Bool = false
  ) async throws -> Int {
    let request = try request(predicate, [], nil, nil, [])
    return try await Store.current().write { _ in try deleteAll(request, cascade) }
  }

  /// The twin of ``cursor(_:orderBy:with:)``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``.
  public static func cursor(
    _ predicate: Predicate<Self>?,
    orderBy order: [SortDescriptor<Self>] = [],
    with links: PartialKeyPath<Self>...
  ) async throws -> sending EntityCursor<Self> {
    try await cursor(request(predicate, order, nil, nil, links), in: Store.current())
  }
}
