import Foundation
import NacreEngine
import NacreStore

extension EntitySession {
  /// Returns the error to throw when a COMMIT fails.
  ///
  /// If an object refers to one that is not stored, the error names both; otherwise it is the given
  /// error. This looks at the objects that the transaction has stored, while the transaction is
  /// still open.
  package func explained(_ error: any Error) -> any Error {
    guard let cause = error as? any EngineError, cause.violation?.kind == .foreignKey else {
      return error
    }
    for object in storedObjects(since: UndoLog.Mark()) {
      if let found = try? brokenReference(of: object, cause) { return found }
    }
    return error
  }

  private func brokenReference(of object: any Entity, _ cause: any EngineError) throws
    -> NacreError?
  {
    let statements = try statements(for: type(of: object).entitySchema)
    let identity = object.entityState.identity
    for property in statements.schema.properties {
      guard let sql = statements.relationship(property), let text = sql.broken else { continue }
      let select = try statements.prepared(StatementKey(.selectBroken, property.index), text)
      defer { select.reset() }
      try identity.bind(to: select, at: 1)
      guard try select.step() else { continue }
      let target = try ObjectID.read(from: select, at: 0)
      return NacreError(
        .constraint,
        entity: statements.schema.name,
        property: property.name,
        objectID: identity.uuid,
        detail:
          "\(sql.target.name) \(target.uuid.uuidString) is not in this store; store it here "
          + "first, or in the same transaction",
        cause: cause
      )
    }
    return nil
  }
}
