import NacreCore
import NacreEngine
import NacreStore

extension Table {
  /// Writes a record over the row that has its key.
  ///
  /// - Parameters:
  ///   - record: the record; properties that are nil clear their columns, or set the column's
  ///     default.
  ///   - paths: the properties to write; all if none are named.
  /// - Throws: ``NacreError``: `noKey`, `objectDeleted` if no row has the key, `invalidRecord`,
  ///   `constraint`.
  public func update(_ record: R, only paths: PartialKeyPath<R>...) throws {
    try write { try $0.update(record, $1, paths) }
  }

  /// The async twin of ``update(_:only:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  public func update(
    _ record: R,
    only paths: PartialKeyPath<R>...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try await write { try $0.update(record, $1, paths) }
  }

  /// Writes the properties in which a record differs from a former copy of it.
  ///
  /// It writes to the row that has the former copy's key, so the key itself can change.
  ///
  /// - Parameters:
  ///   - record: the record as it should be stored.
  ///   - former: a copy from before the changes, such as the record as it was fetched.
  /// - Returns: whether anything differs; if not, nothing is written.
  /// - Throws: ``NacreError``, also if no row has the former copy's key.
  @discardableResult
  public func update(_ record: R, since former: R) throws -> Bool {
    try write { try $0.update(record, since: former, $1) }
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
    try await write { try $0.update(record, since: former, $1) }
  }

  /// Writes records over their rows, all or none, in one transaction or in the caller's.
  ///
  /// - Returns: how many rows there were.
  /// - Throws: ``NacreError``, whose `index` says which record could not be written.
  @discardableResult
  public func update(contentsOf records: some Sequence<R>) throws -> Int {
    try write { try $0.update(contentsOf: records, $1) }
  }

  /// The async twin of ``update(contentsOf:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func update(
    contentsOf records: some Sequence<R>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    try await write { try $0.update(contentsOf: records, $1) }
  }

  /// Sets values in the row that has a key, without loading or validating the record.
  ///
  /// - Parameters:
  ///   - assignments: the new values, such as `[.set(\.name, to: "Ada"), .set(\.age, to: nil)]`.
  ///   - key: a value for each column of the key.
  /// - Returns: how many rows were changed, 0 or 1.
  /// - Throws: ``NacreError``.
  @discardableResult
  public func update(_ assignments: [Assignment<R>], key: any StorableValue...) throws -> Int {
    let (made, key) = (try all.made(assignments), try Self.key(key))
    return try write { try $0.update(made, $1, keys: [key]) }
  }

  /// The async twin of ``update(_:key:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func update(
    _ assignments: [Assignment<R>],
    key: any StorableValue...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    let (made, key) = (try all.made(assignments), try Self.key(key))
    return try await write { try $0.update(made, $1, keys: [key]) }
  }

  /// Sets values in the rows that have these keys, without loading or validating the records.
  ///
  /// - Returns: how many rows were changed.
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func update(
    _ assignments: [Assignment<R>],
    keys: some Sequence<some StorableValue>
  ) throws -> Int {
    let (made, keys) = (try all.made(assignments), try Self.keys(keys))
    return try write { try $0.update(made, $1, keys: keys) }
  }

  /// The async twin of ``update(_:keys:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func update(
    _ assignments: [Assignment<R>],
    keys: some Sequence<some StorableValue>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    let (made, keys) = (try all.made(assignments), try Self.keys(keys))
    return try await write { try $0.update(made, $1, keys: keys) }
  }
}
