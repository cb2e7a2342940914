import NacreCore
import NacreEngine
import NacreStore

extension EntitySession {
  /// Fetches the records that have these keys, in the order of the keys; it skips keys that no row
  /// has.
  func fetch<R: Record>(keys: [[Value]], _ schema: RecordSchema<R>) throws -> [R] {
    try database.consistently {
      let statements = try statements(for: schema)
      let statement = try connection.cached(statements.sql.selectByKey)
      defer { statement.reset() }
      var records: [R] = []
      for key in keys {
        try statements.bind(statements.key(key), to: statement)
        if try statement.step() { records.append(try statements.record(statement)) }
        statement.reset()
      }
      return records
    }
  }

  /// Reads records from the caller's own query, whose columns it matches to properties by name.
  func fetch<R: Record>(
    sql: String,
    _ arguments: [Value],
    _ schema: RecordSchema<R>
  ) throws -> [R] {
    try database.consistently {
      let statements = try statements(for: schema)
      let statement = try database.bound(sql, arguments)
      defer { statement.reset() }
      let read = statements.reader()
      var records: [R] = []
      while try statement.step() { records.append(try read(statement)) }
      return records
    }
  }

  /// Reads records from the caller's own query, each with the columns that are not the record's.
  func find<R: Record>(_ sql: SQLArguments, _ schema: RecordSchema<R>) throws -> [Found<R>] {
    try database.consistently {
      let statements = try statements(for: schema)
      let statement = try database.bound(sql.text, sql.values)
      defer { statement.reset() }
      let read = statements.reader()
      let own = Set(statements.columns(of: statement).map(\.column))
      let others = (0..<Int32(statement.columnCount)).filter {
        !own.contains($0) && !schema.hiddenColumns.contains(SQLName(statement.columnName(at: $0)))
      }
      let names = ColumnNames(others.map { statement.columnName(at: $0) })
      var found: [Found<R>] = []
      while try statement.step() {
        let extras = Row(names, others.map { statement.value(at: $0) })
        found.append(Found(object: try read(statement), extras: extras))
      }
      return found
    }
  }

  /// Reads the records on one page of the rows of the caller's own query.
  func page<R: Record>(
    _ place: PagePlace,
    _ sql: SQLArguments,
    _ schema: RecordSchema<R>
  ) throws -> Page<R> {
    try database.consistently {
      try database.page(place, sql, statements(for: schema).reader())
    }
  }

  /// Returns the names of the table's columns in the file, without the store's own.
  ///
  /// The store's own columns are the blind indexes and, in a table with sealed columns, the
  /// objectID.
  func columnNames<R: Record>(_ schema: RecordSchema<R>) throws -> [String] {
    try database.consistently {
      _ = try statements(for: schema)
      let hidden = schema.hiddenColumns
      return try connection.columnNames(of: schema.table)
        .filter { !hidden.contains(SQLName($0)) }
    }
  }
}

extension RecordStatements {
  /// Returns a closure that reads a record from each row of one query of the caller's own; it looks
  /// for the columns at the first row.
  func reader() -> (any PreparedStatement) throws -> R {
    var found: (columns: [(index: Int, column: Int32)], objectID: Int32?)?
    return { statement in
      let known = found ?? (self.columns(of: statement), self.objectIDColumn(of: statement))
      found = known
      var record = R()
      let identity = try known.objectID.map { try self.identity(statement, at: $0) }
      for (index, column) in known.columns {
        try self.read(&record, index, statement, column, identity)
      }
      return record
    }
  }

  /// Returns which columns of the caller's own query hold which of the record's columns; it skips
  /// all others.
  ///
  /// If a name comes twice, as in `s.*, t.*`, the first column is the record's.
  func columns(of statement: any PreparedStatement) -> [(index: Int, column: Int32)] {
    var met: Set<SQLName> = []
    return (0..<Int32(statement.columnCount)).compactMap { column in
      let name = SQLName(statement.columnName(at: column))
      guard met.insert(name).inserted else { return nil }
      return schema.properties.first { SQLName($0.column) == name }.map { ($0.index, column) }
    }
  }

  /// Returns the column of such a query that holds the objectID; nil if there is none, or if no
  /// column of the table is sealed.
  func objectIDColumn(of statement: any PreparedStatement) -> Int32? {
    guard schema.isSealed else { return nil }
    return (0..<Int32(statement.columnCount)).first {
      SQLName(statement.columnName(at: $0)) == SQLName("objectID")
    }
  }
}
