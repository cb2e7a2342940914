import NacreEngine
import NacreStore

// The async twins of the sums and other aggregates. They run on the caller's own actor.

extension Table {
  /// The async twin of ``sum(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func sum<V: StorableValue & AdditiveArithmetic>(
    _ path: WritableKeyPath<R, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V {
    try await values(path, condition, arguments) { try $0.sum(of: $1) }
  }

  /// The async twin of ``sum(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func sum<V: StorableValue & AdditiveArithmetic>(
    _ path: WritableKeyPath<R, V?>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V {
    try await values(path, condition, arguments) { try $0.sum(of: $1) }
  }

  /// The async twin of ``min(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func min<V: StorableValue>(
    _ path: WritableKeyPath<R, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await values(path, condition, arguments) { try $0.aggregate(.minimum, of: $1) }
  }

  /// The async twin of ``min(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func min<V: StorableValue>(
    _ path: WritableKeyPath<R, V?>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await values(path, condition, arguments) { try $0.aggregate(.minimum, of: $1) }
  }

  /// The async twin of ``max(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func max<V: StorableValue>(
    _ path: WritableKeyPath<R, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await values(path, condition, arguments) { try $0.aggregate(.maximum, of: $1) }
  }

  /// The async twin of ``max(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func max<V: StorableValue>(
    _ path: WritableKeyPath<R, V?>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await values(path, condition, arguments) { try $0.aggregate(.maximum, of: $1) }
  }

  /// The async twin of ``average(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func average<V: StorableValue>(
    _ path: WritableKeyPath<R, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Double? {
    try await values(path, condition, arguments) { try $0.aggregate(.average, of: $1) }
  }

  private func values<T>(
    _ path: PartialKeyPath<R>,
    _ condition: String?,
    _ arguments: [(any QueryArgument)?],
    isolation: isolated (any Actor)? = #isolation,
    _ ask: (EntitySession, PlainColumn) throws -> T
  ) async throws -> T {
    let schema = try schema
    let terms = try schema.condition(condition, arguments)
    return try await store.withReaderAsync(isolation: isolation) { database in
      let session = database.entities
      return try session.values(path, where: terms.text, terms.values, schema) {
        try ask(session, $0)
      }
    }
  }
}
