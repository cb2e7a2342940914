import NacreCore
import NacreEngine
import NacreStore

extension Table {
  /// Returns how many records there are, or how many match a condition.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func count(
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...
  ) throws -> Int {
    try query(condition, arguments).count()
  }

  /// The async twin of ``count(where:_:)``.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func count(
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...
  ) async throws -> Int {
    try await query(condition, arguments).count()
  }

  /// Returns the sum of a property's values, without nil; zero if there are none.
  ///
  /// - Throws: ``NacreError``, also if the sum of integers does not fit.
  public func sum<V: SummableValue>(
    _ path: KeyPath<R, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...
  ) throws -> V.Sum {
    try query(condition, arguments).sum(path)
  }

  /// The async twin of ``sum(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func sum<V: SummableValue>(
    _ path: KeyPath<R, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V.Sum {
    try await query(condition, arguments).sum(path)
  }

  /// Returns the least of a property's values, in the order that a sort uses; nil if there are
  /// none.
  ///
  /// - Throws: ``NacreError``.
  public func min<V: StorableValue & Comparable>(
    _ path: KeyPath<R, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...
  ) throws -> V? {
    try query(condition, arguments).min(path)
  }

  /// The async twin of ``min(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func min<V: StorableValue & Comparable>(
    _ path: KeyPath<R, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await query(condition, arguments).min(path)
  }

  /// Returns the least of a property's values, in the order that a sort uses; nil if there are
  /// none.
  ///
  /// - Throws: ``NacreError``.
  public func min<V: StorableValue & Comparable>(
    _ path: KeyPath<R, V?>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...
  ) throws -> V? {
    try query(condition, arguments).min(path)
  }

  /// The async twin of ``min(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func min<V: StorableValue & Comparable>(
    _ path: KeyPath<R, V?>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await query(condition, arguments).min(path)
  }

  /// Returns the greatest of a property's values, in the order that a sort uses; nil if there are
  /// none.
  ///
  /// - Throws: ``NacreError``.
  public func max<V: StorableValue & Comparable>(
    _ path: KeyPath<R, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...
  ) throws -> V? {
    try query(condition, arguments).max(path)
  }

  /// The async twin of ``max(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func max<V: StorableValue & Comparable>(
    _ path: KeyPath<R, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await query(condition, arguments).max(path)
  }

  /// Returns the greatest of a property's values, in the order that a sort uses; nil if there are
  /// none.
  ///
  /// - Throws: ``NacreError``.
  public func max<V: StorableValue & Comparable>(
    _ path: KeyPath<R, V?>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...
  ) throws -> V? {
    try query(condition, arguments).max(path)
  }

  /// The async twin of ``max(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func max<V: StorableValue & Comparable>(
    _ path: KeyPath<R, V?>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await query(condition, arguments).max(path)
  }

  /// Returns the average of a property's values; nil if there are none.
  ///
  /// - Throws: ``NacreError``.
  public func average<V: SummableValue>(
    _ path: KeyPath<R, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...
  ) throws -> Double? {
    try query(condition, arguments).average(path)
  }

  /// The async twin of ``average(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func average<V: SummableValue>(
    _ path: KeyPath<R, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Double? {
    try await query(condition, arguments).average(path)
  }
}
