import NacreCore
import NacreEngine
import NacreStore

extension Table {
  /// Fetches the record that has a key; nil if there is none.
  ///
  /// - Parameter key: a value for each column of the key.
  /// - Returns: the record, or nil.
  /// - Throws: ``NacreError``.
  public func fetch(key: any StorableValue...) throws -> R? {
    let key = try Self.key(key)
    return try read { try $0.fetch(keys: [key], $1).first }
  }

  /// The async twin of ``fetch(key:)``.
  ///
  /// - Throws: ``NacreError``.
  public func fetch(key: any StorableValue...) async throws -> sending R? {
    let key = try Self.key(key)
    return try await readFresh { try $0.fetch(keys: [key], $1).first }
  }

  /// Fetches the records that have these keys.
  ///
  /// - Returns: the records in the order of the keys; a key that no record has is skipped.
  /// - Throws: ``NacreError``.
  public func fetch(keys: some Sequence<some StorableValue>) throws -> [R] {
    let keys = try Self.keys(keys)
    return try read { try $0.fetch(keys: keys, $1) }
  }

  /// The async twin of ``fetch(keys:)``.
  ///
  /// - Throws: ``NacreError``.
  public func fetch(
    keys: some Sequence<some StorableValue>
  ) async throws -> sending [R] {
    let keys = try Self.keys(keys)
    return try await readFresh { try $0.fetch(keys: keys, $1) }
  }

  /// Fetches the record with the lowest key; nil if there is none.
  ///
  /// - Throws: ``NacreError``.
  public func first() throws -> R? {
    try all.ordered(by: QueryOrder(keyOf: schema.row)).fetchOne()
  }

  /// The async twin of ``first()``.
  ///
  /// - Throws: ``NacreError``.
  public func first() async throws -> sending R? {
    try await all.ordered(by: QueryOrder(keyOf: schema.row)).fetchOne()
  }

  /// Fetches the record with the highest key; nil if there is none.
  ///
  /// If the database generates the keys, this is the record that was inserted last.
  ///
  /// - Throws: ``NacreError``.
  public func latest() throws -> R? {
    try all.ordered(by: QueryOrder(keyOf: schema.row, isDescending: true)).fetchOne()
  }

  /// The async twin of ``latest()``.
  ///
  /// - Throws: ``NacreError``.
  public func latest() async throws -> sending R? {
    try await all.ordered(by: QueryOrder(keyOf: schema.row, isDescending: true)).fetchOne()
  }

  /// Fetches a record by the value of one property; nil if there is none.
  ///
  /// - Parameters:
  ///   - path: a plain property, or a sealed one that is searchable.
  ///   - value: the value; nil finds a record whose property is nil.
  /// - Returns: the record, or nil.
  /// - Throws: ``NacreError``, also if the property is sealed and not searchable.
  public func fetchOne<V>(_ path: KeyPath<R, V>, equals value: V) throws -> R? {
    try all.matching(path, in: [value]).fetchOne()
  }

  /// The async twin of ``fetchOne(_:equals:)``.
  ///
  /// - Throws: ``NacreError``, also if the property is sealed and not searchable.
  public func fetchOne<V>(
    _ path: KeyPath<R, V>,
    equals value: V
  ) async throws -> sending R? {
    try await all.matching(path, in: [value]).fetchOne()
  }

  /// Fetches all records with the given value of one property.
  ///
  /// - Throws: ``NacreError``, also if the property is sealed and not searchable.
  public func fetchAll<V>(_ path: KeyPath<R, V>, equals value: V) throws -> [R] {
    try all.matching(path, in: [value]).fetchAll()
  }

  /// The async twin of ``fetchAll(_:equals:)``.
  ///
  /// - Throws: ``NacreError``, also if the property is sealed and not searchable.
  public func fetchAll<V>(
    _ path: KeyPath<R, V>,
    equals value: V
  ) async throws -> sending [R] {
    try await all.matching(path, in: [value]).fetchAll()
  }

  /// Fetches all records whose property has one of these values, each record once, in no particular
  /// order.
  ///
  /// - Throws: ``NacreError``, also if the property is sealed and not searchable.
  public func fetchAll<V>(_ path: KeyPath<R, V>, in values: some Sequence<V>) throws -> [R] {
    try all.matching(path, in: Array(values)).fetchAll()
  }

