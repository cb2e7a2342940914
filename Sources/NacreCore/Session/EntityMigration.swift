import NacreSQLite
import NacreStore
import NacreUpkeep

/// Brings the tables of some entities to the versions of their classes, in the open transaction.
struct EntityMigration {
  private let builders: [TableBuilder]
  private let database: Database

  init(_ schemas: [EntitySchema], on database: Database) {
    self.database = database
    builders = schemas.map { TableBuilder(database, $0) }
  }

  /// Makes all tables first, so that a hook finds those that its own refers to.
  func run() throws {
    for (builder, former) in zip(builders, try builders.map({ try $0.build() })) {
      if let former { try finish(builder, from: former) }
    }
  }

  private func finish(_ builder: TableBuilder, from former: Int) throws {
    let schema = builder.schema
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

  /// Gives the error of a property that waits for its conversion, after which the hook may find it open.
  private func pendingConversion(_ builder: TableBuilder) -> NacreError? {
    do {
      try builder.check(builder.comparison())
    } catch let error as NacreError where error.code == .migrationPending {
      return error
    } catch {
      // Any other mismatch is one that the hook was to mend.
    }
    return nil
  }

  /// - Returns: whether there was anything to run.
  private func runHook(_ schema: EntitySchema, from former: Int) throws -> Bool {
    let words = words(schema, former)
    do {
      return try database.migrating("\(schema.name) \(words)", declared: builders.map(\.declared)) {
        let statements = try schema.type.migrate(from: former, to: schema.type.entityVersion)
        for statement in statements { _ = try database.run(statement) }
        return !statements.isEmpty
      }
    } catch let error as NacreError where error.code.namesItsMigration {
      throw error
    } catch {
      throw NacreError(
        .migrationFailed,
        entity: schema.name,
        detail: words,
        cause: NacreError.wrap(error)
      )
    }
  }

  private func words(_ schema: EntitySchema, _ former: Int) -> String {
    "version \(former) → \(schema.type.entityVersion)"
  }
}

extension Database {
  /// Refuses what makes tables, or relies on them, while a step or hook runs or steps are pending.
  ///
  /// - Parameter name: the entity or table that would be used.
  /// - Throws: `insideMigration`, `stepsPending`.
  func refuseInsideMigration(_ name: String) throws {
    if let migration { throw NacreError(.insideMigration, entity: name, detail: migration) }
    if home.entities.versions.arePending { throw NacreError(.stepsPending, entity: name) }
  }
}

extension NacreError.Code {
  /// Whether errors of this code say themselves in which step or hook they happened, and need not be wrapped.
  var namesItsMigration: Bool { self == .insideMigration || self == .sealedCondition }
}
