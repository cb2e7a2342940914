import NacreEngine
import NacreStore

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
    try all.arranged(order).with(links).cursor()
  }

  /// The async twin of ``cursor(orderBy:with:)``; it waits for a reader, which the cursor keeps.
  ///
  /// - Throws: ``NacreError``.
  public static func cursor(
    orderBy order: String? = nil,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending EntityCursor<Self> {
    try await all.arranged(order).with(links).cursor()
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
    try query(condition, arguments).arranged(order).with(links).cursor()
  }

  /// The async twin of ``cursor(where:_:orderBy:with:)``; it waits for a reader, which the cursor
  /// keeps.
  ///
  /// - Throws: ``NacreError``, also when the condition reads a sealed property.
  public static func cursor(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    orderBy order: String? = nil,
    with links: PartialKeyPath<Self>...
  ) async throws -> sending EntityCursor<Self> {
    try await query(condition, arguments).arranged(order).with(links).cursor()
  }
}
