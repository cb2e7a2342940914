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
    let layout = try layout
    try store.withWriter { try $0.entities.update(record, layout, paths) }
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
    let layout = try layout
    return try store.withWriter { try $0.entities.update(record, since: former, layout) }
  }

  /// Writes records over their rows, all or none, in one transaction or in the caller's.
  ///
  /// - Returns: how many rows there were.
  /// - Throws: ``NacreError``, whose `index` says which record could not be written.
  @discardableResult
  public func update(contentsOf records: some Sequence<R>) throws -> Int {
    let layout = try layout
    return try store.withWriter { try $0.entities.update(contentsOf: records, layout) }
  }

  /// Sets values in the row that has a key, without loading or validating the record.
  ///
  /// - Parameters:
  ///   - assignments: the new values, such as `[.set(\.name, to: "Ada"), .set(\.age, to: nil)]`.
  ///   - key: a value for each column of the key.
  /// - Returns: how many rows were changed, 0 or 1.
  /// - Throws: ``NacreError``.
  @discardableResult
  public func update(_ assignments: [RecordAssignment<R>], key: any StorableValue...) throws -> Int
  {
    let (layout, key) = (try layout, try Self.key(key))
    return try store.withWriter { try $0.entities.update(assignments, layout, keys: [key]) }
  }

  /// Sets values in the rows that have these keys, without loading or validating the records.
  ///
  /// - Returns: how many rows were changed.
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func update(
    _ assignments: [RecordAssignment<R>],
    keys: some Sequence<some StorableValue>
  ) throws -> Int {
    let (layout, keys) = (try layout, try Self.keys(keys))
    return try store.withWriter { try $0.entities.update(assignments, layout, keys: keys) }
  }

  /// Sets values in all rows that match a condition, without loading or validating the records.
  ///
  /// - Parameters:
  ///   - assignments: the new values, such as `[.set(\.name, to: "Ada"), .set(\.age, to: nil)]`.
  ///   - condition: SQL with `?` for each argument; nil matches every row.
  ///   - arguments: the values of the `?`.
  /// - Returns: how many rows were changed.
  /// - Throws: ``NacreError``, also if the condition reads a sealed column; nothing is changed
  ///   then.
  @discardableResult
  public func updateAll(
    _ assignments: [RecordAssignment<R>],
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...
  ) throws -> Int {
    let layout = try layout
    let terms = try layout.condition(condition, arguments)
    return try store.withWriter {
      try $0.entities.update(assignments, layout, where: terms.text, terms.values)
    }
  }
}

// MARK: - Deleting

extension Table {
  /// Deletes the row that has the record's key.
  ///
  /// - Returns: whether there was one.
  /// - Throws: ``NacreError``, also if the record has no key.
  @discardableResult
  public func delete(_ record: R) throws -> Bool {
    let layout = try layout
    return try store.withWriter { try $0.entities.delete(record, layout) }
  }

  /// Deletes the rows of records, all or none.
  ///
  /// - Returns: how many rows there were.
  /// - Throws: ``NacreError``, whose `index` says which record failed.
  @discardableResult
  public func delete(contentsOf records: some Sequence<R>) throws -> Int {
    let layout = try layout
    return try store.withWriter { try $0.entities.delete(contentsOf: records, layout) }
  }

  /// Deletes the row that has a key.
  ///
  /// - Parameter key: a value for each column of the key.
  /// - Returns: whether there was one.
  /// - Throws: ``NacreError``.
  @discardableResult
  public func delete(key: any StorableValue...) throws -> Bool {
    let (layout, key) = (try layout, try Self.key(key))
    return try store.withWriter { try $0.entities.delete(keys: [key], layout) > 0 }
  }

  /// Deletes the rows that have these keys, all or none.
  ///
  /// - Returns: how many there were; a key that no row has is no error.
  /// - Throws: ``NacreError``.
  @discardableResult
  public func delete(keys: some Sequence<some StorableValue>) throws -> Int {
    let (layout, keys) = (try layout, try Self.keys(keys))
    return try store.withWriter { try $0.entities.delete(keys: keys, layout) }
  }

  /// Deletes all rows that match a condition.
  ///
  /// - Returns: how many rows there were.
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  @discardableResult
  public func deleteAll(
    where condition: String,
    _ arguments: (any QueryArgument)?...
  ) throws -> Int {
    let layout = try layout
    let terms = try layout.condition(condition, arguments)
    return try store.withWriter { try $0.entities.delete(where: terms.text, terms.values, layout) }
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
    let layout = try layout
    return try store.withWriter { try $0.entities.truncate(layout, shrinksFile: shrinksFile) }
  }
}
