import NacreEngine
import NacreStore
import NacreUpkeep

/// The migration of some entities' tables to the versions of their classes, in the open
/// transaction.
struct EntityMigration {
  private let schemas: [EntitySchema]
  private let builders: [TableBuilder]
  private let database: Database

  init(_ schemas: [EntitySchema], on database: Database) {
    self.database = database
    self.schemas = schemas
    builders = schemas.map { TableBuilder(database, $0) }
  }

  /// Makes all tables first, so that a hook finds the tables that its entity refers to.
  func run() throws {
    for (index, former) in try builders.map({ try $0.build() }).enumerated() {
      if let former { try finish(schemas[index], builders[index], from: former) }
    }
  }

  private func finish(_ schema: EntitySchema, _ builder: TableBuilder, from former: Int) throws {
    let isChanged: Bool
    do {
      isChanged = try runHook(schema, from: former)
    } catch let error as NacreError where error.code == .sealedCondition {
      throw pendingConversion(builder) ?? error
    }
    if former == 0 && !isChanged { return }
    let comparison = try builder.comparison()
    try builder.check(comparison)
    let changes = try comparison.changes()
    try builder.apply(changes)
    try builder.write(changes.rows)
    try builder.writeVersion()
  }

  /// Returns the error of a property that waits for its conversion, or nil if there is none.
  ///
  /// After the conversion, the hook may find the property open.
  private func pendingConversion(_ builder: TableBuilder) -> NacreError? {
    do {
      try builder.check(builder.comparison())
    } catch let error as NacreError where error.code == .migrationPending {
      return error
    } catch {
      // The hook was to mend any other mismatch.
    }
    return nil
  }

  /// Runs the hook of a class.
  ///
  /// - Returns: Whether the hook gave any statements.
  private func runHook(_ schema: EntitySchema, from former: Int) throws -> Bool {
    try database.runHook(
      of: schema.name,
      from: former,
      to: schema.version,
      declared: builders.map(\.declared)
    ) { try schema.type.migrate(from: former, to: schema.version) }
  }
}

extension Database {
  /// Runs the statements of a hook, which takes an entity or a table of records to another version.
  ///
  /// - Parameters:
  ///   - name: The name of the entity or the table.
  ///   - former: The version before; 0 if the table was just made.
  ///   - version: The version that is declared.
  ///   - declared: The catalog's future rows.
  ///   - statements: Calls the hook.
  /// - Returns: Whether the hook had statements.
  /// - Throws: `migrationFailed`, which names the versions.
  package func runHook(
    of name: String,
    from former: Int,
    to version: Int,
    declared: [CatalogEntity],
    _ statements: () throws -> [SQLStatement]
  ) throws -> Bool {
    let words = "version \(former) → \(version)"
    do {
      return try migrating("\(name) \(words)", declared: declared) {
        let statements = try statements()
        for statement in statements { _ = try run(statement) }
        if !statements.isEmpty { try FullTextIndex.dropBroken(on: connection) }
        return !statements.isEmpty
      }
    } catch let error as NacreError where error.code.namesItsMigration {
      throw error
    } catch {
      throw NacreError(
        .migrationFailed,
        entity: name,
        detail: words,
        cause: NacreError.wrap(error)
      )
    }
  }

  /// Throws while a step or hook runs or steps are pending, when nothing may make tables or rely on
  /// them.
  ///
  /// - Parameter name: The entity or table that the caller is about to use.
  /// - Throws: `insideMigration`, `stepsPending`.
  package func refuseInsideMigration(_ name: String) throws {
    if let migration { throw NacreError(.insideMigration, entity: name, detail: migration) }
    if home.entities.versions.arePending { throw NacreError(.stepsPending, entity: name) }
  }
}

extension NacreError.Code {
  /// Whether an error of this code already names the step or hook in which it happened, so that it
  /// need not be wrapped.
  var namesItsMigration: Bool { self == .insideMigration || self == .sealedCondition }
}
