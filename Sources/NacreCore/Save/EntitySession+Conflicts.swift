import NacreEngine
import NacreStore

// Versions of rows, for classes that detect conflicts. They are compared in the transaction that
// writes, so that nobody can change a row in between.

extension EntitySession {
  /// Binds the version that a row gets and, in an update, the version that it must have.
  ///
  /// - Parameters:
  ///   - state: The object's state.
  ///   - isPresent: Whether an object of another store replaces a row that is here. The object was
  ///     not loaded from that row, and has nothing to conflict with.
  ///   - binder: The binder of the row's insert or update.
  ///   - statements: The entity's statements.
  /// - Returns: The version that the row gets.
  /// - Throws: The errors of reading and binding.
  func bindVersion(
    of state: EntityState,
    isPresent: Bool,
    to binder: RowBinder,
    _ statements: EntityStatements
  ) throws -> Int64 {
    let former: Int64? =
      isPresent
      ? try storedVersion(of: state.identity, statements) : state.isStored ? state.version : nil
    let version = former.map { RowVersion.next(after: $0) } ?? RowVersion.first()
    try binder.bind(version: version, replacing: former)
    return version
  }

  /// Returns the error of an update that has found no row, if the row is there in another version
  /// than the object was loaded with; nil otherwise.
  func conflict(of state: EntityState, _ statements: EntityStatements) throws -> NacreError? {
    try state.isStored ? conflict(of: state.identity, loadedAs: state.version, statements) : nil
  }

  /// Returns the error for a row that is there in another version than it was loaded in; nil if
  /// there is no conflict.
  func conflict(
    of identity: ObjectID,
    loadedAs version: Int64,
    _ statements: EntityStatements
  ) throws -> NacreError? {
    guard statements.schema.detectsConflicts,
      let stored = try storedVersion(of: identity, statements),
      stored != version
    else { return nil }
    return NacreError(.conflict, entity: statements.schema.name, objectID: identity.uuid)
  }

  /// Throws if a row to delete was changed since the caller loaded its object.
  ///
  /// - Parameters:
  ///   - root: The object that is deleted; the others are below it.
  ///   - graph: The rows to delete. A row of which the caller holds no object is not compared,
  ///     because nobody has loaded it.
  /// - Throws: `conflict`.
  func refuseConflicts(below root: any Entity, _ graph: DeletionGraph) throws {
    guard graph.detectsConflicts else { return }
    let walk = GraphWalk(reach: .cascade, store: home.number)
    walk.note(root, at: 0)
    while let object = walk.pending.popLast() {
      object.visitChildren(walk)
      let state = object.entityState
      guard graph.deletes(object), state.store == home.number else { continue }
      if let error = try conflict(of: state, statements(for: type(of: object).entitySchema)) {
        throw error
      }
    }
  }

  /// Returns the version of a row, or nil if there is no row.
  private func storedVersion(of identity: ObjectID, _ statements: EntityStatements) throws -> Int64?
  {
    let text = VersionSQL.select(from: statements.schema.table)
    let select = try statements.prepared(StatementKey(.selectVersion), text)
    defer { select.reset() }
    try identity.bind(to: select, at: 1)
    guard try select.step() else { return nil }
    do {
      return try Int64.read(from: select, at: 0)
    } catch {
      throw NacreError.wrap(error, at: statements.schema, property: nil, identity: identity)
    }
  }
}
