import NacreEngine
import NacreStore

/// A query for objects or records as a value: which of them, in which order, and how many.
///
/// ``Entity/all`` and `Entity.where` make a query for objects, ``Table/all`` and `Table.where` one
/// for records. Modifiers return changed copies of it, and the call at the end runs it.
/// ```swift
/// let fast = Car.where("power > ?", 200).where(\.color, equals: "red").ordered(by: "power DESC")
/// let page = try fast.page(0, size: 20)
/// let total = try fast.sum(\.power)
/// try fast.limit(3).updateAll(.set(\.color, to: "red"))
/// ```
/// Conditions are SQL with the names of the columns, or a `#Predicate`; orders are SQL, or
/// `SortDescriptor`s. Arguments stand for the `?` of a condition, or for its `:name`, as in
/// `Car.where("power > :min", ["min": 200])`. Each further `where` narrows the query. Aggregates,
/// updates and deletes keep to the limit, too.
public struct Query<Row>: Sendable {
  let rows: any RowSource<Row>
  var request: FetchRequest
  /// The store to ask; nil means the store that is current when the query runs.
  var store: Store?

  /// Makes the query for all rows, on one store or on the store that is current when it runs.
  package init(_ rows: any RowSource<Row>, in store: Store? = nil) {
    self.rows = rows
    self.store = store
    request = FetchRequest()
  }

  /// Returns the same query with a further condition; an error in the condition is thrown when the
  /// query runs.
  func matching(_ condition: () throws -> any ConditionSource) -> Query {
    changed { $0.add(try condition()) }
  }

  /// Returns the same query with a changed request; an error is thrown when the query runs.
  func changed(_ change: (inout FetchRequest) throws -> Void) -> Query {
    var query = self
    do { try change(&query.request) } catch { query.request.fail(error) }
    return query
  }

  // MARK: - Modifiers

  /// Returns the same query in an order, such as `"power DESC, name"`.
  public func ordered(by order: String) -> Query { ordered(by: QueryOrder(order)) }

  /// Returns the same query in an order that an engine's dialect may have a part in.
  package func ordered(by order: QueryOrder) -> Query { changed { $0.order = order } }

  /// Returns the same query with at most `count` rows, after the first `offset` of the order.
  ///
  /// A count or offset below 0 is an error when the query runs.
  public func limit(_ count: Int, offset: Int = 0) -> Query {
    changed { request in
      (request.limit, request.offset) = (count, offset)
      guard count < 0 || offset < 0 else { return }
      throw NacreError(.badPage, entity: rows.name, detail: "a limit or offset is below 0")
    }
  }

  /// Returns the same query with equal rows of values only once; objects and records are never
  /// returned twice anyway.
  public func distinct() -> Query { changed { $0.isDistinct = true } }

  /// Returns the same query on one store, whichever store is current.
  public func `in`(_ store: Store) -> Query {
    var query = self
    query.store = store
    return query
  }

  /// Returns the same query with the parameters of a `fetchAll`; a size below 1 means no paging.
  package func arranged(_ order: String?, _ page: Int? = nil, _ size: Int? = nil) -> Query {
    changed { request in
      if let order { request.order = QueryOrder(order) }
      if let range = PagePlace.range(page, size: size) { (request.limit, request.offset) = range }
    }
  }

  /// Returns the same query with a further condition in SQL, whose lists are spread into single
  /// arguments; without a condition it stays as it is.
  package func matching(_ condition: String?, _ arguments: [(any QueryArgument)?]) -> Query {
    changed { request in
      // Without a condition there is no parameter for an argument.
      let dates = try rows.schema.dateArguments
      let sql = try SQLArguments(condition ?? "", arguments, dates: dates)
      if condition != nil { request.add(Condition(sql)) }
    }
  }

  /// Returns the same query with a further condition in SQL and named arguments.
  package func matching(_ condition: String, _ arguments: NamedArguments) -> Query {
    matching { Condition(try SQLArguments(condition, arguments, dates: rows.schema.dateArguments)) }
  }

  /// Returns the same query for the rows whose property has one of the values.
  package func matching(_ property: PartialKeyPath<Row>, in values: [Any]) -> Query {
    matching { try PropertyMatch(property, of: rows.schema, in: values, for: source()) }
  }

  // MARK: - Connections

  /// Returns the store that the query runs on.
  func source() throws -> Store { try store ?? rows.currentStore }

  /// Runs `body` in one state of the store.
  func read<T>(_ body: (EntitySession) throws -> T) throws -> T {
    try source().withReader { database in try database.consistently { try body(database.entities) }
    }
  }

  /// Waits for a reader, and reads one state of the store on the caller's own actor, where the key
  /// paths stay.
  func reading<T>(
    _ isolation: isolated (any Actor)?,
    _ body: (EntitySession) throws -> T
  ) async throws -> T {
    try await source().withReaderAsync(isolation: isolation) { database in
      try database.consistently { try body(database.entities) }
    }
  }
}

extension Query where Row: Entity {
  /// Returns the same query, which also loads the objects of some links.
  public func with(_ links: PartialKeyPath<Row>...) -> Query { with(links) }

  func with(_ links: [PartialKeyPath<Row>]) -> Query {
    links.isEmpty ? self : changed { $0.prefetch += try Row.entitySchema.links(links) }
  }
}

extension Entity {
  /// The query for all objects.
  public static var all: Query<Self> { Query(EntityRows()) }

  /// Returns the query for the objects that match a condition.
  ///
  /// - Parameters:
  ///   - condition: SQL with `?` for each argument, such as `"power > ?"`; a list is an argument of
  ///     `IN (?)`. An argument that a plainly compared column can never equal is an error when the
  ///     query runs.
  ///   - arguments: The values of the `?`.
  /// - Returns: The query.
  public static func `where`(
    _ condition: String,
    _ arguments: (any QueryArgument)?...
  ) -> Query<Self> {
    query(condition, arguments)
  }

  /// Returns the query for the objects that match a condition with named arguments.
  /// ```swift
  /// let some = Car.where(
  ///   "power > :min AND color IN (:colors)",
  ///   ["min": 200, "colors": ["red", "blue"]]
  /// )
  /// let cars = try some.ordered(by: "power DESC").fetchAll()
  /// ```
  ///
  /// - Parameters:
  ///   - condition: SQL with `:name` for each argument, such as `"power > :min"`.
  ///   - arguments: The values by name; a list is an argument of `IN (:name)`. An argument that is
  ///     missing, or whose name the text does not have, is an error when the query runs.
  /// - Returns: The query.
  public static func `where`(_ condition: String, _ arguments: NamedArguments) -> Query<Self> {
    all.matching(condition, arguments)
  }

  /// Returns the query for all objects of one store, whichever store is current.
  ///
  /// - Parameter store: The store to ask.
  /// - Returns: The query.
  public static func `in`(_ store: Store) -> Query<Self> { all.in(store) }

  static func query(_ condition: String?, _ arguments: [(any QueryArgument)?]) -> Query<Self> {
    all.matching(condition, arguments)
  }
}
