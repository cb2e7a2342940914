import NacreCore
import NacreEngine
import NacreStore

// Changes and deletions of rows that are stored already.

extension EntitySession {
  /// Writes the named columns of a record to the row that has its key, or all but the key if none
  /// are named.
  func update<R: Record>(
    _ record: R,
    _ schema: RecordSchema<R>,
    _ paths: [PartialKeyPath<R>] = []
  ) throws {
    let columns = try paths.map(schema.column)
    try saving {
      let plan = try plan(for: schema)
      try update(record, plan, columns.isEmpty ? plan.values : columns)
    }
  }

  private func update<R: Record>(_ record: R, _ plan: RecordPlan<R>, _ columns: [Int]) throws {
    try plan.validate(record, .update)
    try plan.update(record, columns, key: plan.key(of: record))
  }

  /// Writes the columns in which a record differs from a former copy, to the row that has the
  /// copy's key.
  ///
  /// - Returns: whether they differ.
  func update<R: Record>(_ record: R, since former: R, _ schema: RecordSchema<R>) throws -> Bool {
    let changed = try NacreError.wrapping {
      try schema.columns.indices.filter { index in
        let access = schema.columns[index].access
        return try access.get(record) != access.get(former)
      }
    }
    if changed.isEmpty { return false }
    try saving {
      let plan = try plan(for: schema)
      try plan.validate(record, .update)
      _ = try plan.key(of: record)
      try plan.update(record, changed, key: plan.key(of: former))
    }
    return true
  }

  /// Writes records over the rows that have their keys, all or none.
  func update<R: Record>(contentsOf records: some Sequence<R>, _ schema: RecordSchema<R>) throws
    -> Int
  {
    try database.transaction(.immediate) { _ in
      let plan = try plan(for: schema)
      return try eachRecord(of: records) { try update($0, plan, plan.values) }
    }
  }

  /// Changes columns of the rows that have these keys, all or none.
  ///
  /// - Returns: how many rows were changed.
  func update<R: Record>(
    _ changes: [PropertyChange],
    _ schema: RecordSchema<R>,
    keys: [[Value]]
  ) throws -> Int {
    try saving {
      let plan = try plan(for: schema)
      let keys = try keys.map(plan.key)
      if changes.isEmpty { return 0 }
      let isSealed = changes.contains(where: \.property.isSealed)
      let text = plan.row.sql.updateByKey(changes.map { ($0.property, $0.isIncrement) })
      var count = 0
      try atomically(keys.count == 1 ? .statement : .savepoint) {
        let statement = try connection.cached(text)
        for key in keys {
          try refuseOverflow(plan.row, QueryTerms(condition: plan.row.sql.isKey), key, changes)
          let identity = isSealed ? try plan.identity(of: key) : nil
          if isSealed && identity == nil { continue }
          try plan.bind(key, to: statement)
          try plan.make(changes, identity, by: statement)
          count += connection.changes
        }
      }
      return count
    }
  }

  // MARK: Deleting

  /// Deletes the rows that have these keys, all or none.
  ///
  /// - Returns: how many rows were deleted.
  func delete<R: Record>(keys: [[Value]], _ schema: RecordSchema<R>) throws -> Int {
    try saving {
      let plan = try plan(for: schema)
      let keys = try keys.map(plan.key)
      var count = 0
      try atomically(keys.count == 1 ? .statement : .savepoint) {
        let statement = try connection.cached(plan.sql.delete)
        for key in keys {
          try plan.bind(key, to: statement)
          try plan.run(statement)
          count += connection.changes
        }
      }
      return count
    }
  }

  /// Deletes the row of a record.
  func delete<R: Record>(_ record: R, _ schema: RecordSchema<R>) throws -> Bool {
    try saving { try delete(keys: [plan(for: schema).key(of: record)], schema) > 0 }
  }

  /// Deletes the rows of records, all or none.
  ///
  /// - Returns: how many rows were deleted.
  func delete<R: Record>(contentsOf records: some Sequence<R>, _ schema: RecordSchema<R>) throws
    -> Int
  {
    try database.transaction(.immediate) { _ in
      let plan = try plan(for: schema)
      let statement = try connection.cached(plan.sql.delete)
      var count = 0
      _ = try eachRecord(of: records) { record in
        try plan.bind(plan.key(of: record), to: statement)
        try plan.run(statement)
        count += connection.changes
      }
      return count
    }
  }

  /// Deletes all rows, and starts generated keys at 1 again.
  func truncate<R: Record>(_ schema: RecordSchema<R>, shrinksFile: Bool) throws -> Int {
    if shrinksFile && connection.isInTransaction {
      throw NacreError(.transactionState, detail: "the file can't be shrunk inside a transaction")
    }
    let count = try database.transaction(.immediate) { _ in
      let count = try deleteAll(plan(for: schema).row, FetchRequest())
      if schema.generatedKey != nil {
        try connection.restartGeneratedKeys(of: schema.table)
      }
      return count
    }
    if shrinksFile { try shrinkFile(after: schema.row) }
    return count
  }

  /// Rewrites the file after all rows of a table were deleted.
  private func shrinkFile(after schema: RowSchema) throws {
    do {
      try home.pool.takingLong { try connection.execute(RotationSQL.vacuum) }
    } catch {
      guard let error = NacreError.wrap(error) as? NacreError else { throw error }
      throw NacreError(
        error.code,
        entity: schema.name,
        detail: "the rows are deleted, and the file could not be shrunk",
        advice: "Only the file's size is as before; call `truncate(shrinksFile: true)` again.",
        cause: error.cause
      )
    }
  }
}

extension RecordPlan {
  /// Makes changes to a row, whose key is bound already.
  ///
  /// The row's objectID is needed only if one of the columns is sealed.
  func make(
    _ changes: [PropertyChange],
    _ identity: ObjectID?,
    by statement: any PreparedStatement
  ) throws {
    try identity?.bind(to: statement, at: 1)
    for change in changes {
      let index = change.property.index
      do {
        if change.property.isSealed {
          try seal(change.argument, index, identity, to: statement)
        } else {
          try statement.bind(change.argument, at: Int32(index + 2))
        }
      } catch {
        throw failure(error, index)
      }
    }
    try run(statement)
  }
}
