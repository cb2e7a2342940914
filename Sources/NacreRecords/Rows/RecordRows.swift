import NacreCore
import NacreEngine
import NacreStore

/// The records of a table, as the rows of a query.
struct RecordRows<R: Record>: RowSource {
  let name: String

  var schema: RowSchema { get throws { try RecordSchema<R>.of(name).row } }

  var currentStore: Store { get throws { try Store.current(for: nil) } }

  func statements(on session: EntitySession) throws -> RowStatements {
    try recordStatements(on: session).row
  }

  private func recordStatements(on session: EntitySession) throws -> RecordStatements<R> {
    try session.statements(for: RecordSchema<R>.of(name))
  }

  func fetch(_ request: FetchRequest, on session: EntitySession) throws -> [R] {
    try session.database.consistently {
      let statements = try recordStatements(on: session)
      let (terms, arguments) = try request.resolved(statements.row, on: session)
      let text = statements.row.sql.select(terms)
      return try statements.records(session.database.bound(text, arguments))
    }
  }

  func batches(_ request: FetchRequest, on session: EntitySession) throws -> RowBatches<R> {
    let statements = try recordStatements(on: session)
    let (terms, arguments) = try request.resolved(statements.row, on: session)
    let statement = try session.connection.prepare(statements.row.sql.select(terms))
    try statement.bindAll(arguments)
    return RowBatches(statement) { try statements.records(statement, limit: $0) }
  }

  func deleteAll(_ request: FetchRequest, on session: EntitySession) throws -> Int {
    try session.deleteAll(statements(on: session), request)
  }

  func condition(
    _ request: FetchRequest,
    on session: EntitySession,
    _ test: (R) throws -> Bool
  ) throws -> Condition {
    let statements = try recordStatements(on: session)
    var keys: [Value] = []
    try each(request, on: session) { record in
      if try test(record) { keys += try statements.key(of: record) }
    }
    return try statements.row.isOneOf(keys: keys)
  }
}

/// A cursor over a table's records.
public typealias RecordCursor<R: Record> = QueryCursor<R>

/// A new value for one property of records that are changed without being loaded.
public typealias RecordAssignment<R: Record> = Assignment<R>
