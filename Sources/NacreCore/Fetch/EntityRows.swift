import Foundation
import NacreEngine
import NacreStore

/// The objects of an entity, as the rows of a query.
struct EntityRows<E: Entity>: RowSource {
  var name: String { E.entitySchema.name }

  var schema: RowSchema { E.entitySchema }

  var currentStore: Store { get throws { try Store.current(for: E.self) } }

  func statements(on session: EntitySession) throws -> RowStatements {
    try session.statements(for: E.entitySchema).row
  }

  func fetch(_ request: FetchRequest, on session: EntitySession) throws -> [E] {
    try session.fetch(E.self, request)
  }

  func batches(_ request: FetchRequest, on session: EntitySession) throws -> RowBatches<E> {
    try batches(request, on: session, isRanked: true) { $0.sql.select($1) }
  }

  /// Begins to read the objects by a statement that is not the entity's own.
  ///
  /// - Parameters:
  ///   - request: The terms of the query.
  ///   - session: The state that entities keep for the connection.
  ///   - isRanked: Whether a search without another order has its rank as one.
  ///   - owner: The arguments after the caller's own.
  ///   - text: Returns the text of the statement.
  /// - Returns: The objects in batches.
  /// - Throws: ``NacreError``.
  func batches(
    _ request: FetchRequest,
    on session: EntitySession,
    isRanked: Bool = false,
    owner: [Value] = [],
    text: (EntityStatements, QueryTerms) -> String
  ) throws -> RowBatches<E> {
    let statements = try session.statements(for: E.entitySchema)
    let (terms, arguments) = try request.resolved(
      statements.row,
      on: session,
      isRanked: isRanked
    )
    let statement = try session.connection.prepare(text(statements, terms))
    try statement.bindAll(arguments + owner)
    let reader = statements.reader(statement)
    let hasChildren = !statements.owned.isEmpty || !request.prefetch.isEmpty
    return RowBatches(statement) { [prefetch = request.prefetch] limit in
      let loader = GraphLoader(session, prefetch: prefetch)
      let roots = hasChildren ? loader.makeRoots(statements) : nil
      let objects = try E.readObjects(
        from: RowStream(statement, reader, into: roots, limit: limit)
      )
      if let roots { try loader.load(roots) }
      return objects
    }
  }

  func condition(
    _ request: FetchRequest,
    on session: EntitySession,
    _ test: (E) throws -> Bool
  ) throws -> Condition {
    var found = Data()
    try each(request, on: session) { object in
      if try test(object) { found.append(object.entityState.identity.data) }
    }
    return .isAmongIdentifiers(found)
  }
}

extension Condition {
  /// Returns the condition that a row has one of the given identifiers, 16 bytes each.
  static func isAmongIdentifiers(_ bytes: Data) -> Condition {
    Condition(
      text: RelationshipSQL.isAmongIdentifiers,
      arguments: [.blob(bytes)],
      isMade: true
    )
  }
}
