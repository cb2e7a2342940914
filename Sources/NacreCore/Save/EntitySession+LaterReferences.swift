import NacreEngine
import NacreStore

extension EntitySession {
  /// Writes the references that had to wait for their targets.
  func write(_ later: LaterReferences) throws {
    for reference in later.references {
      let statements = try statements(for: reference.schema)
      let statement = try statements.prepared(
        StatementKey(.setReference, reference.property),
        statements.sql.setReference(reference.schema.properties[reference.property])
      )
      try reference.owner.bind(to: statement, at: 1)
      try reference.target.bind(to: statement, at: 2)
      try statement.send(.rows())
    }
  }
}
