import NacreEngine
import NacreStore

// The async twins of the calls that read a table. They run on a thread of their own, because
// nothing else refers to the records yet.

extension Table {
  /// The async twin of ``fetch(key:)``.
  ///
  /// - Throws: ``NacreError``.
  public func fetch(key: any StorableValue...) async throws -> sending R? {
    let (schema, key) = (try schema, try Self.key(key))
    return try await store.readFresh { try $0.entities.fetch(keys: [key], schema).first }
  }

  /// The async twin of ``fetch(keys:)``.
  ///
  /// - Throws: ``NacreError``.
  public func fetch(
    keys: some Sequence<some StorableValue>
  ) async throws -> sending [R] {
    let (schema, keys) = (try schema, try Self.keys(keys))
    return try await store.readFresh { try $0.entities.fetch(keys: keys, schema) }
  }

  /// The async twin of ``first()``.
  ///
  /// - Throws: ``NacreError``.
  public func first() async throws -> sending R? {
    let schema = try schema
    return try await store.readFresh { try $0.entities.fetch(schema, isLast: false) }
  }

  /// The async twin of ``latest()``.
  ///
  /// - Throws: ``NacreError``.
  public func latest() async throws -> sending R? {
    let schema = try schema
    return try await store.readFresh { try $0.entities.fetch(schema, isLast: true) }
  }

  /// The async twin of ``fetchOne(where:_:orderBy:)``.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func fetchOne(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil
  ) async throws -> sending R? {
    let schema = try schema
    let request = try schema.request(condition, arguments, order, nil, 1)
    return try await store.readFresh { try $0.entities.fetch(request, schema).first }
  }

  /// The async twin of ``fetchOne(_:equals:)``.
  ///
  /// - Throws: ``NacreError``, also if the property is sealed and not searchable.
  public func fetchOne<V>(
    _ path: KeyPath<R, V>,
    equals value: V
  ) async throws -> sending R? {
    let (schema, match) = (try schema, try match(path, [value], limit: 1))
    return try await store.readFresh { try $0.entities.fetch(match, schema).first }
  }

  /// The async twin of ``fetchAll(_:equals:)``.
  ///
  /// - Throws: ``NacreError``, also if the property is sealed and not searchable.
  public func fetchAll<V>(
    _ path: KeyPath<R, V>,
    equals value: V
  ) async throws -> sending [R] {
    let (schema, match) = (try schema, try match(path, [value]))
    return try await store.readFresh { try $0.entities.fetch(match, schema) }
  }

  /// The async twin of ``fetchAll(_:in:)``.
  ///
  /// - Throws: ``NacreError``, also if the property is sealed and not searchable.
  public func fetchAll<V>(
    _ path: KeyPath<R, V>,
    in values: some Sequence<V>
  ) async throws -> sending [R] {
    let (schema, match) = (try schema, try match(path, Array(values)))
    return try await store.readFresh { try $0.entities.fetch(match, schema) }
  }

  /// The async twin of ``fetchAll(orderBy:page:size:)``.
  ///
  /// - Throws: ``NacreError``.
  public func fetchAll(
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil
  ) async throws -> sending [R] {
    let schema = try schema
    let request = try schema.request(nil, [], order, page, size)
    return try await store.readFresh { try $0.entities.fetch(request, schema) }
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
    let schema = try schema
    let request = try schema.request(condition, arguments, order, page, size)
    return try await store.readFresh { try $0.entities.fetch(request, schema) }
  }

  /// The async twin of ``fetch(sql:_:)``.
  ///
  /// - Throws: ``NacreError``.
  public func fetch(
    sql: String,
    _ arguments: (any QueryArgument)?...
  ) async throws -> sending [R] {
    let (schema, sql) = (try schema, try SQLArguments(sql, arguments))
    return try await store.readFresh { try $0.entities.fetch(sql: sql.text, sql.values, schema) }
  }

  /// The async twin of ``count(where:_:)``.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func count(
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...
  ) async throws -> Int {
    let schema = try schema
    let terms = try schema.condition(condition, arguments)
    return try await store.readFresh {
      try $0.entities.count(where: terms.text, terms.values, schema)
    }
  }

  /// The async twin of ``columnNames()``.
  ///
  /// - Throws: ``NacreError``.
  public func columnNames() async throws -> [String] {
    let schema = try schema
    return try await store.readFresh { try $0.entities.columnNames(schema) }
  }
}
