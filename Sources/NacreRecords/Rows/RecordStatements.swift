import NacreCore
import NacreEngine
import NacreStore

/// The statements of one table of records on one connection, which bind, write and read its rows.
final class RecordStatements<R: Record> {
  let schema: RecordSchema<R>
  let sql: RecordSQL
  /// The statements that queries use.
  ///
  /// Entities have one as well.
  let row: RowStatements
  // Unsafe holds: the session owns its statements and outlives them.
  private unowned(unsafe) let session: EntitySession
  private let hasObjectID: Bool
  private let isSealed: [Bool]
  /// The indices of all columns; `values` is without the keys.
  private let all: [Int]
  let values: [Int]

  private var connection: any EngineConnection { session.connection }

  init(_ schema: RecordSchema<R>, _ session: EntitySession) {
    self.schema = schema
    self.session = session
    row = RowStatements(schema: schema.row, session: session)
    sql = RecordSQL(
      schema: schema.row,
      isGenerated: schema.generatedKey != nil,
      dialect: session.connection.dialect
    )
    hasObjectID = schema.isSealed
    isSealed = schema.properties.map(\.isSealed)
    all = Array(schema.columns.indices)
    values = all.filter { !schema.keys.contains($0) }
  }

  /// Maps an error to a `NacreError` that names the table, and the column if one is given.
  func failure(_ error: any Error, _ column: Int? = nil) -> any Error {
    NacreError.wrap(error, at: schema.row, property: column, identity: nil)
  }

  /// Runs the record's own validation.
  func validate(_ record: R, _ change: RecordChange) throws {
    do {
      try record.validate(for: change)
    } catch {
      throw NacreError(.invalidRecord, entity: schema.name, cause: error)
    }
  }

  // MARK: Writing

  /// Writes a new row.
  func insert(_ record: R, _ statement: any PreparedStatement) throws {
    try bindNew(record, to: statement)
    try run(statement)
    if connection.changes == 0 { throw ignored }
  }

  /// Writes a new row, and sets the record's key if the database generated one.
  ///
  /// - Parameters:
  ///   - record: the record.
  ///   - statement: the statement of ``RecordSQL/insertForKey``.
  /// - Returns: whether the database generated one.
  /// - Throws: ``NacreError``.
  @discardableResult
  func insertSettingKey(_ record: inout R, _ statement: any PreparedStatement) throws -> Bool {
    try bindNew(record, to: statement)
    let found = try runForKey(statement)
    guard let key = schema.generatedKey, try key.get(record) == .null else { return false }
    try key.set(&record, .integer(found))
    return true
  }

  private func bindNew(_ record: R, to statement: any PreparedStatement) throws {
    try validate(record, .insert)
    try bind(record, all, hasObjectID ? ObjectID.make(.v7) : nil, to: statement)
  }

  /// Runs an insert, and returns the key of its row if the database generates keys.
  private func runForKey(_ statement: any PreparedStatement) throws -> Int64 {
    guard sql.insertForKey != sql.insert else {
      try run(statement)
      if connection.changes == 0 { throw ignored }
      return connection.lastInsertRowID
    }
    var key: Int64?
    do {
      defer { statement.reset() }
      while try statement.step() { key = statement.int64(at: 0) }
    } catch {
      throw failure(error)
    }
    guard let key else { throw ignored }
    return key
  }

  private var ignored: NacreError { schema.row.error(.constraint, "a trigger ignored the insert") }

  /// Writes columns of a record to the row that has a key.
  func update(_ record: R, _ columns: [Int], key: [Value]) throws {
    if columns.isEmpty {
      guard try has(key) else { throw gone }
      return
    }
    let text =
      columns == values
      ? sql.updateAll : row.sql.updateByKey(columns.map { (schema.properties[$0], .set) })
    // A sealed value is bound to its row's objectID.
    let identity = columns.contains { isSealed[$0] } ? try identity(of: key) : nil
    let statement = try connection.cached(text)
    try bind(record, columns, identity, to: statement)
    try bind(key, to: statement)
    try run(statement)
    if connection.changes == 0 { throw gone }
  }

  private var gone: NacreError { NacreError(.objectDeleted, entity: schema.name) }

  /// Runs a statement that writes.
  func run(_ statement: any PreparedStatement) throws {
    do { try statement.run() } catch { throw failure(error) }
  }

