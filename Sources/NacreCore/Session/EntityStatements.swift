import NacreCrypto
import NacreEngine
import NacreStore

/// The statements of one entity on one connection, which are prepared when first used and then
/// kept.
final class EntityStatements {
  let schema: EntitySchema
  /// The statements that queries use.
  ///
  /// Tables of records have one as well.
  let row: RowStatements
  /// The change bits of all properties that have a column.
  let columnMask: UInt64
  /// The properties that own children, in order.
  let owned: [Property]
  let ownedToOne: [Property]
  let ownedToMany: [Property]
  // Unsafe holds: the session owns its statements and outlives them.
  unowned(unsafe) let session: EntitySession
  // Unchecked, because one thread at a time uses a connection, and it reads these at every row.
  @exclusivity(unchecked) private var insertBinder: RowBinder?
  private var updateBinders: [UInt64: RowBinder] = [:]
  /// The binder of the last update; most updates write the same columns as the one before.
  // Unmanaged, so that a row does not count the reference; `updateBinders` never lets go of a binder.
  @exclusivity(unchecked) private var lastUpdate: (mask: UInt64, binder: Unmanaged<RowBinder>)?
  @exclusivity(unchecked) private var kept: [StatementKey: Kept] = [:]
  /// The statement that reads one row, which is kept by itself: a search for it would cost a
  /// fortieth of a fetch.
  @exclusivity(unchecked) private var rowByKey:
    (statement: any PreparedStatement, reader: RowReader)?
  private var relationships: [RelationshipSQL?]

  /// A prepared statement, and a reader of its rows once one was asked for.
  private struct Kept {
    let statement: any PreparedStatement
    var reader: RowReader?
  }

  var sql: RowSQL { row.sql }

  init(schema: EntitySchema, session: EntitySession) {
    self.schema = schema
    self.session = session
    row = RowStatements(schema: schema, session: session)
    columnMask = EntityState.bits(schema.properties.filter(\.hasColumn))
    owned = schema.properties.filter(\.isOwned)
    ownedToOne = owned.filter(\.hasColumn)
    ownedToMany = owned.filter { !$0.hasColumn }
    relationships = schema.properties.map { RelationshipSQL(owner: schema, property: $0) }
  }

  /// Returns the statements of one relationship, or nil if the property is a value.
  func relationship(_ property: Property) -> RelationshipSQL? { relationships[property.index] }

  /// Returns one of the entity's statements, which is prepared when it is first asked for.
  ///
  /// A statement that is still being stepped through is left alone, and a new one takes its place.
  func prepared(_ key: StatementKey, _ text: @autoclosure () -> String) throws
    -> any PreparedStatement
  {
    if let statement = kept[key]?.statement, !statement.isBusy { return statement }
    let statement = try session.connection.prepare(text())
    kept[key] = Kept(statement: statement)
    return statement
  }

  /// Returns one of the entity's statements with a reader of the rows of `target`, which begin at
  /// column `base`.
  func rows(
    _ key: StatementKey,
    _ text: @autoclosure () -> String,
    base: Int32 = 0,
    of target: EntityStatements? = nil
  ) throws -> (statement: any PreparedStatement, reader: RowReader) {
    if let known = kept[key], let reader = known.reader, !known.statement.isBusy {
      return (known.statement, reader)
    }
    let statement = try prepared(key, text())
    let reader = (target ?? self).reader(statement, base: base)
    kept[key]?.reader = reader
    return (statement, reader)
  }

  /// Returns a statement that reads the entity's row under an identity, which is bound to it.
  func row(of identity: ObjectID) throws -> (statement: any PreparedStatement, reader: RowReader) {
    let found: (statement: any PreparedStatement, reader: RowReader)
    if let rowByKey, !rowByKey.statement.isBusy {
      found = rowByKey
    } else {
      let statement = try session.connection.prepare(sql.selectByKey)
      found = (statement, reader(statement))
      rowByKey = found
    }
    try identity.bind(to: found.statement, at: 1)
    return found
  }

  /// Returns whether the statements that are kept were prepared for the store's present tables,
  /// given one of them that was just stepped to a row.
  ///
  /// The open row keeps that state of the store, so that nobody changes the tables meanwhile.
  func areCurrent(at row: any PreparedStatement) throws -> Bool {
    // The engine prepares a statement again under another layout, and its notes expire. Asking for
    // the layout would cost a tenth of the fetch.
    if session.database.hasCurrentRing && row.notes(of: schema) != nil { return true }
    guard try session.database.hasCurrentStatements() else { return false }
    row.keep(schema, of: schema)
    return true
  }

  /// Returns a statement that reads the entity's rows under the identities that are bound to it.
  func targets() throws -> (statement: any PreparedStatement, reader: RowReader) {
    try rows(StatementKey(.targets), RelationshipSQL.targets(of: schema, sql.dialect))
  }

  /// Calls `body` with the owner and target of every reference by which owners hold a property.
  func eachReference(
    _ property: Property,
    _ sql: RelationshipSQL,
    of owners: [ObjectID],
    _ body: (_ owner: ObjectID, _ target: ObjectID) -> Void
  ) throws {
    try session.eachPair(
      owners,
      ofOne: prepared(StatementKey(.referencesOfOne, property.index), sql.referencesOfOne),
      ofMany: prepared(StatementKey(.references, property.index), sql.references(self.sql.dialect)),
      body
    )
  }

  /// Returns the binder of an update of the columns in `mask`, or of an insert if `mask` is nil.
  ///
  /// Returns nil if the mask has no column. The binder lives as long as these statements.
  func binder(_ mask: UInt64?) throws -> Unmanaged<RowBinder>? {
    guard let mask else {
      if let insertBinder { return .passUnretained(insertBinder) }
      let binder = try makeBinder(sql.insert, .max)
      insertBinder = binder
      return .passUnretained(binder)
    }
    if let lastUpdate, lastUpdate.mask == mask { return lastUpdate.binder }
    guard let found = try updateBinders[mask] ?? makeUpdateBinder(mask) else { return nil }
    let binder = Unmanaged.passUnretained(found)
    lastUpdate = (mask, binder)
    return binder
  }

  private func makeUpdateBinder(_ mask: UInt64) throws -> RowBinder? {
    guard let text = sql.update(mask) else { return nil }
    let binder = try makeBinder(text, mask)
    updateBinders[mask] = binder
    return binder
  }

  private func makeBinder(_ text: String, _ mask: UInt64) throws -> RowBinder {
    let statement = try session.connection.prepare(text)
    return RowBinder(
      statement: statement,
      prepared: statement,
      mask: mask,
      schema: schema,
      store: session.home.number,
      sealing: row.sealing
    )
  }

  /// Returns a reader of rows of this entity that begin at column `base` of a statement.
  func reader(_ statement: any PreparedStatement, base: Int32 = 0) -> RowReader {
    RowReader(
      statement: statement,
      base: base,
      schema: schema,
      store: session.home.number,
      sealing: row.sealing
    )
  }
}
