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
    try self.where(condition, arguments).arranged(order).fetchOne()
  }

  /// The async twin of ``fetchOne(where:_:orderBy:)-(_,NamedArguments,_)``.
  ///
  /// - Throws: ``NacreError``, also if an argument is missing.
  public func fetchOne(
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil
  ) async throws -> sending R? {
    try await self.where(condition, arguments).arranged(order).fetchOne()
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
    try self.where(condition, arguments).arranged(order, page, size).fetchAll()
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
    try await self.where(condition, arguments).arranged(order, page, size).fetchAll()
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

  /// Returns how many records match a condition with named arguments.
  ///
  /// - Throws: ``NacreError``, also if an argument is missing.
  public func count(where condition: String, _ arguments: NamedArguments) throws -> Int {
    try self.where(condition, arguments).count()
  }

  /// The async twin of ``count(where:_:)-(_,NamedArguments)``.
  ///
  /// - Throws: ``NacreError``, also if an argument is missing.
  public func count(where condition: String, _ arguments: NamedArguments) async throws -> Int {
    try await self.where(condition, arguments).count()
  }

  /// Sets values in all rows that match a condition with named arguments.
  ///
  /// - Returns: how many rows were changed.
  /// - Throws: ``NacreError``, also if an argument is missing; nothing is changed then.
  @discardableResult
  public func updateAll(
    _ assignments: [Assignment<R>],
    where condition: String,
    _ arguments: NamedArguments
  ) throws -> Int {
    try self.where(condition, arguments).updateAll(assignments)
  }

  /// The async twin of ``updateAll(_:where:_:)-(_,_,NamedArguments)``.
  ///
  /// - Throws: ``NacreError``; nothing is changed then.
  @discardableResult
  public func updateAll(
    _ assignments: [Assignment<R>],
    where condition: String,
    _ arguments: NamedArguments,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Int {
    try await self.where(condition, arguments).updateAll(assignments)
  }

  /// Deletes all rows that match a condition with named arguments.
  ///
  /// - Returns: how many there were.
  /// - Throws: ``NacreError``, also if an argument is missing; nothing is deleted then.
  @discardableResult
  public func deleteAll(where condition: String, _ arguments: NamedArguments) throws -> Int {
    try self.where(condition, arguments).deleteAll()
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
    try await self.where(condition, arguments).deleteAll()
  }

  /// Reads the records that match a condition with named arguments one after another.
  ///
  /// - Throws: ``NacreError``, also if an argument is missing.
  public func cursor(
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil
  ) throws -> RecordCursor<R> {
    try self.where(condition, arguments).arranged(order).cursor()
  }

  /// The async twin of ``cursor(where:_:orderBy:)-(_,NamedArguments,_)``; it waits for a reader,
  /// which the cursor keeps.
  ///
  /// - Throws: ``NacreError``, also if an argument is missing.
  public func cursor(
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil
  ) async throws -> sending RecordCursor<R> {
    try await self.where(condition, arguments).arranged(order).cursor()
  }
}
