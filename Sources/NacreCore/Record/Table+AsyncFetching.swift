import NacreEngine
import NacreStore

// The async twins of the calls that read a table. They run on a thread of their own, because
// nothing else refers to the records yet.

extension Table {
  /// The async twin of ``fetch(key:)``.
  ///
  /// - Throws: ``NacreError``.
  public func fetch(key: any StorableValue...) async throws -> sending R? {
    let (layout, key) = (try layout, try Self.key(key))
    return try await store.readFresh { try $0.entities.fetch(keys: [key], layout).first }
  }

  /// The async twin of ``fetch(keys:)``.
  ///
  /// - Throws: ``NacreError``.
  public func fetch(
    keys: some Sequence<some StorableValue>
  ) async throws -> sending [R] {
    let (layout, keys) = (try layout, try Self.keys(keys))
    return try await store.readFresh { try $0.entities.fetch(keys: keys, layout) }
  }

  /// The async twin of ``first()``.
  ///
  /// - Throws: ``NacreError``.
  public func first() async throws -> sending R? {
    let layout = try layout
    return try await store.readFresh { try $0.entities.fetch(layout, isLast: false) }
  }

  /// The async twin of ``latest()``.
  ///
  /// - Throws: ``NacreError``.
  public func latest() async throws -> sending R? {
    let layout = try layout
    return try await store.readFresh { try $0.entities.fetch(layout, isLast: true) }
  }

  /// The async twin of ``fetchOne(where:_:orderBy:)``.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func fetchOne(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil
  ) async throws -> sending R? {
    let layout = try layout
    let request = try layout.request(condition, arguments, order, nil, 1)
    return try await store.readFresh { try $0.entities.fetch(request, layout).first }
  }

  /// The async twin of ``fetchOne(_:equals:)``.
  ///
  /// - Throws: ``NacreError``, also if the property is sealed and not searchable.
  public func fetchOne<V>(
    _ path: KeyPath<R, V>,
    equals value: V
  ) async throws -> sending R? {
    let (layout, match) = (try layout, try match(path, [value], limit: 1))
    return try await store.readFresh { try $0.entities.fetch(match, layout).first }
  }

  /// The async twin of ``fetchAll(_:equals:)``.
  ///
  /// - Throws: ``NacreError``, also if the property is sealed and not searchable.
  public func fetchAll<V>(
    _ path: KeyPath<R, V>,
    equals value: V
  ) async throws -> sending [R] {
    let (layout, match) = (try layout, try match(path, [value]))
    return try await store.readFresh { try $0.entities.fetch(match, layout) }
  }

  /// The async twin of ``fetchAll(_:in:)``.
  ///
  /// - Throws: ``NacreError``, also if the property is sealed and not searchable.
  public func fetchAll<V>(
    _ path: KeyPath<R, V>,
    in values: some Sequence<V>
  ) async throws -> sending [R] {
    let (layout, match) = (try layout, try match(path, Array(values)))
    return try await store.readFresh { try $0.entities.fetch(match, layout) }
  }

  /// The async twin of ``fetchAll(orderBy:page:size:)``.
  ///
  /// - Throws: ``NacreError``.
  public func fetchAll(
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil
  ) async throws -> sending [R] {
    let layout = try layout
    let request = try layout.request(nil, [], order, page, size)
    return try await store.readFresh { try $0.entities.fetch(request, layout) }
  }

  /// The async twin of ``fetchAll(where:_:orderBy:page:size:)``.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func fetchAll(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil
  ) async throws -> sending [R] {
    let layout = try layout
    let request = try layout.request(condition, arguments, order, page, size)
    return try await store.readFresh { try $0.entities.fetch(request, layout) }
  }

  /// The async twin of ``fetch(sql:_:)``.
  ///
  /// - Throws: ``NacreError``.
  public func fetch(
    sql: String,
    _ arguments: (any QueryArgument)?...
  ) async throws -> sending [R] {
    let (layout, sql) = (try layout, try SQLArguments(sql, arguments))
    return try await store.readFresh { try $0.entities.fetch(sql: sql.text, sql.values, layout) }
  }

  /// The async twin of ``count(where:_:)``.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func count(
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...
  ) async throws -> Int {
    let layout = try layout
    let terms = try layout.condition(condition, arguments)
    return try await store.readFresh {
      try $0.entities.count(where: terms.text, terms.values, layout)
    }
  }

  /// The async twin of ``columnNames()``.
  ///
  /// - Throws: ``NacreError``.
  public func columnNames() async throws -> [String] {
    let layout = try layout
    return try await store.readFresh { try $0.entities.columnNames(layout) }
  }
}
