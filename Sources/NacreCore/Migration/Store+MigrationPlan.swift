import NacreStore
import NacreUpkeep

extension Store {
  /// Returns the changes that opening the store with these classes, and using and migrating them,
  /// will make.
  ///
  /// The plan does not include the changes that steps and hooks make themselves.
  ///
  /// - Parameters:
  ///   - entities: the classes; those that they reach by children and links are included.
  ///   - withConversions: whether the plan includes conversions of rows and rebuilds of columns.
  /// - Returns: the plan.
  /// - Throws: ``NacreError``, with code `newerSchema` if a class or a version is too old for the
  ///   file.
  func completePlan(
    for entities: [any Entity.Type],
    withConversions: Bool = true
  ) throws -> MigrationPlan {
    var plan = try read { database in
      var plan = MigrationPlan(steps: try self.pendingSteps(on: database))
      for schema in entities.reachableSchemas {
        let builder = TableBuilder(database, schema)
        try builder.describe(in: &plan)
        // Like conversions, these are left to `migrate`.
        if withConversions { try builder.describeDecimals(in: &plan) }
      }
      return plan
    }
    if withConversions { plan.conversions = try self.plan(entities) }
    return plan
  }
}

extension TableBuilder {
  /// Adds the columns of decimals that would be rebuilt to a plan.
  func describeDecimals(in plan: inout MigrationPlan) throws {
    if try storedVersion() == nil || convertingProperty() != nil { return }
    for property in try DecimalRebuild(schema: schema, connection: connection).properties {
      plan.columns.append(
        ColumnChange(entity: schema.name, property: property.name, kind: .comparedAsNumber)
      )
    }
  }

  /// Adds the changes that `build()` would make to a plan.
  func describe(in plan: inout MigrationPlan) throws {
    let version = schema.version
    let stored = try storedVersion()
    if stored != version {
      plan.entities.append(EntityChange(entity: schema.name, from: stored, to: version))
    }
    // While rows are being converted, the table's columns are not those of the catalog.
    if try stored == nil || convertingProperty() != nil { return }
    let comparison = try comparison()
    let changes = try comparison.changes()
    func note(_ property: String, _ kind: ColumnChange.Kind) {
      plan.columns.append(ColumnChange(entity: schema.name, property: property, kind: kind))
    }
    for (old, property) in changes.renamed {
      let former = old.name == property.name ? old.column ?? old.join ?? old.name : old.name
      note(property.name, .renamed(from: former))
    }
    for property in changes.added + changes.joins { note(property.name, .added) }
    if changes.lacksVersion { note(VersionSQL.name, .added) }
    for property in changes.adopted { note(property.name, .adopted) }
    for property in changes.hidden { note(property.name, .hidden) }
    for property in changes.relaxed { note(property.name, .madeOptional) }
    let renamed = Set(changes.renamed.map(\.property.name))
    for property in schema.properties where !renamed.contains(property.name) {
      if let conflict = try comparison.conflict(property) {
        note(property.name, .conflicting(conflict))
      }
    }
  }
}
