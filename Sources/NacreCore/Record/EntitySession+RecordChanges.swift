import NacreEngine
import NacreSQLite
import NacreStore

// Changes and deletions of rows that are stored already.

extension EntitySession {
  /// Writes the named columns of a record to the row that has its key, or all but the key if none
  /// are named.
  func update<R: Record>(
    _ record: R,
    _ layout: RecordLayout<R>,
    _ paths: [PartialKeyPath<R>] = []
  ) throws {
    let columns = try paths.map(layout.column)
    try saving {
      let plan = try plan(for: layout)
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
  func update<R: Record>(_ record: R, since former: R, _ layout: RecordLayout<R>) throws -> Bool {
    let changed = try NacreError.wrapping {
      try layout.columns.indices.filter { index in
        let access = layout.columns[index].access
        return try access.get(record) != access.get(former)
      }
    }
    if changed.isEmpty { return false }
    try saving {
      let plan = try plan(for: layout)
      try plan.validate(record, .update)
      _ = try plan.key(of: record)
      try plan.update(record, changed, key: plan.key(of: former))
    }
    return true
  }

  /// Writes records over the rows that have their keys, all or none.
  func update<R: Record>(contentsOf records: some Sequence<R>, _ layout: RecordLayout<R>) throws
    -> Int
  {
    try database.transaction(.immediate) { _ in
      let plan = try plan(for: layout)
      return try eachRecord(of: records) { try update($0, plan, plan.values) }
    }
  }

  // MARK: By condition

  /// Sets values in all rows that match a condition, without loading them.
  ///
  /// - Returns: how many rows were changed.
  func update<R: Record>(
    _ assignments: [RecordAssignment<R>],
    _ layout: RecordLayout<R>,
    where condition: String?,
    _ arguments: [Value]
  ) throws -> Int {
    try saving {
      let plan = try plan(for: layout)
      try plan.cells.verify(QueryTerms(condition: condition), arguments)
      let columns = try assignments.map { try layout.column($0.path) }
      if columns.isEmpty { return 0 }
      let values = try zip(columns, assignments).map { try plan.stored($1.value, $0) }
      if plan.hasSealed(columns) {
        return try sealingUpdate(columns, values, plan, condition, arguments)
      }
      // The condition's parameters come after others, so their own numbers would be wrong.
      let terms = try condition.map { try SQLArguments(text: $0, values: arguments).flattened() }
      let text = plan.cells.sql.updateAll(
        columns.map { (plan.schema.properties[$0], false) },
        QueryTerms(condition: terms?.text)
      )
      let statement = try bound(text, values + (terms?.values ?? arguments))
      try plan.run(statement)
      return connection.changes
    }
  }

  /// Sets values in the rows that have these keys, all or none.
  ///
  /// - Returns: how many rows were changed.
  func update<R: Record>(
    _ assignments: [RecordAssignment<R>],
    _ layout: RecordLayout<R>,
    keys: [[Value]]
  ) throws -> Int {
    try saving {
      let plan = try plan(for: layout)
      let keys = try keys.map(plan.key)
      let columns = try assignments.map { try layout.column($0.path) }
      let values = try zip(columns, assignments).map { try plan.stored($1.value, $0) }
      guard let text = plan.sql.update(columns) else { return 0 }
      let isSealed = plan.hasSealed(columns)
      var count = 0
      try atomically(keys.count == 1 ? .statement : .savepoint) {
        let statement = try connection.cached(text)
        for key in keys {
          let identity = isSealed ? try plan.identity(of: key) : nil
          if isSealed && identity == nil { continue }
          try plan.bind(key, to: statement)
          try plan.set(columns, to: values, identity, by: statement)
          count += connection.changes
        }
      }
      return count
    }
  }

  /// Does the same row by row, because a value is sealed anew for each row.
  private func sealingUpdate<R: Record>(
    _ columns: [Int],
    _ values: [Value],
    _ plan: RecordPlan<R>,
    _ condition: String?,
    _ arguments: [Value]
  ) throws -> Int {
    guard let text = plan.sql.updateByObjectID(columns) else { return 0 }
    var rows: [ObjectID] = []
    try each(plan.cells.sql.selectIDs(QueryTerms(condition: condition)), arguments) { row in
      rows.append(try plan.identity(row, at: 0))
    }
    try atomically(.savepoint) {
      let statement = try connection.cached(text)
      for row in rows { try plan.set(columns, to: values, row, by: statement) }
    }
    return rows.count
  }

  // MARK: Deleting

  /// Deletes the rows that have these keys, all or none.
  ///
  /// - Returns: how many rows were deleted.
  func delete<R: Record>(keys: [[Value]], _ layout: RecordLayout<R>) throws -> Int {
    try saving {
      let plan = try plan(for: layout)
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
  func delete<R: Record>(_ record: R, _ layout: RecordLayout<R>) throws -> Bool {
    try saving { try delete(keys: [plan(for: layout).key(of: record)], layout) > 0 }
  }

  /// Deletes the rows of records, all or none.
  ///
  /// - Returns: how many rows were deleted.
  func delete<R: Record>(contentsOf records: some Sequence<R>, _ layout: RecordLayout<R>) throws
    -> Int
  {
    try database.transaction(.immediate) { _ in
      let plan = try plan(for: layout)
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

  /// Deletes all rows that match a condition.
  func delete<R: Record>(
    where condition: String?,
    _ arguments: [Value],
    _ layout: RecordLayout<R>
  ) throws -> Int {
    try saving {
      let plan = try plan(for: layout)
      let terms = QueryTerms(condition: condition)
      try plan.cells.verify(terms, arguments)
      let statement = try bound(plan.cells.sql.deleteAll(terms), arguments)
      try plan.run(statement)
      return connection.changes
    }
  }

  /// Deletes all rows, and starts generated keys at 1 again.
  func truncate<R: Record>(_ layout: RecordLayout<R>, shrinksFile: Bool) throws -> Int {
    if shrinksFile && connection.isInTransaction {
      throw NacreError(.transactionState, detail: "the file can't be shrunk inside a transaction")
    }
    let count = try database.transaction(.immediate) { _ in
      let count = try delete(where: nil, [], layout)
      if layout.generatedKey != nil {
        try connection.restartGeneratedKeys(of: layout.schema.table)
      }
      return count
    }
    if shrinksFile { try home.pool.takingLong { try connection.execute(RotationSQL.vacuum) } }
    return count
  }
}

extension RecordPlan {
  /// Returns the stored form of a property's value, or of the column's default if the value is nil.
  func stored(_ value: Any, _ index: Int) throws -> Value {
    do {
      let access = layout.columns[index].access
      let value = try access.encode(value)
      return value == .null ? try access.preset() : value
    } catch {
      throw failure(error, index)
    }
  }

  /// Sets columns of a row to stored values.
  ///
  /// The row's objectID is needed only if one of the columns is sealed.
  func set(
    _ columns: [Int],
    to values: [Value],
    _ identity: ObjectID?,
    by statement: any PreparedStatement
  ) throws {
    try identity?.bind(to: statement, at: 1)
    for (index, value) in zip(columns, values) {
      do {
        if schema.properties[index].isSealed {
          try seal(value, index, identity, to: statement)
        } else {
          try statement.bind(value, at: Int32(index + 2))
        }
      } catch {
        throw failure(error, index)
      }
    }
    try run(statement)
  }
}
