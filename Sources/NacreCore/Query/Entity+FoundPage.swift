import NacreEngine
import NacreStore

extension Entity {
  /// Finds the objects on one page of the rows of the caller's own SQL, with the number of all rows,
  /// in one state of the store.
  ///
  /// What ``find(sql:_:with:)-(String,_,_)`` says of the statement holds here, too.
  ///
  /// - Parameters:
  ///   - index: The page's index.
  ///   - size: How many rows a page has, above 0.
  ///   - first: The index of the first page, 0 or another such as 1.
  ///   - sql: One statement with `?` for each argument, whose order decides what is on a page.
  ///   - arguments: The values of the `?`.
  ///   - links: Links whose objects are loaded as well.
  /// - Returns: The page.
  /// - Throws: ``NacreError``: `badPage` for a size below 1 or an index below the first,
  ///   `noSuchColumn` if there is no column `objectID`.
  public static func page(
    _ index: Int,
    size: Int,
    startingAt first: Int = 0,
    sql: String,
    _ arguments: (any QueryArgument)?...,
    with links: PartialKeyPath<Self>...
  ) throws -> Page<Found<Self>> {
    let place = try PagePlace(index, size: size, startingAt: first, of: entitySchema.name)
    let (sql, links) = (try SQLArguments(sql, arguments), try entitySchema.links(links))
    return try Store.current(for: self).withReader {
      try $0.entities.page(Self.self, place, sql, prefetch: links)
    }
  }

  /// The async twin of ``page(_:size:startingAt:sql:_:with:)``.
  ///
  /// - Throws: ``NacreError``, with the same codes as the twin.
  public static func page(
    _ index: Int,
    size: Int,
    startingAt first: Int = 0,
    sql: String,
    _ arguments: (any QueryArgument)?...,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending Page<Found<Self>> {
    let place = try PagePlace(index, size: size, startingAt: first, of: entitySchema.name)
    let (sql, links) = (try SQLArguments(sql, arguments), try entitySchema.links(links))
    return try await Store.current(for: self).readFresh {
      try $0.entities.page(Self.self, place, sql, prefetch: links)
    }
  }
}
