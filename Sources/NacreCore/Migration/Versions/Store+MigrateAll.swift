import NacreSQLite

extension Store {
  /// What `migrate` does: steps, renamings, conversions, and then the tables.
  func migrateAll(
    _ entities: [any Entity.Type],
    _ progress: (MigrationProgress) -> Bool
  ) throws -> [SealingChange] {
    try refuseInsideTransaction()
    return try NacreError.wrapping {
      let classes = orOptions(entities)
      try backUp { try self.completePlan(for: classes) }
      try runPendingSteps()
      let schemas = classes.flatMap { $0.entitySchema.reachable }.map { $0.entitySchema }
      try renameProperties(of: schemas)
      var done: [SealingChange] = []
      // Without the ring nothing can be converted, and nothing need be.
      if try keys.isUnlocked || !plan(entities).isEmpty { done = try migrate(entities, progress) }
      if try plan(entities).isEmpty { try register(classes) }
      return done
    }
  }

  /// Before the rows are converted, which are looked for under the class's names.
  private func renameProperties(of schemas: [EntitySchema]) throws {
    let isNeeded = try read { database in
      try schemas.contains { schema in
        let builder = TableBuilder(database, schema)
        guard try builder.canBeRenamed() else { return false }
        return try !builder.comparison().changes().renamed.isEmpty
      }
    }
    guard isNeeded else { return }
    try withWriter { writer in
      try writer.transaction(.immediate) { database in
        database.undo.note {
          database.forgetPlans()
          try? self.loadSealedColumns(database)
        }
        for schema in schemas {
          let builder = TableBuilder(database, schema)
          if try builder.canBeRenamed() { try builder.rename() }
        }
      }
    }
  }

  private func register(_ entities: [any Entity.Type]) throws {
    try withReader { database in
      for entity in entities { try register(entity.entitySchema, on: database) }
    }
  }
}

extension TableBuilder {
  /// Whether the entity is stored, and no journal names its properties.
  fileprivate func canBeRenamed() throws -> Bool {
    try storedVersion() != nil && connection.has(schema.table) && convertingProperty() == nil
  }
}
