// The async twins of what is made of a column's values; a value is made on the caller's own actor.

extension Table {
  /// The twin of ``sum(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``, also when the condition reads a sealed column.
  public func sum<V: StorableValue & AdditiveArithmetic>(
    _ path: WritableKeyPath<R, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V {
    let sum: V? = try await aggregate(.sum, path, condition, arguments)
    return sum ?? .zero
  }

  /// The twin of ``sum(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``, also when the condition reads a sealed column.
  public func sum<V: StorableValue & AdditiveArithmetic>(
    _ path: WritableKeyPath<R, V?>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V {
    let sum: V? = try await aggregate(.sum, path, condition, arguments)
    return sum ?? .zero
  }

  /// The twin of ``min(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``, also when the condition reads a sealed column.
  public func min<V: StorableValue>(
    _ path: WritableKeyPath<R, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await aggregate(.min, path, condition, arguments)
  }

  /// The twin of ``min(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``, also when the condition reads a sealed column.
  public func min<V: StorableValue>(
    _ path: WritableKeyPath<R, V?>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await aggregate(.min, path, condition, arguments)
  }

  /// The twin of ``max(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``, also when the condition reads a sealed column.
  public func max<V: StorableValue>(
    _ path: WritableKeyPath<R, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await aggregate(.max, path, condition, arguments)
  }

  /// The twin of ``max(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``, also when the condition reads a sealed column.
  public func max<V: StorableValue>(
    _ path: WritableKeyPath<R, V?>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    try await aggregate(.max, path, condition, arguments)
  }

  /// The twin of ``average(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``, also when the condition reads a sealed column.
  public func average<V: StorableValue>(
    _ path: WritableKeyPath<R, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Double? {
    try await aggregate(.average, path, condition, arguments)
  }

  private func aggregate<V: StorableValue>(
    _ function: RecordAggregate,
    _ path: PartialKeyPath<R>,
    _ condition: String?,
    _ arguments: [(any QueryArgument)?],
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> V? {
    let (layout, terms) = (try layout, try Self.condition(condition, arguments))
    return try await store.withReaderAsync(isolation: isolation) {
      try $0.aggregate(function, path, where: terms.text, terms.values, layout)
    }
  }
}
