import NacreSQLite
import NacreStore

// Versions of rows, where a class detects conflicts. They are compared in the transaction that writes, so that nobody can
// change a row in between.

extension EntitySession {
  /// Binds to a row's insert or update the version that the row gets and, in an update, the one that it has to have.
  ///
  /// - Parameters:
  ///   - state: the object's state.
  ///   - isPresent: whether an object of another store takes the place of a row that is here: it was not loaded from that
  ///     row, and has nothing to conflict with.
  ///   - binder: the statement's.
  ///   - plan: the entity's.
  /// - Returns: the version that the row gets.
  /// - Throws: what reading and binding throw.
  func bindVersion(
    of state: EntityState,
    isPresent: Bool,
    to binder: RowBinder,
    _ plan: EntityPlan
  ) throws -> Int64 {
    let former: Int64? =
      isPresent
      ? try storedVersion(of: state.identity, plan) : state.isStored ? state.version : nil
    let version = former.map { RowVersion.next(after: $0) } ?? RowVersion.first()
    try binder.bind(version: version, replacing: former)
    return version
  }

  /// Returns the error of an update that has found no row; nil unless the row is there, in another
  /// version than the object was loaded with.
  func conflict(of state: EntityState, _ plan: EntityPlan) throws -> NacreError? {
    try state.isStored ? conflict(of: state.identity, loadedAs: state.version, plan) : nil
  }

  /// The error for a row that is there in another version than it was loaded in; nil where that is not so.
  func conflict(
    of identity: ObjectID,
    loadedAs version: Int64,
    _ plan: EntityPlan
  ) throws -> NacreError? {
    guard plan.schema.detectsConflicts, let stored = try storedVersion(of: identity, plan),
      stored != version
    else { return nil }
    return NacreError(.conflict, entity: plan.schema.name, objectID: identity.uuid)
  }

  /// Refuses to delete rows that were changed since the objects were loaded that their caller holds of them.
  ///
  /// - Parameters:
  ///   - root: the object that is deleted, below which the others hang.
  ///   - graph: what is deleted. Rows of which the caller holds no object are not compared: nobody has loaded them.
  /// - Throws: `conflict`.
  func refuseConflicts(below root: any Entity, _ graph: DeletionGraph) throws {
    guard graph.detectsConflicts else { return }
    let walk = GraphWalk(reach: .cascade, store: home.number)
    walk.note(root, at: 0)
    while let object = walk.pending.popLast() {
      object.visitChildren(walk)
      let state = object.entityState
      guard graph.deletes(object), state.store == home.number else { continue }
      if let error = try conflict(of: state, plan(for: type(of: object).entitySchema)) {
        throw error
      }
    }
  }

  /// The version of a row; nil where there is no row.
  private func storedVersion(of identity: ObjectID, _ plan: EntityPlan) throws -> Int64? {
    let text = VersionSQL.select(from: plan.schema.table)
    let select = try plan.statement(StatementKey(.selectVersion), text)
    defer { select.reset() }
    try identity.bind(to: select, at: 1)
    guard try select.step() else { return nil }
    do {
      return try Int64.read(from: select, at: 0)
    } catch {
      throw NacreError.wrap(error, at: plan.schema, property: nil, identity: identity)
    }
  }
}
