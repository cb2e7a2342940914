import NacreSQLite
import NacreStore
import NacreUpkeep

extension Store {
  /// Runs all parts of `migrate`: steps, renamings, decimals, conversions, then the tables, and the
  /// decimals of those with hooks.
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
      // Without the ring nothing can be converted, and nothing need be.
      if try keys.isUnlocked || !plan(entities).isEmpty { done = try migrate(entities, progress) }
      if try plan(entities).isEmpty {
        try register(classes)
        try rebuildDecimals(of: classes.reachableSchemas)
      }
      return done
    }
  }

  /// Refuses classes whose properties are declared otherwise than they are stored, before anything is converted for them:
  /// a class that can't be used afterwards must not have its properties unsealed.
  ///
  /// Under a higher version the class's own hook may mend it, after the rows are converted.
  ///
  /// - Throws: `schemaMismatch`.
  private func refuseConflicts(of classes: [any Entity.Type]) throws {
    // A row of the journal that somebody else has written would let a column that is held look gone.
    if keys.isUnlocked {
      let names = Set(classes.reachableSchemas.map(\.name))
      try read { database in
        try database.refuseForeignCatalog()
        _ = try RotationJournal.believed(on: database)
        // Nor would one that nothing goes on with be told from a column of another name.
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

  /// The entities whose decimals are rebuilt before rows are converted, for a view or index of the application's own can
  /// keep a column as it is; not those whose hooks run afterwards and may take that away.
  private func rebuiltFirst(_ schemas: [EntitySchema]) throws -> [EntitySchema] {
    try read { database in
      try schemas.filter { schema in
        let builder = TableBuilder(database, schema)
        return try builder.canBePrepared() && builder.storedVersion() == schema.type.entityVersion
      }
    }
  }

  /// Renames properties and fills those that were put in again, before the rows are converted, which are looked for
  /// under the class's names.
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
  /// Whether the entity is stored, and no journal names its properties.
  fileprivate func canBePrepared() throws -> Bool {
    try storedVersion() != nil && connection.has(schema.table) && convertingProperty() == nil
  }
}
