import NacreCore
import NacreEngine
import NacreStore

extension Table {
  /// Deletes the row that has the record's key.
  ///
  /// - Returns: whether there was one.
  /// - Throws: ``NacreError``, also if the record has no key.
  @discardableResult
  public func delete(_ record: R) throws -> Bool {
    try write { try $0.delete(record, $1) }
  }

  /// The async twin of ``delete(_:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func delete(
    _ record: R,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Bool {
    try await write { try $0.delete(record, $1) }
  }

  /// Deletes the rows of records, all or none.
  ///
  /// - Returns: how many rows there were.
  /// - Throws: ``NacreError``, whose `index` says which record failed.
  @discardableResult
  public func delete(contentsOf records: some Sequence<R>) throws -> Int {
    try write { try $0.delete(contentsOf: records, $1) }
  }

  /// The async twin of ``delete(contentsOf:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func delete(
    contentsOf records: some Sequence<R>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    try await write { try $0.delete(contentsOf: records, $1) }
  }

  /// Deletes the row that has a key.
  ///
  /// - Parameter key: a value for each column of the key.
  /// - Returns: whether there was one.
  /// - Throws: ``NacreError``.
  @discardableResult
  public func delete(key: any StorableValue...) throws -> Bool {
    let key = try Self.key(key)
    return try write { try $0.delete(keys: [key], $1) > 0 }
  }

  /// The async twin of ``delete(key:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func delete(
    key: any StorableValue...,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Bool {
    let key = try Self.key(key)
    return try await write { try $0.delete(keys: [key], $1) > 0 }
  }

  /// Deletes the rows that have these keys, all or none.
  ///
  /// - Returns: how many there were; a key that no row has is no error.
  /// - Throws: ``NacreError``.
  @discardableResult
  public func delete(keys: some Sequence<some StorableValue>) throws -> Int {
    let keys = try Self.keys(keys)
    return try write { try $0.delete(keys: keys, $1) }
  }

  /// The async twin of ``delete(keys:)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func delete(
    keys: some Sequence<some StorableValue>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    let keys = try Self.keys(keys)
    return try await write { try $0.delete(keys: keys, $1) }
  }

  /// Deletes all rows, and starts the keys that the database generates at 1 again.
  ///
  /// - Parameter shrinksFile: whether to rewrite the file without the space that the rows took;
  ///   this takes time in proportion to the file's size, and is an error inside a transaction.
  /// - Returns: how many rows there were.
  /// - Throws: ``NacreError``; then nothing is deleted, except if the file can't be shrunk: the
  ///   error's detail then says that the rows are deleted.
  @discardableResult
  public func truncate(shrinksFile: Bool = false) throws -> Int {
    try write { try $0.truncate($1, shrinksFile: shrinksFile) }
  }

  /// The async twin of ``truncate(shrinksFile:)``.
  ///
  /// - Throws: ``NacreError``; nothing is deleted then, except if the file can't be shrunk.
  @discardableResult
  public func truncate(
    shrinksFile: Bool = false,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    try await write { try $0.truncate($1, shrinksFile: shrinksFile) }
  }
}
