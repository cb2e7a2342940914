import NacreCore
import NacreEngine
import NacreStore

/// The records of a table, as the rows of a query.
struct RecordRows<R: Record>: RowSource {
  let name: String

  var schema: RowSchema { get throws { try RecordSchema<R>.of(name).row } }

  var currentStore: Store { get throws { try Store.current(for: nil) } }

  func plan(on session: EntitySession) throws -> RowPlan { try recordPlan(on: session).row }

  private func recordPlan(on session: EntitySession) throws -> RecordPlan<R> {
    try session.plan(for: RecordSchema<R>.of(name))
  }

  func fetch(_ request: FetchRequest, on session: EntitySession) throws -> [R] {
    try session.consistently {
      let plan = try recordPlan(on: session)
      let (terms, arguments) = try request.resolved(plan.row, on: session)
      return try plan.records(session.bound(plan.row.sql.select(terms), arguments))
    }
  }

  func batches(_ request: FetchRequest, on session: EntitySession) throws -> RowBatches<R> {
    let plan = try recordPlan(on: session)
    let (terms, arguments) = try request.resolved(plan.row, on: session)
    let statement = try session.connection.prepare(plan.row.sql.select(terms))
    try statement.bindAll(arguments)
    return RowBatches(statement) { try plan.records(statement, limit: $0) }
  }

  func deleteAll(_ request: FetchRequest, on session: EntitySession) throws -> Int {
    try session.deleteAll(plan(on: session), request)
  }

  func condition(
    _ request: FetchRequest,
    on session: EntitySession,
    _ test: (R) throws -> Bool
  ) throws -> Condition {
    let plan = try recordPlan(on: session)
    var keys: [Value] = []
    try each(request, on: session) { record in
      if try test(record) { keys += try plan.key(of: record) }
    }
    return try plan.row.isOneOf(keys: keys)
  }
}

/// A cursor over a table's records.
public typealias RecordCursor<R: Record> = QueryCursor<R>

/// A new value for one property of records that are changed without being loaded.
public typealias RecordAssignment<R: Record> = Assignment<R>