  /// The async twin of ``fetchAll(_:in:)``.
  ///
  /// - Throws: ``NacreError``, also if the property is sealed and not searchable.
  public func fetchAll<V>(
    _ path: KeyPath<R, V>,
    in values: some Sequence<V>
  ) async throws -> sending [R] {
    try await all.matching(path, in: Array(values)).fetchAll()
  }

  /// Fetches all records, or one page of them.
  ///
  /// - Parameters:
  ///   - order: SQL, such as `"age DESC"`.
  ///   - page: the page's index, from 0.
  ///   - size: how many records a page has; nil, 0 or less fetches all.
  /// - Returns: the records.
  /// - Throws: ``NacreError``.
  public func fetchAll(
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil
  ) throws -> [R] {
    try all.arranged(order, page, size).fetchAll()
  }

  /// The async twin of ``fetchAll(orderBy:page:size:)``.
  ///
  /// - Throws: ``NacreError``.
  public func fetchAll(
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil
  ) async throws -> sending [R] {
    try await all.arranged(order, page, size).fetchAll()
  }

  /// Fetches the records that match a condition, or one page of them.
  ///
  /// - Parameters:
  ///   - condition: SQL with `?` for each argument, such as `"age > ?"`.
  ///   - arguments: the values of the `?`.
  ///   - order: SQL, such as `"age DESC"`.
  ///   - page: the page's index, from 0.
  ///   - size: how many records a page has; nil, 0 or less fetches all.
  /// - Returns: the records.
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func fetchAll(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil
  ) throws -> [R] {
    try all.matching(condition, arguments).arranged(order, page, size).fetchAll()
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
    try await all.matching(condition, arguments).arranged(order, page, size).fetchAll()
  }

  /// Returns how many records there are.
  ///
  /// - Throws: ``NacreError``.
  public func count() throws -> Int { try all.count() }

  /// The async twin of ``count()``.
  ///
  /// - Throws: ``NacreError``.
  public func count() async throws -> Int { try await all.count() }

  /// Reads all records one after another, in constant memory.
  /// ```swift
  /// let students = try Table<Student>().cursor(orderBy: "name")
  /// while let student = try students.next() { print(student.name) }
  /// ```
  ///
  /// - Parameter order: SQL, such as `"age DESC"`.
  /// - Returns: the cursor, before its first record.
  /// - Throws: ``NacreError``.
  public func cursor(orderBy order: String? = nil) throws -> RecordCursor<R> {
    try all.arranged(order).cursor()
  }

  /// The async twin of ``cursor(orderBy:)``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``.
  public func cursor(orderBy order: String? = nil) async throws -> sending RecordCursor<R> {
    try await all.arranged(order).cursor()
  }

  /// Reads records from the caller's own query, such as a join.
  ///
  /// Columns are matched to properties by name, whatever the case. Columns that the record does not
  /// have are skipped. Properties without a column keep the value of a new record.
  ///
  /// - Parameters:
  ///   - sql: one statement that reads; if it selects sealed columns, it must also select the
  ///     table's `objectID`.
  ///   - arguments: the values of the `?`.
  /// - Returns: the records.
  /// - Throws: ``NacreError``.
  public func fetch(sql: String, _ arguments: (any QueryArgument)?...) throws -> [R] {
    let sql = try SQLArguments(sql, arguments)
    return try read { try $0.fetch(sql: sql.text, sql.values, $1) }
  }

  /// The async twin of ``fetch(sql:_:)``.
  ///
  /// - Throws: ``NacreError``.
  public func fetch(
    sql: String,
    _ arguments: (any QueryArgument)?...
  ) async throws -> sending [R] {
    let sql = try SQLArguments(sql, arguments)
    return try await readFresh { try $0.fetch(sql: sql.text, sql.values, $1) }
  }

  /// Reads records from the caller's own query with named arguments.
  ///
  /// - Throws: ``NacreError``, also if an argument is missing.
  public func fetch(sql: String, _ arguments: NamedArguments) throws -> [R] {
    let sql = try SQLArguments(sql, arguments)
    return try read { try $0.fetch(sql: sql.text, sql.values, $1) }
  }

  /// The async twin of ``fetch(sql:_:)-(_,NamedArguments)``.
  ///
  /// - Throws: ``NacreError``, also if an argument is missing.
  public func fetch(
    sql: String,
    _ arguments: NamedArguments
  ) async throws -> sending [R] {
    let sql = try SQLArguments(sql, arguments)
    return try await readFresh { try $0.fetch(sql: sql.text, sql.values, $1) }
  }
}
