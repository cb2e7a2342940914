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
      let statements = try statements(for: schema)
      try atomically(.statement) {
        try update(record, statements, columns.isEmpty ? statements.values : columns)
      }
    }
  }

  private func update<R: Record>(_ record: R, _ statements: RecordStatements<R>, _ columns: [Int])
    throws
  {
    try statements.validate(record, .update)
    try statements.update(record, columns, key: statements.key(of: record))
  }

  /// Writes the columns in which a record differs from a former copy, to the row that has the
  /// copy's key.
  ///
  /// - Returns: whether they differ.
  func update<R: Record>(_ record: R, since former: R, _ schema: RecordSchema<R>) throws -> Bool {
    let changed = try NacreError.wrapping {
      try schema.columns.indices.filter { index in
        let column = schema.columns[index]
        return try column.get(record) != column.get(former)
      }
    }
    if changed.isEmpty { return false }
    try saving {
      let statements = try statements(for: schema)
      try statements.validate(record, .update)
      _ = try statements.key(of: record)
      try atomically(.statement) {
        try statements.update(record, changed, key: statements.key(of: former))
      }
    }
    return true
  }

  /// Writes records over the rows that have their keys, all or none.
  func update<R: Record>(contentsOf records: some Sequence<R>, _ schema: RecordSchema<R>) throws
    -> Int
  {
    try database.transaction(.immediate) { _ in
      let statements = try statements(for: schema)
      return try eachRecord(of: records) { try update($0, statements, statements.values) }
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
      let statements = try statements(for: schema)
      let keys = try keys.map(statements.key)
      if changes.isEmpty { return 0 }
      let isSealed = changes.contains(where: \.property.isSealed)
      let text = try statements.row.sql.updateByKey(
        changes.map { (property: $0.property, change: try $0.valueChange(on: self)) }
      )
      var count = 0
      try atomically(keys.count == 1 ? .statement : .savepoint) {
        let statement = try connection.cached(text)
        for key in keys {
          try refuseOverflow(
            statements.row,
            QueryTerms(condition: statements.row.sql.isKey),
            key,
            changes
          )
          let identity = isSealed ? try statements.identity(of: key) : nil
          if isSealed && identity == nil { continue }
          try statements.bind(key, to: statement)
          try statements.make(changes, identity, by: statement)
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
      let statements = try statements(for: schema)
      let keys = try keys.map(statements.key)
      var count = 0
      try atomically(keys.count == 1 ? .statement : .savepoint) {
        let statement = try connection.cached(statements.sql.delete)
        for key in keys {
          try statements.bind(key, to: statement)
          try statements.run(statement)
          count += connection.changes
        }
      }
      return count
    }
  }

  /// Deletes the row of a record.
  func delete<R: Record>(_ record: R, _ schema: RecordSchema<R>) throws -> Bool {
    try saving { try delete(keys: [statements(for: schema).key(of: record)], schema) > 0 }
  }

  /// Deletes the rows of records, all or none.
  ///
  /// - Returns: how many rows were deleted.
  func delete<R: Record>(contentsOf records: some Sequence<R>, _ schema: RecordSchema<R>) throws
    -> Int
  {
    try database.transaction(.immediate) { _ in
      let statements = try statements(for: schema)
      let statement = try connection.cached(statements.sql.delete)
      var count = 0
      _ = try eachRecord(of: records) { record in
        try statements.bind(statements.key(of: record), to: statement)
        try statements.run(statement)
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
      let count = try deleteAll(statements(for: schema).row, FetchRequest())
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
      try home.pool.takingLong { try connection.vacuum() }
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

extension RecordStatements {
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
