import NacreStore

// The async twins of the calls with named arguments.

extension Table {
  /// The async twin of ``fetchOne(where:_:orderBy:)-(_,NamedArguments,_)``.
  ///
  /// - Throws: ``NacreError``, also if an argument is missing.
  public func fetchOne(
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil
  ) async throws -> sending R? {
    let schema = try schema
    let request = schema.request(try schema.condition(condition, arguments), order, nil, 1)
    return try await store.readFresh { try $0.entities.fetch(request, schema).first }
  }

  /// The async twin of ``fetchAll(where:_:orderBy:page:size:)-(_,NamedArguments,_,_,_)``.
  ///
  /// - Throws: ``NacreError``, also if an argument is missing.
  public func fetchAll(
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil
  ) async throws -> sending [R] {
    let schema = try schema
    let request = schema.request(try schema.condition(condition, arguments), order, page, size)
    return try await store.readFresh { try $0.entities.fetch(request, schema) }
  }

  /// The async twin of ``fetch(sql:_:)-(_,NamedArguments)``.
  ///
  /// - Throws: ``NacreError``, also if an argument is missing.
  public func fetch(
    sql: String,
    _ arguments: NamedArguments
  ) async throws -> sending [R] {
    let (schema, sql) = (try schema, try SQLArguments(sql, arguments))
    return try await store.readFresh { try $0.entities.fetch(sql: sql.text, sql.values, schema) }
  }

  /// The async twin of ``count(where:_:)-(_,NamedArguments)``.
  ///
  /// - Throws: ``NacreError``, also if an argument is missing.
  public func count(where condition: String, _ arguments: NamedArguments) async throws -> Int {
    let schema = try schema
    let terms = try schema.condition(condition, arguments)
    return try await store.readFresh {
      try $0.entities.count(where: terms.text, terms.values, schema)
    }
  }

  /// The async twin of ``updateAll(_:where:_:)-(_,_,NamedArguments)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func updateAll(
    _ assignments: [RecordAssignment<R>],
    where condition: String,
    _ arguments: NamedArguments,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    let schema = try schema
    let terms = try schema.condition(condition, arguments)
    return try await store.withWriterAsync(isolation: isolation) {
      try $0.entities.update(assignments, schema, where: terms.text, terms.values)
    }
  }

  /// The async twin of ``deleteAll(where:_:)-(_,NamedArguments)``.
  ///
  /// - Throws: ``NacreError``; nothing is deleted then.
  @discardableResult
  public func deleteAll(
    where condition: String,
    _ arguments: NamedArguments,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    let schema = try schema
    let terms = try schema.condition(condition, arguments)
    return try await store.withWriterAsync(isolation: isolation) {
      try $0.entities.delete(where: terms.text, terms.values, schema)
    }
  }
}
