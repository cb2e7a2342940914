import NacreCore
import NacreEngine
import NacreStore

extension EntitySession {
  /// Returns the statements of a record type's table, and makes the table if it does not exist yet.
  func statements<R: Record>(for schema: RecordSchema<R>) throws -> RecordStatements<R> {
    let number = schema.row.number
    if try database.hasCurrentStatements(),
      let statements = otherStatements(number) as? RecordStatements<R>
    {
      return statements
    }
    try schema.checkKey()
    try database.refuseInsideMigration(schema.name)
    try database.refuseForeignCatalog()
    let builder = RecordTableBuilder(database: database, schema: schema)
    if try builder.isBuilt() {
      home.changeSealedColumns { $0.insert(schema.row) }
    } else if database.isWriter {
      try build(builder)
    } else {
      try home.withWriterApart { _ = try $0.entities.statements(for: schema) }
      try database.moveSnapshot()
    }
    let statements = RecordStatements(schema, self)
    keep(statements, for: number)
    return statements
  }

  private func build<R: Record>(_ builder: RecordTableBuilder<R>) throws {
    let schema = builder.schema
    try database.transaction(.immediate) { database in
      let known = home.sealedColumns
      let fresh = schema.properties.filter {
        $0.isSealed && !known.contains(schema.table, $0.column)
      }
      database.undo.note {
        database.forgetStatements()
        for property in fresh {
          self.home.noteSealedColumns(
            table: schema.table,
            column: property.column,
            isSealed: false,
            hasIndex: false
          )
        }
      }
      try builder.build()
      home.changeSealedColumns { $0.insert(schema.row) }
    }
  }

  /// Makes a table or brings it up to date, and rebuilds its columns of decimals that compare
  /// texts.
  func migrate<R: Record>(_ schema: RecordSchema<R>) throws {
    _ = try statements(for: schema)
    let rebuild = DecimalRebuild(schema: schema.row, connection: connection)
    if try rebuild.properties.isEmpty { return }
    try database.rebuildingDecimals { database in
      try rebuild.run { try TableBuilder(database, schema.row).defaults($0) }
    }
  }

  /// Runs `body` for each record of a list; its error has the index of the record that failed.
  ///
  /// - Returns: how many records there were.
  func eachRecord<S: Sequence>(
    of records: S,
    _ body: (S.Element) throws -> Void
  ) throws -> Int {
    var count = 0
    for record in records {
      do {
        try body(record)
      } catch {
        guard var error = NacreError.wrap(error) as? NacreError else { throw error }
        error.index = count
        throw error
      }
      count += 1
    }
    return count
  }
}

// MARK: - Inserting

extension EntitySession {
  /// Stores a record, and sets its key if the database generated one.
  func insert<R: Record>(_ record: inout R, _ schema: RecordSchema<R>) throws {
    // The caller's record gets its key once it is stored: the commit can fail, too.
    var stored = record
    try saving {
      let statements = try statements(for: schema)
      try atomically(.statement) {
        _ = try statements.insertSettingKey(&stored, connection.cached(statements.sql.insertForKey))
      }
    }
    record = stored
  }

  /// Stores records, all or none.
  func insert<R: Record>(contentsOf records: some Sequence<R>, _ schema: RecordSchema<R>) throws
    -> Int
  {
    try database.transaction(.immediate) { _ in
      let statements = try statements(for: schema)
      // The statement is not from the cache, because the sequence may insert records itself while
      // it is read.
      let statement = try connection.prepare(statements.sql.insert)
      return try eachRecord(of: records) { try statements.insert($0, statement) }
    }
  }

  /// Stores records, all or none, and sets the keys that the database generated for them.
  func insert<R: Record>(contentsOf records: inout [R], _ schema: RecordSchema<R>) throws {
    var given: [Int] = []
    do {
      try database.transaction(.immediate) { _ in
        let statements = try statements(for: schema)
        let statement = try connection.prepare(statements.sql.insertForKey)
        _ = try eachRecord(of: records.indices) { index in
          if try statements.insertSettingKey(&records[index], statement) { given.append(index) }
        }
      }
    } catch {
      for index in given { try? schema.generatedKey?.set(&records[index], .null) }
      throw error
    }
  }

  /// Writes a record over the row that it matches, or stores it as a new one.
  ///
  /// - Parameters:
  ///   - record: the record; afterwards it has the row's key.
  ///   - schema: its table.
  ///   - path: the unique column that is compared before the key; nil compares the key alone.
  ///   - keepsNil: whether properties that are nil leave their columns as they are.
  /// - Throws: ``NacreError``; then nothing is changed.
  func upsert<R: Record>(
    _ record: inout R,
    _ schema: RecordSchema<R>,
    by path: PartialKeyPath<R>?,
    keepsNil: Bool
  ) throws {
    var stored = record
    try saving {
      let statements = try statements(for: schema)
      try atomically(.statement) {
        guard let key = try match(record, statements, by: path.map(schema.column)) else {
          return _ = try statements.insertSettingKey(
            &stored,
            connection.cached(statements.sql.insertForKey)
          )
        }
        try statements.validate(record, .update)
        let columns = try statements.values.filter { index in
          guard keepsNil else { return true }
          return try schema.columns[index].get(record) != .null
        }
        try statements.update(record, columns, key: key)
        try statements.set(key, of: &stored)
      }
    }
    record = stored
  }

  /// Returns the key of the row that a record matches; nil if there is none.
  private func match<R: Record>(
    _ record: R,
    _ statements: RecordStatements<R>,
    by column: Int?
  ) throws -> [Value]? {
    if let column, statements.schema.keys != [column] {
      let property = statements.schema.properties[column]
      guard property.isUnique else {
        throw statements.schema.row.error(
          .badStatement,
          of: property,
          "a record can be matched only by a unique column or by its key"
        )
      }
      let value = try statements.schema.columns[column].get(record)
      if value == .null {
        throw statements.schema.row.error(.noKey, of: property)
      }
      if let key = try key(of: property, value, statements) { return key }
    }
    let own = try statements.schema.keys.map {
      try statements.schema.columns[$0].get(record)
    }
    return try !own.contains(.null) && statements.has(own) ? own : nil
  }

  /// Returns the key of the row that has a value in a unique column; nil if there is none.
  private func key<R: Record>(
    of property: Property,
    _ value: Value,
    _ statements: RecordStatements<R>
  ) throws -> [Value]? {
    var (condition, argument) = (statements.sql.equals(property), value)
    if property.isSealed {
      let match = PropertyMatch(property, stored: value)
      guard let identity = try candidates(match, statements.row).first else { return nil }
      (condition, argument) = (RecordSQL.hasObjectID, .blob(identity.data))
    }
    let statement = try database.bound(
      statements.row.sql.selectKeys(QueryTerms(condition: condition)),
      [argument]
    )
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return statements.schema.keys.indices.map { statement.value(at: Int32($0)) }
  }
}
