import NacreStore

// The same calls with named arguments: `"age > :least"` and `["least": 20]`.

extension Table {
  /// Fetches the first record that matches a condition with named arguments; nil if there is none.
  ///
  /// - Throws: ``NacreError``, also if an argument is missing.
  public func fetchOne(
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil
  ) throws -> R? {
    let schema = try schema
    let request = schema.request(try schema.condition(condition, arguments), order, nil, 1)
    return try store.withReader { try $0.entities.fetch(request, schema).first }
  }

  /// Fetches the records that match a condition with named arguments, or one page of them.
  /// ```swift
  /// let students = try Table<Student>().fetchAll(
  ///   where: "age > :least AND name IN (:names)",
  ///   ["least": 20, "names": ["Ada", "Bob"]]
  /// )
  /// ```
  ///
  /// - Parameters:
  ///   - condition: SQL with `:name` for each argument.
  ///   - arguments: the values by name; a list is an argument of `IN (:name)`.
  ///   - order: SQL, such as `"age DESC"`.
  ///   - page: the page's index, from 0.
  ///   - size: how many records a page has; nil, 0 or less fetches all.
  /// - Returns: the records.
  /// - Throws: ``NacreError``, also if an argument is missing, or the text has no parameter of an
  ///   argument's name.
  public func fetchAll(
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil,
    page: Int? = nil,
    size: Int? = nil
  ) throws -> [R] {
    let schema = try schema
    let request = schema.request(try schema.condition(condition, arguments), order, page, size)
    return try store.withReader { try $0.entities.fetch(request, schema) }
  }

  /// Reads records from the caller's own query with named arguments.
  ///
  /// - Throws: ``NacreError``, also if an argument is missing.
  public func fetch(sql: String, _ arguments: NamedArguments) throws -> [R] {
    let (schema, sql) = (try schema, try SQLArguments(sql, arguments))
    return try store.withReader { try $0.entities.fetch(sql: sql.text, sql.values, schema) }
  }

  /// Returns how many records match a condition with named arguments.
  ///
  /// - Throws: ``NacreError``, also if an argument is missing.
  public func count(where condition: String, _ arguments: NamedArguments) throws -> Int {
    let schema = try schema
    let terms = try schema.condition(condition, arguments)
    return try store.withReader { try $0.entities.count(where: terms.text, terms.values, schema) }
  }

  /// Sets values in all rows that match a condition with named arguments.
  ///
  /// - Returns: how many rows were changed.
  /// - Throws: ``NacreError``, also if an argument is missing; nothing is changed then.
  @discardableResult
  public func updateAll(
    _ assignments: [RecordAssignment<R>],
    where condition: String,
    _ arguments: NamedArguments
  ) throws -> Int {
    let schema = try schema
    let terms = try schema.condition(condition, arguments)
    return try store.withWriter {
      try $0.entities.update(assignments, schema, where: terms.text, terms.values)
    }
  }

  /// Deletes all rows that match a condition with named arguments.
  ///
  /// - Returns: how many there were.
  /// - Throws: ``NacreError``, also if an argument is missing; nothing is deleted then.
  @discardableResult
  public func deleteAll(where condition: String, _ arguments: NamedArguments) throws -> Int {
    let schema = try schema
    let terms = try schema.condition(condition, arguments)
    return try store.withWriter { try $0.entities.delete(where: terms.text, terms.values, schema) }
  }
}
