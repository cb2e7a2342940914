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
  // Unsafe holds: the database owns its plans and outlives them.
  private unowned(unsafe) let database: Database
  private let sealing: FieldSealing
  private var insertBinder: RowBinder?
  private var updateBinders: [UInt64: RowBinder] = [:]
  private var statements: [StatementKey: Statement] = [:]
  private var readers: [StatementKey: RowReader] = [:]
  private var relationships: [RelationshipSQL?]
  /// Conditions that were found to read no sealed property.
  private var verified: (version: Int, terms: Set<QueryTerms>) = (0, [])

  init(schema: EntitySchema, database: Database) {
    self.schema = schema
    self.database = database
    sql = EntitySQL(schema: schema)
    sealing = FieldSealing(schema: schema, database: database)
    columnMask = schema.properties.filter(\.hasColumn)
      .reduce(0) { $0 | EntityState.bit($1.index) }
    owned = schema.properties.filter(\.isOwned)
    ownedToOne = owned.filter(\.hasColumn)
    ownedToMany = owned.filter { !$0.hasColumn }
    relationships = schema.properties.map { RelationshipSQL(owner: schema, property: $0) }
  }

  /// The statements of one relationship; nil where the property is a value.
  func relationship(_ property: Property) -> RelationshipSQL? { relationships[property.index] }

  /// One of the entity's statements, prepared when it is first asked for.
  ///
  /// One that is still being stepped through is left alone, and a fresh one made in its place.
  func statement(_ key: StatementKey, _ text: @autoclosure () -> String) throws -> Statement {
    if let statement = statements[key], !statement.isBusy { return statement }
    let statement = try database.connection.prepare(text())
    statements[key] = statement
    readers[key] = nil
    return statement
  }

  /// The same with a reader of the rows of `target`, which begin at column `base`.
  func rows(
    _ key: StatementKey,
    _ text: @autoclosure () -> String,
    base: Int32 = 0,
    of target: EntityPlan? = nil
  ) throws -> (statement: Statement, reader: RowReader) {
    let statement = try statement(key, text())
    if let reader = readers[key] { return (statement, reader) }
    let reader = (target ?? self).reader(statement, base: base)
    readers[key] = reader
    return (statement, reader)
  }

  /// The rows of the entity under the identities that are bound to the statement.
  func targets() throws -> (statement: Statement, reader: RowReader) {
    try rows(StatementKey(.targets), RelationshipSQL.targets(of: schema), base: 1)
  }

  /// The binder of an insert, or of an update of the columns in `mask`; nil where no column is in the mask.
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
      statement: try database.connection.prepare(text),
      mask: mask,
      schema: schema,
      store: database.home.number,
      sealing: sealing
    )
  }

  /// A reader of rows of this entity that begin at column `base` of a statement.
  func reader(_ statement: Statement, base: Int32 = 0) -> RowReader {
    RowReader(
      statement: statement,
      base: base,
      schema: schema,
      store: database.home.number,
      sealing: sealing
    )
  }

  /// The blind indexes of a value of a searchable property, under every index key that may have made one.
  func tokens(of value: Value, _ property: Property) throws -> [[UInt8]] {
    try sealing.tokens(of: value, property: property.index)
  }

  /// Seals a property outside of an object, into the parameters that the entity's updates have for it.
  func seal(
    _ value: Value,
    _ property: Property,
    _ identity: ObjectID,
    into statement: any EngineStatement
  ) throws {
    do {
      try sealing.seal(
        value,
        property: property.index,
        identity: identity,
        into: statement,
        at: Int32(property.index + 2)
      )
    } catch {
      throw NacreError.wrap(error, at: schema, property: property.index, identity: identity)
    }
  }

  /// Opens a sealed property outside of an object.
  func open(
    _ statement: any EngineStatement,
    at column: Int32,
    _ property: Property,
    _ identity: ObjectID
  ) throws -> Value {
    try sealing.open(statement, at: column, property: property.index, identity: identity)
  }

  /// Refuses terms that read a sealed property, by preparing them alone under the authorizer.
  func verify(_ terms: QueryTerms) throws {
    if terms.condition == nil && terms.order == nil { return }
    // One page reads what the others do.
    let terms = QueryTerms(condition: terms.condition, order: terms.order)
    var refused: (table: String, column: String)?
    let sealed = database.home.sealedColumns
    if verified.version != sealed.version { verified = (sealed.version, []) }
    if verified.terms.contains(terms) { return }
    if !sealed.isEmpty && [terms.condition, terms.order].contains(where: SQLText.joinsByName) {
      throw NacreError(
        .sealedCondition,
        entity: schema.name,
        detail: "USING and NATURAL compare columns that they do not name; write ON instead"
      )
    }
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
      throw sealedCondition(refused.table, refused.column)
    }
    if verified.terms.count > 1000 { verified.terms.removeAll() }
    verified.terms.insert(terms)
  }

  private func sealedCondition(_ table: String, _ column: String) -> NacreError {
    let property = schema.properties.first { property in
      guard table.lowercased() == schema.table.lowercased(), property.isSealed else { return false }
      return [property.column, property.indexColumn ?? property.column]
        .contains { $0.lowercased() == column.lowercased() }
    }
    let advice =
      property?.indexColumn == nil
      ? "mark it @Encrypted(searchable: true) to fetch by its value"
      : "fetch it by fetchAll(\\.\(property?.name ?? ""), equals:)"
    return NacreError(
      .sealedCondition,
      entity: schema.name,
      property: property?.name ?? column,
      detail: "\(table).\(column); \(advice)"
    )
  }
}
