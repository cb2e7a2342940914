import NacreEngine
import NacreStore

// Pages of statements of the caller's own.

extension Database {
  /// Reads one page of the rows of any statement, and counts all of them, in one state of the store.
  /// ```swift
  /// let page = try store.read { database in
  ///   try database.page(
  ///     1, size: 10, startingAt: 1,
  ///     sql: "SELECT color, count(*) AS cars FROM Car GROUP BY color ORDER BY color"
  ///   )
  /// }
  /// ```
  /// A page after the last one has no items. The statement's own order decides what is on a page.
  ///
  /// - Parameters:
  ///   - index: The page's index.
  ///   - size: How many rows a page has, above 0.
  ///   - first: The index of the first page, 0 or another such as 1.
  ///   - sql: One statement that reads, with `?` for each argument.
  ///   - arguments: The values of the `?`.
  /// - Returns: The page.
  /// - Throws: ``NacreError``: `badPage` for a size below 1 or an index below the first.
  public func page(
    _ index: Int,
    size: Int,
    startingAt first: Int = 0,
    sql: String,
    _ arguments: (any QueryArgument)?...
  ) throws -> Page<Row> {
    try page(PagePlace(index, size: size, startingAt: first), SQLArguments(sql, arguments))
  }

  /// Reads one page of the rows of any statement with named arguments, and counts all of them.
  ///
  /// - Throws: ``NacreError``, also if an argument is missing.
  public func page(
    _ index: Int,
    size: Int,
    startingAt first: Int = 0,
    sql: String,
    _ arguments: NamedArguments
  ) throws -> Page<Row> {
    try page(PagePlace(index, size: size, startingAt: first), SQLArguments(sql, arguments))
  }

  private func page(_ place: PagePlace, _ sql: SQLArguments) throws -> Page<Row> {
    var names: ColumnNames?
    return try NacreError.wrapping {
      try guardingSealed(sql.text) {
        try page(place, sql) { statement in
          let known = names ?? statement.columnNames
          names = known
          return Row(known, known.all.indices.map { statement.value(at: Int32($0)) })
        }
      }
    }
  }

  /// Counts the rows of a statement, and makes an item of each row on one page, in one state of the
  /// store.
  ///
  /// The statement itself runs, not a text that is made of it, so that its order, its own limit and
  /// the names of its columns hold.
  package func page<Item>(
    _ place: PagePlace,
    _ sql: SQLArguments,
    _ item: (any PreparedStatement) throws -> Item
  ) throws -> Page<Item> {
    try consistently {
      let statement = try bound(sql.text, sql.values)
      defer { statement.reset() }
      let count = try scalar(StatementSQL.count(sql.text, connection.dialect), sql.values)
      let total = try count.map { Int(try Int64(storedValue: $0).asRowCount) } ?? 0
      // Nobody reads the rows behind the page.
      statement.readInPortions()
      var items: [Item] = []
      var number = 0
      let end = place.end
      while place.offset < total, number < end, try statement.step() {
        if number >= place.offset { items.append(try item(statement)) }
        number += 1
      }
      return Page(items: items, place: place, totalItems: total)
    }
  }
}
