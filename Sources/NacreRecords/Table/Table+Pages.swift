import NacreCore
import NacreEngine
import NacreStore

extension Table {
  /// Reads the records on one page of the rows of the caller's own query, such as a join, with the
  /// number of all rows, in one state of the store.
  ///
  /// For pages of the table itself use `where(…).ordered(by:).page(1, size: 10, startingAt: 1)`.
  /// Columns are matched as ``fetch(sql:_:)`` matches them.
  ///
  /// - Parameters:
  ///   - index: the page's index.
  ///   - size: how many rows a page has, above 0.
  ///   - first: the index of the first page, 0 or another such as 1.
  ///   - sql: one statement that reads, whose order decides what is on a page.
  ///   - arguments: the values of the `?`.
  /// - Returns: the page.
  /// - Throws: ``NacreError``: `badPage` for a size below 1 or an index below the first.
  public func page(
    _ index: Int,
    size: Int,
    startingAt first: Int = 0,
    sql: String,
    _ arguments: (any QueryArgument)?...
  ) throws -> Page<R> {
    let place = try PagePlace(index, size: size, startingAt: first, of: name)
    let sql = try SQLArguments(sql, arguments)
    return try read { try $0.page(place, sql, $1) }
  }

  /// The async twin of ``page(_:size:startingAt:sql:_:)``.
  ///
  /// - Throws: ``NacreError``.
  public func page(
    _ index: Int,
    size: Int,
    startingAt first: Int = 0,
    sql: String,
    _ arguments: (any QueryArgument)?...
  ) async throws -> sending Page<R> {
    let place = try PagePlace(index, size: size, startingAt: first, of: name)
    let sql = try SQLArguments(sql, arguments)
    return try await readFresh { try $0.page(place, sql, $1) }
  }
}
