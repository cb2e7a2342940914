import NacreEngine
import NacreStore

/// A query for objects as a value: which objects, in which order, and how many of them.
///
/// ``Entity/all`` and `Entity.where` make a query, modifiers return changed copies of it, and the
/// call at the end runs it.
/// ```swift
/// let fast = Car.where("power > ?", 200).ordered(by: "power DESC")
/// let page = try fast.page(0, size: 20)
/// let total = try fast.sum(\.power)
/// try fast.limit(3).updateAll(.set(\.color, to: "red"))
/// ```
/// Conditions are SQL with the names of the columns, or a `#Predicate`; orders are SQL, or
/// `SortDescriptor`s. Aggregates, updates and deletes keep to the limit, too.
public struct Query<E: Entity>: Sendable {
  var request = FetchRequest()
  /// The store to ask; nil means the store that is current when the query runs.
  var store: Store?

  init(_ request: FetchRequest = FetchRequest()) { self.request = request }

  /// Makes a query with a condition; an error in the condition is thrown when the query runs.
  init(where condition: () throws -> SQLArguments) {
    do {
      request.condition = Condition(try condition())
    } catch {
      request.fail(error)
    }
  }

  // MARK: - Modifiers

  /// Returns the same query in an order, such as `"power DESC, name"`.
  public func ordered(by order: String) -> Query {
    var query = self
    query.request.order = QueryOrder(order)
    return query
  }

  /// Returns the same query with at most `count` objects, after the first `offset` of the order.
  ///
  /// A count or offset below 0 is an error when the query runs.
  public func limit(_ count: Int, offset: Int = 0) -> Query {
    var query = self
    query.request.limit = count
    query.request.offset = offset
    if count < 0 || offset < 0 {
      query.request.fail(
        NacreError(.badPage, entity: E.entitySchema.name, detail: "a limit or offset is below 0")
      )
    }
    return query
  }

  /// Returns the same query with equal rows of values only once; objects are never returned twice
  /// anyway.
  public func distinct() -> Query {
    var query = self
    query.request.isDistinct = true
    return query
  }

  /// Returns the same query, which also loads the objects of some links.
  public func with(_ links: PartialKeyPath<E>...) -> Query { arranged(with: links) }

  /// Returns the same query on one store, whichever store is current.
  public func `in`(_ store: Store) -> Query {
    var query = self
    query.store = store
    return query
  }

  /// Returns the same query with the parameters of
  /// ``Entity/fetchAll(where:_:orderBy:page:size:with:)``.
  ///
  /// A size below 1 means no paging.
  func arranged(
    _ order: String? = nil,
    _ page: Int? = nil,
    _ size: Int? = nil,
    with links: [PartialKeyPath<E>] = []
  ) -> Query {
    var query = self
    if let order { query.request.order = QueryOrder(order) }
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

  /// Returns the store that the query runs on.
  func source() throws -> Store { try store ?? Store.current(for: E.self) }

  /// Runs `body` in one state of the store.
  func read<T>(_ body: (EntitySession) throws -> T) throws -> T {
    try source().withReader { database in try database.consistently { try body(database.entities) }
    }
  }
}

extension Entity {
  /// The query for all objects.
  public static var all: Query<Self> { Query() }

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
  ///
  /// - Parameters:
  ///   - condition: SQL with `:name` for each argument, such as `"power > :min"`.
  ///   - arguments: The values by name.
  /// - Returns: The query.
  public static func `where`(_ condition: String, _ arguments: NamedArguments) -> Query<Self> {
    Query { try SQLArguments(condition, arguments, dates: entitySchema.dateArguments) }
  }

  /// Returns the query for all objects of one store, whichever store is current.
  ///
  /// - Parameter store: The store to ask.
  /// - Returns: The query.
  public static func `in`(_ store: Store) -> Query<Self> { all.in(store) }

  static func query(_ condition: String?, _ arguments: [(any QueryArgument)?]) -> Query<Self> {
    guard let condition else { return Query() }
    return Query { try SQLArguments(condition, arguments, dates: entitySchema.dateArguments) }
  }
}
