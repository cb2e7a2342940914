import NacreEngine
import NacreStore

extension Table {
  /// Fetches the record that has a key; nil if there is none.
  ///
  /// - Parameter key: a value for each column of the key.
  /// - Returns: the record, or nil.
  /// - Throws: ``NacreError``.
  public func fetch(key: any StorableValue...) throws -> R? {
    let (schema, key) = (try schema, try Self.key(key))
    return try store.withReader { try $0.entities.fetch(keys: [key], schema).first }
  }

  /// Fetches the records that have these keys.
  ///
  /// - Returns: the records in the order of the keys; a key that no record has is skipped.
  /// - Throws: ``NacreError``.
  public func fetch(keys: some Sequence<some StorableValue>) throws -> [R] {
    let (schema, keys) = (try schema, try Self.keys(keys))
    return try store.withReader { try $0.entities.fetch(keys: keys, schema) }
  }

  /// Fetches the record with the lowest key; nil if there is none.
  ///
  /// - Throws: ``NacreError``.
  public func first() throws -> R? {
    let schema = try schema
    return try store.withReader { try $0.entities.fetch(schema, isLast: false) }
  }

  /// Fetches the record with the highest key; nil if there is none.
  ///
  /// If the database generates the keys, this is the record that was inserted last.
  ///
  /// - Throws: ``NacreError``.
  public func latest() throws -> R? {
    let schema = try schema
    return try store.withReader { try $0.entities.fetch(schema, isLast: true) }
  }

  /// Fetches the first record that matches a condition; nil if there is none.
  ///
  /// - Parameters:
  ///   - condition: SQL with `?` for each argument, such as `"age > ?"`.
  ///   - arguments: the values of the `?`.
  ///   - order: SQL, such as `"age DESC"`.
  /// - Returns: the record, or nil.
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func fetchOne(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil
  ) throws -> R? {
    let schema = try schema
    let request = try schema.request(condition, arguments, order, nil, 1)
    return try store.withReader { try $0.entities.fetch(request, schema).first }
  }

  /// Fetches a record by the value of one property; nil if there is none.
  ///
  /// - Parameters:
  ///   - path: a plain property, or a sealed one that is searchable.
  ///   - value: the value; nil finds a record whose property is nil.
  /// - Returns: the record, or nil.
  /// - Throws: ``NacreError``, also if the property is sealed and not searchable.
  public func fetchOne<V>(_ path: KeyPath<R, V>, equals value: V) throws -> R? {
    let (schema, match) = (try schema, try match(path, [value], limit: 1))
    return try store.withReader { try $0.entities.fetch(match, schema).first }
  }

  /// Fetches all records with the given value of one property.
  ///
  /// - Throws: ``NacreError``, also if the property is sealed and not searchable.
  public func fetchAll<V>(_ path: KeyPath<R, V>, equals value: V) throws -> [R] {
    let (schema, match) = (try schema, try match(path, [value]))
    return try store.withReader { try $0.entities.fetch(match, schema) }
  }

  /// Fetches all records whose property has one of these values, each record once, in no particular
  /// order.
  ///
  /// - Throws: ``NacreError``, also if the property is sealed and not searchable.
  public func fetchAll<V>(_ path: KeyPath<R, V>, in values: some Sequence<V>) throws -> [R] {
    let (schema, match) = (try schema, try match(path, Array(values)))
    return try store.withReader { try $0.entities.fetch(match, schema) }
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
    let schema = try schema
    let request = try schema.request(nil, [], order, page, size)
    return try store.withReader { try $0.entities.fetch(request, schema) }
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
    let schema = try schema
    let request = try schema.request(condition, arguments, order, page, size)
    return try store.withReader { try $0.entities.fetch(request, schema) }
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
    let (schema, sql) = (try schema, try SQLArguments(sql, arguments))
    return try store.withReader { try $0.entities.fetch(sql: sql.text, sql.values, schema) }
  }
}

// MARK: - Counts and sums

extension Table {
  /// Returns how many records there are, or how many match a condition.
  ///
  /// - Throws: ``NacreError``, also if the condition reads a sealed column.
  public func count(
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...
  ) throws -> Int {
    let schema = try schema
    let terms = try schema.condition(condition, arguments)
    return try store.withReader { try $0.entities.count(where: terms.text, terms.values, schema) }
  }

  /// Returns the sum of a property's values, without nil; zero if there are none.
  ///
  /// - Throws: ``NacreError``, also if the sum of integers does not fit.
  public func sum<V: StorableValue & AdditiveArithmetic>(
    _ path: WritableKeyPath<R, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...
  ) throws -> V {
    try values(path, condition, arguments) { try $0.sum(of: $1) }
  }

  /// Returns the sum of a property's values, without nil; zero if there are none.
  ///
  /// - Throws: ``NacreError``, also if the sum of integers does not fit.
  public func sum<V: StorableValue & AdditiveArithmetic>(
    _ path: WritableKeyPath<R, V?>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...
  ) throws -> V {
    try values(path, condition, arguments) { try $0.sum(of: $1) }
  }

  /// Returns the least of a property's values, in the order that a sort uses; nil if there are
  /// none.
  ///
  /// - Throws: ``NacreError``.
  public func min<V: StorableValue>(
    _ path: WritableKeyPath<R, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...
  ) throws -> V? {
    try values(path, condition, arguments) { try $0.aggregate(.minimum, of: $1) }
  }

  /// Returns the least of a property's values, in the order that a sort uses; nil if there are
  /// none.
  ///
  /// - Throws: ``NacreError``.
  public func min<V: StorableValue>(
    _ path: WritableKeyPath<R, V?>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...
  ) throws -> V? {
    try values(path, condition, arguments) { try $0.aggregate(.minimum, of: $1) }
  }

  /// Returns the greatest of a property's values, in the order that a sort uses; nil if there are
  /// none.
  ///
  /// - Throws: ``NacreError``.
  public func max<V: StorableValue>(
    _ path: WritableKeyPath<R, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...
  ) throws -> V? {
    try values(path, condition, arguments) { try $0.aggregate(.maximum, of: $1) }
  }

  /// Returns the greatest of a property's values, in the order that a sort uses; nil if there are
  /// none.
  ///
  /// - Throws: ``NacreError``.
  public func max<V: StorableValue>(
    _ path: WritableKeyPath<R, V?>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...
  ) throws -> V? {
    try values(path, condition, arguments) { try $0.aggregate(.maximum, of: $1) }
  }

  /// Returns the average of a property's values; nil if there are none.
  ///
  /// - Throws: ``NacreError``.
  public func average<V: StorableValue>(
    _ path: WritableKeyPath<R, V>,
    where condition: String? = nil,
    _ arguments: (any QueryArgument)?...
  ) throws -> Double? {
    try values(path, condition, arguments) { try $0.aggregate(.average, of: $1) }
  }

  private func values<T>(
    _ path: PartialKeyPath<R>,
    _ condition: String?,
    _ arguments: [(any QueryArgument)?],
    _ ask: (EntitySession, PlainColumn) throws -> T
  ) throws -> T {
    let schema = try schema
    let terms = try schema.condition(condition, arguments)
    return try store.withReader { database in
      let session = database.entities
      return try session.values(path, where: terms.text, terms.values, schema) {
        try ask(session, $0)
      }
    }
  }
}
