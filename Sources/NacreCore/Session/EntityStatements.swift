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
  private var insertBinder: RowBinder?
  private var updateBinders: [UInt64: RowBinder] = [:]
  private var prepared: [StatementKey: any PreparedStatement] = [:]
  private var readers: [StatementKey: RowReader] = [:]
  private var relationships: [RelationshipSQL?]

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
    if let statement = prepared[key], !statement.isBusy { return statement }
    let statement = try session.connection.prepare(text())
    prepared[key] = statement
    readers[key] = nil
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
    let statement = try prepared(key, text())
    if let reader = readers[key] { return (statement, reader) }
    let reader = (target ?? self).reader(statement, base: base)
    readers[key] = reader
    return (statement, reader)
  }

  /// Returns a statement that reads the entity's rows under the identities that are bound to it.
  func targets() throws -> (statement: any PreparedStatement, reader: RowReader) {
    try rows(StatementKey(.targets), RelationshipSQL.targets(of: schema))
  }

  /// Returns the binder of an update of the columns in `mask`, or of an insert if `mask` is nil.
  ///
  /// Returns nil if the mask has no column.
  func binder(_ mask: UInt64?) throws -> RowBinder? {
    guard let mask else {
      if let insertBinder { return insertBinder }
      let binder = try makeBinder(sql.insert, .max)
      insertBinder = binder
      return binder
    }
    if let binder = updateBinders[mask] { return binder }
    guard let text = sql.update(mask) else { return nil }
    let binder = try makeBinder(text, mask)
    updateBinders[mask] = binder
    return binder
  }

  private func makeBinder(_ text: String, _ mask: UInt64) throws -> RowBinder {
    RowBinder(
      statement: try session.connection.prepare(text),
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
