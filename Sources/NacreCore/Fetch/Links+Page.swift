import NacreEngine
import NacreStore

// Pages of links that know how many elements there are.

extension Links {
  /// Fetches one page of the stored elements with their children, and the number of all of them, in
  /// one state of the store.
  /// ```swift
  /// let page = try car.drivers.page(0, size: 20, orderBy: "name")
  /// print(page.items.count, "of", page.totalItems)
  /// ```
  /// A page after the last one has no items.
  ///
  /// - Parameters:
  ///   - index: The page's index.
  ///   - size: How many elements a page has, above 0.
  ///   - first: The index of the first page, 0 or another such as 1.
  ///   - order: SQL; nil for the order of the objectIDs.
  /// - Returns: The page.
  /// - Throws: ``NacreError``: `badPage` for a size below 1 or an index below the first.
  public func page(
    _ index: Int,
    size: Int,
    startingAt first: Int = 0,
    orderBy order: String? = nil
  ) throws -> Page<Target> {
    try page(place(index, size, first), Target.all.arranged(order).request)
  }

  /// The async twin of ``page(_:size:startingAt:orderBy:)-(Int,_,_,_)``.
  ///
  /// - Throws: ``NacreError``, with the same codes as the twin.
  public func page(
    _ index: Int,
    size: Int,
    startingAt first: Int = 0,
    orderBy order: String? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Page<Target> {
    let place = try place(index, size, first)
    let request = Target.all.arranged(order).request
    guard let elements = try elements() else { return Page(noneAt: place) }
    return try await elements.store.readFresh { try elements.page(request, place, on: $0.entities) }
  }

  /// Fetches one page of the stored elements that a condition is true of, and the number of all of
  /// these, in one state of the store.
  ///
  /// - Parameters:
  ///   - index: The page's index.
  ///   - size: How many elements a page has, above 0.
  ///   - first: The index of the first page, 0 or another such as 1.
  ///   - condition: SQL with `?` for each argument.
  ///   - arguments: The values of the `?`.
  ///   - order: SQL; nil for the order of the objectIDs.
  /// - Returns: The page.
  /// - Throws: ``NacreError``: `badPage` for a size below 1 or an index below the first.
  public func page(
    _ index: Int,
    size: Int,
    startingAt first: Int = 0,
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil
  ) throws -> Page<Target> {
    let query = Target.query(condition, arguments).arranged(order)
    return try page(place(index, size, first), query.request)
  }

  /// The async twin of ``page(_:size:startingAt:where:_:orderBy:)-(Int,_,_,String,_,_)``.
  ///
  /// - Throws: ``NacreError``, with the same codes as the twin.
  public func page(
    _ index: Int,
    size: Int,
    startingAt first: Int = 0,
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Page<Target> {
    let place = try place(index, size, first)
    let request = Target.query(condition, arguments).arranged(order).request
    guard let elements = try elements() else { return Page(noneAt: place) }
    return try await elements.store.readFresh { try elements.page(request, place, on: $0.entities) }
  }

  /// Fetches one page of the stored elements that match a condition with named arguments, and the
  /// number of all of these, in one state of the store.
  ///
  /// - Throws: ``NacreError``, also when an argument is missing.
  public func page(
    _ index: Int,
    size: Int,
    startingAt first: Int = 0,
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil
  ) throws -> Page<Target> {
    let query = Target.where(condition, arguments).arranged(order)
    return try page(place(index, size, first), query.request)
  }

  /// The async twin of ``page(_:size:startingAt:where:_:orderBy:)-(Int,_,_,_,NamedArguments,_)``.
  ///
  /// - Throws: ``NacreError``, also when an argument is missing.
  public func page(
    _ index: Int,
    size: Int,
    startingAt first: Int = 0,
    where condition: String,
    _ arguments: NamedArguments,
    orderBy order: String? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Page<Target> {
    let place = try place(index, size, first)
    let request = Target.where(condition, arguments).arranged(order).request
    guard let elements = try elements() else { return Page(noneAt: place) }
    return try await elements.store.readFresh { try elements.page(request, place, on: $0.entities) }
  }

  private func place(_ index: Int, _ size: Int, _ first: Int) throws -> PagePlace {
    try PagePlace(index, size: size, startingAt: first, of: Target.entitySchema.name)
  }

  private func page(_ place: PagePlace, _ request: FetchRequest) throws -> Page<Target> {
    guard let elements = try elements() else { return Page(noneAt: place) }
    return try elements.store.withReader { try elements.page(request, place, on: $0.entities) }
  }
}

extension Page {
  /// Makes the page of no items at all.
  fileprivate init(noneAt place: PagePlace) {
    self.init(items: [], place: place, totalItems: 0)
  }
}

extension LinkElements {
  fileprivate func page(
    _ request: FetchRequest,
    _ place: PagePlace,
    on session: EntitySession
  ) throws -> Page<Target> {
    try session.database.consistently {
      // Resolve once for both statements, because a condition may have to search.
      let (statements, asked, arguments) = try resolved(request, on: session)
      let counted = QueryTerms(condition: asked.condition)
      let total = try session.count(
        sql.elements("count(*)", counted, isOrdered: false),
        arguments
      )
      if place.offset >= total { return Page(items: [], place: place, totalItems: total) }
      var terms = asked
      (terms.limit, terms.offset) = (place.size, place.offset)
      let items = try fetch(statements, terms, arguments, on: session)
      return Page(items: items, place: place, totalItems: total)
    }
  }
}