  /// Binds columns of a record, each at its own parameter.
  func bind(
    _ record: R,
    _ columns: [Int],
    _ identity: ObjectID?,
    to statement: any PreparedStatement
  ) throws {
    if let identity { try identity.bind(to: statement, at: 1) }
    for index in columns {
      let column = schema.columns[index]
      let parameter = Int32(truncatingIfNeeded: index &+ 2)
      do {
        if isSealed[index] {
          var value = try column.get(record)
          if value == .null { value = try column.preset() }
          try seal(value, index, identity, to: statement)
        } else {
          try column.bind(record, statement, parameter)
        }
      } catch {
        throw failure(error, index)
      }
    }
  }

  /// Seals a value and binds it.
  func seal(
    _ value: Value,
    _ index: Int,
    _ identity: ObjectID?,
    to statement: any PreparedStatement
  ) throws {
    guard let identity else { throw gone }
    try row.seal(value, schema.properties[index], identity, into: statement)
  }

  // MARK: Keys

  /// Returns the record's own key.
  ///
  /// - Throws: `noKey` if a part of it is nil.
  func key(of record: R) throws -> [Value] {
    try schema.keys.map { index in
      let value = try NacreError.wrapping { try schema.columns[index].get(record) }
      if value == .null {
        throw schema.row.error(.noKey, of: schema.properties[index])
      }
      return value
    }
  }

  /// Returns the values that a caller gave as a key, after checking their number.
  ///
  /// - Throws: `badStatement` if there are more or fewer values than the key has columns.
  func key(_ values: [Value]) throws -> [Value] {
    guard values.count == schema.keys.count else {
      throw schema.row.error(
        .badStatement,
        "the key has \(schema.keys.count.counted("column")), and "
          + values.count.counted("value was given", "values were given")
      )
    }
    return values
  }

  /// Binds the key that selects a statement's row.
  func bind(_ key: [Value], to statement: any PreparedStatement) throws {
    for (place, value) in key.enumerated() {
      try statement.bind(value, at: schema.row.keyParameter(place))
    }
  }

  /// Sets the key of a record to that of the row that it matched.
  func set(_ key: [Value], of record: inout R) throws {
    for (index, value) in zip(schema.keys, key) {
      do {
        try schema.columns[index].set(&record, value)
      } catch {
        throw failure(error, index)
      }
    }
  }

  /// Returns whether a row has the key.
  func has(_ key: [Value]) throws -> Bool {
    let statement = try connection.cached(sql.exists)
    defer { statement.reset() }
    try bind(key, to: statement)
    return try statement.step()
  }

  /// Returns the objectID of the row that has the key; nil if there is none.
  func identity(of key: [Value]) throws -> ObjectID? {
    let statement = try connection.cached(sql.selectObjectID)
    defer { statement.reset() }
    try bind(key, to: statement)
    return try statement.step() ? identity(statement, at: 0) : nil
  }

  // MARK: Reading

  /// Reads a record from each row of a statement.
  func records(_ statement: any PreparedStatement) throws -> [R] {
    defer { statement.reset() }
    return try records(statement, limit: .max)
  }

  /// Reads a record from each of the next rows, up to a limit.
  func records(_ statement: any PreparedStatement, limit: Int) throws -> [R] {
    var records: [R] = []
    while records.count < limit, try statement.step() { records.append(try record(statement)) }
    return records
  }

  /// Reads a record from the current row.
  func record(_ statement: any PreparedStatement) throws -> R {
    var record = R()
    if hasObjectID {
      let identity = try identity(statement, at: 0)
      for index in all { try read(&record, index, statement, Int32(index + 1), identity) }
      return record
    }
    for index in all {
      do {
        try schema.columns[index].read(&record, statement, Int32(truncatingIfNeeded: index))
      } catch {
        throw failure(error, index)
      }
    }
    return record
  }

  /// Sets a property from a column of the current row.
  func read(
    _ record: inout R,
    _ index: Int,
    _ statement: any PreparedStatement,
    _ column: Int32,
    _ identity: ObjectID?
  ) throws {
    do {
      guard isSealed[index], !statement.isNull(at: column) else {
        return try schema.columns[index].read(&record, statement, column)
      }
      guard let identity else {
        throw schema.row.error(
          .badStatement,
          of: schema.properties[index],
          "a sealed column can be opened only together with its row's objectID; select the "
            + "objectID, too"
        )
      }
      let sealing = row.sealing
      let value = try sealing.open(statement, at: column, property: index, identity: identity)
      try schema.columns[index].set(&record, value)
    } catch {
      throw NacreError.wrap(error, at: schema.row, property: index, identity: identity)
    }
  }

  /// Reads the objectID in a column of the current row.
  func identity(_ statement: any PreparedStatement, at column: Int32) throws -> ObjectID {
    do {
      return try ObjectID.read(from: statement, at: column)
    } catch {
      throw failure(error)
    }
  }
}
