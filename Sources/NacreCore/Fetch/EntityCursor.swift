import NacreEngine
import NacreSQLite
import NacreStore

/// A cursor that reads objects one after another, with their children, in memory that does not grow
/// with their number.
///
/// The cursor sees one state of the store from its first row to its last. It holds a reader of its
/// own until it is at its end, closed or released. While it is open, the write-ahead log can't be
/// cut back past that state.
public final class EntityCursor<E: Entity> {
  private let rows: BatchReader<E, (plan: EntityPlan, reader: RowReader)>

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - store: The store to read.
  ///   - request: The terms of the query.
  ///   - owner: The arguments after the caller's own.
  ///   - text: Returns the text of the statement.
  /// - Throws: ``NacreError``.
  init(
    _ store: Store,
    _ request: FetchRequest,
    owner: [Value] = [],
    text: (EntityPlan, QueryTerms) -> String
  ) throws {
    rows = try BatchReader(store) { database in
      let session = database.entities
      let plan = try session.plan(for: E.entitySchema)
      let (terms, arguments) = try request.resolved(plan.row, on: session)
      let statement = try database.connection.prepare(text(plan, terms))
      try statement.bindAll(arguments + owner)
      return (statement, (plan, plan.reader(statement)))
    } making: { [prefetch = request.prefetch] database, statement, source, limit in
      let loader = GraphLoader(database.entities, prefetch: prefetch)
      let hasChildren = !source.plan.owned.isEmpty || !prefetch.isEmpty
      let roots = hasChildren ? loader.makeRoots(source.plan) : nil
      let objects = try E.readObjects(
        from: RowStream(statement, source.reader, into: roots, limit: limit)
      )
      if let roots { try loader.load(roots) }
      return objects
    }
  }

  /// Returns the next object, or nil after the last.
  ///
  /// - Throws: ``NacreError``; the cursor is closed then.
  public func next() throws -> E? { try rows.next() }

  /// Gives the reader back; closing twice does nothing.
  public func close() { rows.close() }
}

extension Entity {
  /// Reads all objects one after another, in constant memory.
  /// ```swift
  /// let cars = try Car.cursor(orderBy: "power")
  /// while let car = try cars.next() { print(car.name) }
  /// ```
  ///
  /// - Parameters:
  ///   - order: SQL, such as `"power DESC"`.
  ///   - links: Links whose objects are loaded as well.
  /// - Returns: The cursor, before its first object.
  /// - Throws: ``NacreError``.
  public static func cursor(
    orderBy order: String? = nil,
    with links: PartialKeyPath<Self>...
  ) throws -> EntityCursor<Self> {
    try all.arranged(order, with: links).cursor()
  }

  /// Reads the objects that a condition is true of one after another, in constant memory.
  ///
  /// - Parameters:
  ///   - condition: SQL with `?` for each argument.
  ///   - arguments: The values of the `?`.
  ///   - order: SQL, such as `"power DESC"`.
  ///   - links: Links whose objects are loaded as well.
  /// - Returns: The cursor, before its first object.
  /// - Throws: ``NacreError``, also when the condition reads a sealed property.
  public static func cursor(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil,
    with links: PartialKeyPath<Self>...
  ) throws -> EntityCursor<Self> {
    try query(condition, arguments).arranged(order, with: links).cursor()
  }
}
