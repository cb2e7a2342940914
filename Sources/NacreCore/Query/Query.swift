/// A question to a store as a value: which objects, in which order, how many of them.
///
/// It is made by ``Entity/all`` and `Entity.where`, changed by modifiers that return copies, and asked by what
/// stands at its end.
/// ```swift
/// let fast = Car.where("power > ?", 200).ordered(by: "power DESC")
/// let page = try fast.page(0, size: 20)
/// let total = try fast.sum(\.power)
/// try fast.limit(3).updateAll(.set(\.color, to: "red"))
/// ```
/// Conditions are SQL with the names of the columns, or a `#Predicate`; orders are SQL, or `SortDescriptor`s.
/// Aggregates, updates and deletes keep to the limit, too.
public struct Query<E: Entity>: Sendable {
  var request = FetchRequest()
  /// Nil is the store that is the current one when the query is asked.
  var store: Store?

  init(_ request: FetchRequest = FetchRequest()) { self.request = request }

  /// A query with a condition; an error in it is thrown when the query is asked.
  init(where condition: () throws -> SQLArguments) {
    do {
      request.condition = Condition(try condition())
    } catch {
      request.fail(error)
    }
  }

  // MARK: - Modifiers

  /// The same in an order, such as `"power DESC, name"`.
  public func ordered(by order: String) -> Query {
    var query = self
    query.request.order = order
    return query
  }

  /// The same with at most `count` objects, after the first `offset` of the order.
  ///
  /// A count or offset below 0 is an error when the query is asked.
  public func limit(_ count: Int, offset: Int = 0) -> Query {
    var query = self
    query.request.limit = count
    query.request.offset = offset
    if count < 0 || offset < 0 {
      query.request.fail(NacreError(.badPage, entity: E.entitySchema.name, detail: "below 0"))
    }
    return query
  }

  /// The same with equal rows of values read once; objects are never read twice.
  public func distinct() -> Query {
    var query = self
    query.request.isDistinct = true
    return query
  }

  /// The same with the objects of some links loaded as well.
  public func with(_ links: PartialKeyPath<E>...) -> Query { arranged(with: links) }

  /// The same asked of one store, whichever is the current one.
  public func `in`(_ store: Store) -> Query {
    var query = self
    query.store = store
    return query
  }

  /// The same in the terms of ``Entity/fetchAll(where:_:orderBy:page:size:with:)``: a size below 1 is no page.
  func arranged(
    _ order: String? = nil,
    _ page: Int? = nil,
    _ size: Int? = nil,
    with links: [PartialKeyPath<E>] = []
  ) -> Query {
    var query = self
    if let order { query.request.order = order }
    if let range = PagePlace.range(page, size: size) {
      (query.request.limit, query.request.offset) = range
    }
    if links.isEmpty { return query }
    do {
      query.request.prefetch += try E.entitySchema.links(links)
    } catch {
      query.request.fail(error)
    }
    return query
  }

  // MARK: - Connections

  /// The store that is asked.
  func source() throws -> Store { try store ?? Store.current(for: E.self) }

  /// Reads in one state of the store.
  func read<T>(_ body: (Database) throws -> T) throws -> T {
    try source().withReader { database in try database.consistently { try body(database) } }
  }
}

extension Entity {
  /// The query for all objects.
  public static var all: Query<Self> { Query() }

  /// The query for the objects that a condition is true of.
  ///
  /// - Parameters:
  ///   - condition: SQL with `?` for each argument, such as `"power > ?"`; a list is an argument of `IN (?)`. An
  ///     argument that a plainly compared column can never be equal to is an error when the query is asked.
  ///   - arguments: the values of the `?`.
  /// - Returns: the query.
  public static func `where`(
    _ condition: String,
    _ arguments: (any QueryArgument)?...
  ) -> Query<Self> {
    query(condition, arguments)
  }

  /// The query for the objects that a condition with named arguments is true of.
  ///
  /// - Parameters:
  ///   - condition: SQL with `:name` for each argument, such as `"power > :min"`.
  ///   - arguments: the values by name.
  /// - Returns: the query.
  public static func `where`(_ condition: String, _ arguments: NamedArguments) -> Query<Self> {
    Query { try SQLArguments(condition, arguments, dates: entitySchema.dateArguments) }
  }

  /// The query for all objects of one store, whichever is the current one.
  ///
  /// - Parameter store: the store that is asked.
  /// - Returns: the query.
  public static func `in`(_ store: Store) -> Query<Self> { all.in(store) }

  static func query(_ condition: String?, _ arguments: [(any QueryArgument)?]) -> Query<Self> {
    guard let condition else { return Query() }
    return Query { try SQLArguments(condition, arguments, dates: entitySchema.dateArguments) }
  }
}
