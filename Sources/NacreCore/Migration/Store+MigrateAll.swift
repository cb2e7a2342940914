import NacreEngine
import NacreStore
import NacreUpkeep

extension Store {
  /// Runs all parts of `migrate` in order: steps, renamings, decimals, conversions, tables, and the
  /// decimals of classes with hooks.
  func migrateAll(
    _ entities: [any Entity.Type],
    _ progress: (MigrationProgress) -> Bool
  ) throws -> [SealingChange] {
    try refuseInsideTransaction()
    return try NacreError.wrapping {
      let classes = orOptions(entities)
      try backUp { try self.completePlan(for: classes) }
      try runPendingSteps()
      try refuseConflicts(of: classes)
      try prepareProperties(of: classes.reachableSchemas)
      try rebuildDecimals(of: rebuiltFirst(classes.reachableSchemas))
      var done: [SealingChange] = []
      // Without the ring no row can be converted; this is fine if the plan has no conversion.
      if try keys.isUnlocked || !plan(classes).isEmpty { done = try migrate(classes, progress) }
      if try plan(classes).isEmpty {
        try register(classes)
        try rebuildDecimals(of: classes.reachableSchemas)
      }
      return done
    }
  }

  /// Throws if a class declares a property differently from the file, before any row is converted
  /// for the class.
  ///
  /// A class that can't be used afterwards must not have its properties unsealed.
  ///
  /// If the class has a higher version, its own hook may mend the property after the rows are
  /// converted.
  ///
  /// - Throws: `schemaMismatch`.
  private func refuseConflicts(of classes: [any Entity.Type]) throws {
    // A forged row of the journal would make a held column look as if it were gone.
    if keys.isUnlocked {
      let names = Set(classes.reachableSchemas.map(\.name))
      try read { database in
        try database.refuseForeignCatalog()
        _ = try RotationJournal.believed(on: database)
        // A half-way conversion that no row of the journal continues would look like a column of
        // another name.
        let abandoned = try database.abandonedConversions()
        if let half = abandoned.first(where: { names.contains($0.entity.name) }) {
          throw half.abandonedError
        }
      }
    }
    let plan = try completePlan(for: classes, withConversions: false)
    for change in plan.columns where !plan.entities.contains(where: { $0.entity == change.entity })
    {
      guard case .conflicting(let detail) = change.kind else { continue }
      throw NacreError(
        .schemaMismatch,
        entity: change.entity,
        property: change.property,
        detail: detail + "; nothing was converted"
      )
    }
  }

  /// Returns the entities whose decimals are rebuilt before rows are converted.
  ///
  /// The rebuild comes first because a view or index of the application can prevent it. Entities
  /// whose hooks run afterwards are left out, because a hook may drop that view or index.
  private func rebuiltFirst(_ schemas: [EntitySchema]) throws -> [EntitySchema] {
    try read { database in
      try schemas.filter { schema in
        let builder = TableBuilder(database, schema)
        return try builder.canBePrepared() && builder.storedVersion() == schema.type.entityVersion
      }
    }
  }

  /// Renames properties, and fills sealed properties that a class declares again, before the rows
  /// are converted.
  ///
  /// The conversion looks for the properties under the class's names.
  private func prepareProperties(of schemas: [EntitySchema]) throws {
    let isNeeded = try read { database in
      try schemas.contains { schema in
        let builder = TableBuilder(database, schema)
        guard try builder.canBePrepared() else { return false }
        let changes = try builder.comparison().changes()
        return !changes.renamed.isEmpty || changes.adopted.contains(where: \.isSealed)
      }
    }
    guard isNeeded else { return }
    try withWriter { writer in
      try writer.transaction(.immediate) { database in
        database.undo.note {
          database.forgetStatements()
          try? self.loadSealedColumns(database)
        }
        for schema in schemas {
          let builder = TableBuilder(database, schema)
          guard try builder.canBePrepared() else { continue }
          try builder.rename()
          try builder.fillSealed()
        }
      }
    }
  }
}

extension TableBuilder {
  /// Returns whether the entity is stored and none of its properties is being converted.
  fileprivate func canBePrepared() throws -> Bool {
    try storedVersion() != nil && connection.has(schema.table) && convertingProperty() == nil
  }
}
