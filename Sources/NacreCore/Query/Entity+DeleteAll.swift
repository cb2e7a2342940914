public import NacreEngine
import NacreStore

extension Entity {
  /// Deletes all objects that match a condition, without loading them.
  ///
  /// - Parameters:
  ///   - condition: SQL with `?` for each argument.
  ///   - arguments: the values of the `?`.
  ///   - cascade: whether to delete the children.
  /// - Returns: how many objects of this entity were deleted.
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public static func deleteAll(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    cascade: Bool = false
  ) throws -> Int {
    try query(condition, arguments).deleteAll(cascade: cascade)
  }

  /// The async twin of ``deleteAll(where:_:cascade:)-(String,_,_)``.
  ///
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public static func deleteAll(
    where condition: String,
    _ arguments: (any QueryArgument)?...,
    cascade: Bool = false
  ) async throws -> Int {
    try await query(condition, arguments).deleteAll(cascade: cascade)
  }

  /// Deletes all objects of the entity, without their children; links to them become nil.
  ///
  /// - Returns: how many were deleted.
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public static func truncate() throws -> Int { try all.deleteAll() }

  /// The async twin of ``truncate()-()``.
  ///
  /// - Throws: ``NacreError``; then nothing is deleted.
  @discardableResult
  public static func truncate() async throws -> Int {
    try await all.deleteAll()
  }
}
