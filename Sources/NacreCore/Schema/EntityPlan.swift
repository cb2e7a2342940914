import NacreCrypto
import NacreSQLite

/// One entity on one connection: its statements, prepared when first used and kept.
final class EntityPlan {
  let schema: EntitySchema
  let sql: EntitySQL
  /// The change bits of all properties that have a column.
  let columnMask: UInt64
  /// The properties that own children, in order.
  let owned: [Property]
  let ownedToOne: [Property]
  let ownedToMany: [Property]
  private unowned let database: Database
  private(set) lazy var sealing = FieldSealing(schema: schema, database: database)
  private var insertBinder: RowBinder?
  private var updateBinders: [UInt64: RowBinder] = [:]
  private var statements: [String: Statement] = [:]
  /// Conditions that were found to read no sealed property.
  private var verified: Set<QueryTerms> = []

  init(schema: EntitySchema, database: Database) {
    self.schema = schema
    self.database = database
    sql = EntitySQL(schema: schema)
    columnMask = schema.properties.filter(\.hasColumn)
      .reduce(0) { $0 | EntityState.bit($1.index) }
    owned = schema.properties.filter(\.isOwned)
    ownedToOne = owned.filter(\.hasColumn)
    ownedToMany = owned.filter { !$0.hasColumn }
  }

  /// A statement of this entity, prepared once.
  func statement(_ text: String) throws -> Statement {
    if let statement = statements[text], !statement.isBusy { return statement }
    let statement = try database.connection.prepare(text)
    statements[text] = statement
    return statement
  }

  /// The binder of an insert, or of an update of the columns in `mask`; nil where no column is in the mask.
  func binder(_ mask: UInt64?) throws -> RowBinder? {
    guard let mask else {
      if let insertBinder { return insertBinder }
      let binder = try makeBinder(sql.insert)
      insertBinder = binder
      return binder
    }
    if let binder = updateBinders[mask] { return binder }
    guard let text = sql.update(mask) else { return nil }
    let binder = try makeBinder(text)
    binder.mask = mask
    updateBinders[mask] = binder
    return binder
  }

  private func makeBinder(_ text: String) throws -> RowBinder {
    RowBinder(
      statement: try database.connection.prepare(text), schema: schema,
      store: database.store.number,
      sealing: sealing)
  }

  /// A reader of rows of this entity that begin at column `base` of a statement.
  func reader(_ statement: Statement, base: Int32 = 0) -> RowReader {
    RowReader(
      statement: statement, base: base, schema: schema, store: database.store.number,
      opening: sealing)
  }

  /// Refuses terms that read a sealed property, by preparing them alone under the authorizer.
  func verify(_ terms: QueryTerms) throws {
    if terms.condition == nil && terms.order == nil || verified.contains(terms) { return }
    var refused: (table: String, column: String)?
    let sealed = database.store.sealedColumns
    database.connection.setAuthorizer { action in
      guard case .read(let table, let column) = action, sealed.contains(table, column) else {
        return true
      }
      refused = (table, column)
      return false
    }
    defer { database.connection.setAuthorizer(nil) }
    do {
      _ = try database.connection.prepare(sql.probe(terms), persistent: false)
    } catch {
      guard let refused else { throw NacreError.wrap(error) }
      throw NacreError(
        .sealedCondition, entity: schema.name, property: refused.column,
        detail: "\(refused.table).\(refused.column)")
    }
    if verified.count > 1000 { verified.removeAll() }
    verified.insert(terms)
  }
}
