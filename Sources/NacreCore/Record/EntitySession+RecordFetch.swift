import NacreEngine
import NacreSQLite
import NacreStore

extension EntitySession {
  /// Fetches the records that a query finds.
  func fetch<R: Record>(_ request: RecordRequest, _ layout: RecordLayout<R>) throws -> [R] {
    try consistently {
      let plan = try plan(for: layout)
      try plan.cells.verify(request.terms, request.arguments)
      return try plan.records(bound(plan.sql.select(request.terms), request.arguments))
    }
  }

  /// Fetches the records that have these keys, in the order of the keys; it skips keys that no row
  /// has.
  func fetch<R: Record>(keys: [[Value]], _ layout: RecordLayout<R>) throws -> [R] {
    try consistently {
      let plan = try plan(for: layout)
      let statement = try connection.cached(plan.sql.selectByKey)
      defer { statement.reset() }
      var records: [R] = []
      for key in keys {
        try plan.bind(plan.key(key), to: statement)
        if try statement.step() { records.append(try plan.record(statement)) }
        statement.reset()
      }
      return records
    }
  }

  /// Fetches the records whose property has one of the match's values, in no particular order.
  func fetch<R: Record>(_ match: PropertyMatch, _ layout: RecordLayout<R>) throws -> [R] {
    try consistently {
      let plan = try plan(for: layout)
      return try found(
        match,
        plan.cells,
        byTerms: { try plan.records(bound(plan.sql.select($0), $1)) },
        byIdentities: { identities in
          let statement = try connection.cached(plan.sql.selectByObjectID)
          return try identities.flatMap { identity in
            try identity.bind(to: statement, at: 1)
            return try plan.records(statement)
          }
        }
      )
    }
  }

  /// Fetches the first or last record in the order of keys.
  func fetch<R: Record>(
    _ layout: RecordLayout<R>,
    isLast: Bool
  ) throws -> R? {
    var request = RecordRequest()
    request.terms.order = layout.sql.keyOrder(isDescending: isLast, connection.dialect)
    request.terms.limit = 1
    return try fetch(request, layout).first
  }

  /// Reads records from the caller's own query, whose columns it matches to properties by name.
  func fetch<R: Record>(
    sql: String,
    _ arguments: [Value],
    _ layout: RecordLayout<R>
  ) throws -> [R] {
    try consistently {
      let plan = try plan(for: layout)
      let statement = try bound(sql, arguments)
      defer { statement.reset() }
      var records: [R] = []
      var columns: [(index: Int, column: Int32)]?
      var objectID: Int32?
      while try statement.step() {
        let known = columns ?? plan.columns(of: statement)
        if columns == nil { objectID = plan.objectIDColumn(of: statement) }
        columns = known
        var record = R()
        let identity = try objectID.map { try plan.identity(statement, at: $0) }
        for (index, column) in known { try plan.read(&record, index, statement, column, identity) }
        records.append(record)
      }
      return records
    }
  }

  /// Returns how many rows match a condition.
  func count<R: Record>(
    where condition: String?,
    _ arguments: [Value],
    _ layout: RecordLayout<R>
  ) throws -> Int {
    try consistently {
      let cells = try plan(for: layout).cells
      let terms = QueryTerms(condition: condition)
      try cells.verify(terms, arguments)
      return try count(cells.sql.count(terms), arguments)
    }
  }

  /// Calls `ask` with the column of a property in the rows that match a condition; throws if the
  /// property is sealed.
  func values<R: Record, T>(
    _ path: PartialKeyPath<R>,
    where condition: String?,
    _ arguments: [Value],
    _ layout: RecordLayout<R>,
    _ ask: (PlainColumn) throws -> T
  ) throws -> T {
    let column = try ValueColumn(path, of: layout.schema)
    try column.refuseSealed(of: layout.schema)
    return try consistently {
      let cells = try plan(for: layout).cells
      let terms = QueryTerms(condition: condition)
      try cells.verify(terms, arguments)
      return try ask(
        PlainColumn(
          column: column,
          plan: cells,
          terms: terms,
          arguments: arguments,
          hasObjectID: false
        )
      )
    }
  }

  /// Returns the names of the table's columns in the file, without the store's own.
  ///
  /// The store's own columns are the blind indexes and, in a table with sealed columns, the
  /// objectID.
  func columnNames<R: Record>(_ layout: RecordLayout<R>) throws -> [String] {
    try consistently {
      _ = try plan(for: layout)
      var hidden = Set(layout.schema.properties.compactMap(\.indexColumn))
      if layout.isSealed { hidden.insert("objectID") }
      return try connection.columnNames(of: layout.schema.table)
        .filter { !hidden.contains($0) }
    }
  }
}

extension RecordPlan {
  /// Returns which columns of the caller's own query hold which of the record's columns; it skips
  /// all others.
  func columns(of statement: any PreparedStatement) -> [(index: Int, column: Int32)] {
    (0..<Int32(statement.columnCount)).compactMap { column in
      let name = statement.columnName(at: column).lowercased()
      return schema.properties.first { $0.column.lowercased() == name }.map { ($0.index, column) }
    }
  }

  /// Returns the column of such a query that holds the objectID; nil if there is none, or if no
  /// column of the table is sealed.
  func objectIDColumn(of statement: any PreparedStatement) -> Int32? {
    guard layout.isSealed else { return nil }
    return (0..<Int32(statement.columnCount)).first {
      statement.columnName(at: $0).lowercased() == "objectid"
    }
  }
}
