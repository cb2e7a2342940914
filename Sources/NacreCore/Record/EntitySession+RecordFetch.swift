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

  /// Fetches the records that have these keys, in their order; keys of no row are left out.
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

  /// Fetches the records that have one of these values, in no particular order.
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
    request.terms.order = layout.sql.keyOrder(isDescending: isLast)
    request.terms.limit = 1
    return try fetch(request, layout).first
  }

  /// Reads records from a query of the caller's own, by the names of its columns.
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

  /// How many rows a condition is true of.
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

  /// Asks the values of a property in the rows that a condition is true of; a sealed one is refused.
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

  /// The names of the table's columns in the file, without those that the store keeps for itself.
  func columnNames<R: Record>(_ layout: RecordLayout<R>) throws -> [String] {
    try consistently {
      _ = try plan(for: layout)
      var hidden = Set(layout.schema.properties.compactMap(\.indexColumn))
      if layout.isSealed { hidden.insert("objectID") }
      return try connection.texts(RecordSQL.tableInfo, [.text(layout.schema.table)])
        .filter { !hidden.contains($0) }
    }
  }
}

extension RecordPlan {
  /// The record's columns in a query of the caller's own; others are left alone.
  func columns(of statement: Statement) -> [(index: Int, column: Int32)] {
    (0..<Int32(statement.columnCount)).compactMap { column in
      let name = statement.columnName(at: column).lowercased()
      return schema.properties.first { $0.column.lowercased() == name }.map { ($0.index, column) }
    }
  }

  /// The column of the rows' objectID in such a query.
  func objectIDColumn(of statement: Statement) -> Int32? {
    guard layout.isSealed else { return nil }
    return (0..<Int32(statement.columnCount)).first {
      statement.columnName(at: $0).lowercased() == "objectid"
    }
  }
}
