import NacreEngine
import NacreStore

// The async twins of the calls that write to a table. They wait for the writer, and run on the
// caller's own actor, because the records stay there.

extension Table {
  /// The async twin of ``create()``.
  ///
  /// - Throws: ``NacreError``.
  public func create(isolation: isolated (any Actor)? = #isolation) async throws {
    let layout = try layout
    try await store.withWriterAsync(isolation: isolation) { _ = try $0.entities.plan(for: layout) }
  }

  /// The async twin of ``migrate()``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  public func migrate(isolation: isolated (any Actor)? = #isolation) async throws {
    let layout = try layout
    try await store.withWriterAsync(isolation: isolation) { try $0.entities.migrate(layout) }
  }

  /// The async twin of ``insert(_:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  public func insert(
    _ record: inout R,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    let layout = try layout
    try await store.withWriterAsync(isolation: isolation) {
      try $0.entities.insert(&record, layout)
    }
  }

  /// The async twin of ``insert(_:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  public func insert(
    _ record: R,
    isolation: isolated (any Actor)? = #isolation
  ) async throws where R: AnyObject {
    var record = record
    try await insert(&record, isolation: isolation)
  }

  /// The async twin of ``insert(contentsOf:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func insert(
    contentsOf records: some Sequence<R>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    let layout = try layout
    return try await store.withWriterAsync(isolation: isolation) {
      try $0.entities.insert(contentsOf: records, layout)
    }
  }

  /// The async twin of ``insert(contentsOf:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  public func insert(
    contentsOf records: inout [R],
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    let layout = try layout
    try await store.withWriterAsync(isolation: isolation) {
      try $0.entities.insert(contentsOf: &records, layout)
    }
  }

  /// The async twin of ``upsert(_:keepsNil:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  public func upsert(
    _ record: inout R,
    keepsNil: Bool = false,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    let layout = try layout
    try await store.withWriterAsync(isolation: isolation) {
      try $0.entities.upsert(&record, layout, by: nil, keepsNil: keepsNil)
    }
  }

  /// The async twin of ``upsert(_:by:keepsNil:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  public func upsert<V>(
    _ record: inout R,
    by path: WritableKeyPath<R, V>,
    keepsNil: Bool = false,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    let layout = try layout
    try await store.withWriterAsync(isolation: isolation) {
      try $0.entities.upsert(&record, layout, by: path, keepsNil: keepsNil)
    }
  }

  /// The async twin of ``update(_:only:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  public func update(
    _ record: R,
    only paths: PartialKeyPath<R>...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    let layout = try layout
    try await store.withWriterAsync(isolation: isolation) {
      try $0.entities.update(record, layout, paths)
    }
  }

  /// The async twin of ``update(_:since:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func update(
    _ record: R,
    since former: R,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Bool {
    let layout = try layout
    return try await store.withWriterAsync(isolation: isolation) {
      try $0.entities.update(record, since: former, layout)
    }
  }

  /// The async twin of ``update(contentsOf:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func update(
    contentsOf records: some Sequence<R>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    let layout = try layout
    return try await store.withWriterAsync(isolation: isolation) {
      try $0.entities.update(contentsOf: records, layout)
    }
  }

  /// The async twin of ``update(_:key:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func update(
    _ assignments: [RecordAssignment<R>],
    key: any StorableValue...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    let (layout, key) = (try layout, try Self.key(key))
    return try await store.withWriterAsync(isolation: isolation) {
      try $0.entities.update(assignments, layout, keys: [key])
    }
  }

  /// The async twin of ``update(_:keys:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func update(
    _ assignments: [RecordAssignment<R>],
    keys: some Sequence<some StorableValue>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    let (layout, keys) = (try layout, try Self.keys(keys))
    return try await store.withWriterAsync(isolation: isolation) {
      try $0.entities.update(assignments, layout, keys: keys)
    }
  }

  /// The async twin of ``updateAll(_:where:_:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func updateAll(
    _ assignments: [RecordAssignment<R>],
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    let layout = try layout
    let terms = try layout.condition(condition, arguments)
    return try await store.withWriterAsync(isolation: isolation) {
      try $0.entities.update(assignments, layout, where: terms.text, terms.values)
    }
  }
}

// MARK: - Deleting

extension Table {
  /// The async twin of ``delete(_:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func delete(
    _ record: R,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Bool {
    let layout = try layout
    return try await store.withWriterAsync(isolation: isolation) {
      try $0.entities.delete(record, layout)
    }
  }

  /// The async twin of ``delete(contentsOf:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func delete(
    contentsOf records: some Sequence<R>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    let layout = try layout
    return try await store.withWriterAsync(isolation: isolation) {
      try $0.entities.delete(contentsOf: records, layout)
    }
  }

  /// The async twin of ``delete(key:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func delete(
    key: any StorableValue...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Bool {
    let (layout, key) = (try layout, try Self.key(key))
    return try await store.withWriterAsync(isolation: isolation) {
      try $0.entities.delete(keys: [key], layout) > 0
    }
  }

  /// The async twin of ``delete(keys:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func delete(
    keys: some Sequence<some StorableValue>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    let (layout, keys) = (try layout, try Self.keys(keys))
    return try await store.withWriterAsync(isolation: isolation) {
      try $0.entities.delete(keys: keys, layout)
    }
  }

  /// The async twin of ``deleteAll(where:_:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func deleteAll(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    let layout = try layout
    let terms = try layout.condition(condition, arguments)
    return try await store.withWriterAsync(isolation: isolation) {
      try $0.entities.delete(where: terms.text, terms.values, layout)
    }
  }

  /// The async twin of ``truncate(shrinksFile:)``.
  ///
  /// - Throws: ``NacreError``; nothing is deleted then, except if the file can't be shrunk.
  @discardableResult
  public func truncate(
    shrinksFile: Bool = false,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    let layout = try layout
    return try await store.withWriterAsync(isolation: isolation) {
      try $0.entities.truncate(layout, shrinksFile: shrinksFile)
    }
  }
}
