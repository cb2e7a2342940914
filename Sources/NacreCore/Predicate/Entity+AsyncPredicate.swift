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
    try await self.where(predicate, filteringInMemory: filteringInMemory).ordered(by: order)
      .with(links).fetchOne()
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
    try await self.where(predicate, filteringInMemory: filteringInMemory).ordered(by: order)
      .arranged(nil, page, size).with(links).fetchAll()
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
    try await all.ordered(by: order).arranged(nil, page, size).with(links).fetchAll()
  }

  /// The twin of ``count(_:)-(Predicate<Self>)``.
  ///
  /// - Throws: ``NacreError``, also for what has no SQL.
  public static func count(_ predicate: Predicate<Self>) async throws -> Int {
    try await self.where(predicate).count()
  }

  /// The twin of ``deleteAll(_:cascade:)-(Predicate<Self>,_)``.
  ///
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public static func deleteAll(
    _ predicate: Predicate<Self>,
    cascade: Bool = false
  ) async throws -> Int {
    try await self.where(predicate).deleteAll(cascade: cascade)
  }

  /// The twin of ``cursor(_:orderBy:with:)``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``.
  public static func cursor(
    _ predicate: Predicate<Self>,
    orderBy order: [SortDescriptor<Self>] = [],
    with links: PartialKeyPath<Self>...
  ) async throws -> sending EntityCursor<Self> {
    try await self.where(predicate).ordered(by: order).with(links).cursor()
  }
}
