import NacreEngine
import NacreStore
import NacreUpkeep

extension Store {
  /// The store's version: the name of the last step of its migrator that was done; nil before the
  /// first step.
  ///
  /// - Throws: ``NacreError``.
  public var schemaVersion: String? {
    get throws { try read { try $0.storedVersion() } }
  }

  /// Migrates the store up or down to a version, step by step, each step in a transaction of its
  /// own.
  ///
  /// - Parameter version: a step's name; nil is the state before the first step.
  /// - Throws: ``NacreError`` with code `migrationFailed`, which names the step: the changes of
  ///   earlier steps stay, and its own are undone. The code is the same if a step on the way down
  ///   has no `down`; then nothing is changed. `badDeclaration` if the store has no migrator;
  ///   `newerSchema` if the version is not the name of a step; `transactionState` inside `read` or
  ///   `write`.
  public func migrate(to version: String?) throws {
    try refuseInsideTransaction()
    try NacreError.wrapping {
      guard let migrator = entities.versions.migrator else {
        throw NacreError(.badDeclaration, detail: "the store has no migrator")
      }
      let goal = try migrator.count(at: version)
      let current = try migrator.count(at: try schemaVersion)
      let last = migrator.steps.prefix(current).dropFirst(goal).last { $0.down == nil }
      if let last { throw last.failure("it has no step down") }
      while try moveStep(towards: goal, of: migrator) {}
      try finishSteps()
    }
  }

  /// Migrates the store up or down to a version; the async twin of ``migrate(to:)-(String?)``.
  ///
  /// - Throws: ``NacreError``.
  public func migrate(to version: String?) async throws {
    try await Self.onThread { try self.migrate(to: version) }
  }

  /// Runs the pending steps.
  func runPendingSteps() throws {
    guard let migrator = entities.versions.migrator else { return }
    // This reads without the writers' lock, because others may hold it.
    guard try !read(pendingSteps).isEmpty else { return entities.versions.arePending = false }
    while try moveStep(towards: migrator.steps.count, of: migrator) {}
    try finishSteps()
  }

  private func finishSteps() throws {
    entities.versions.arePending = false
    try withWriter { try self.loadSealedColumns($0) }
  }

  /// Runs the next step towards a version, in a transaction of its own.
  ///
  /// - Returns: false if there is no step left; another process may have run it meanwhile.
  private func moveStep(towards goal: Int, of migrator: Migrator) throws -> Bool {
    try withWriter { database in
      try database.transaction(.immediate) { database in
        let count = try migrator.count(at: try database.storedVersion())
        guard count != goal else { return false }
        let isUp = count < goal
        let step = migrator.steps[isUp ? count : count - 1]
        guard let change = isUp ? step.up : step.down else {
          throw step.failure("it has no step down")
        }
        do {
          try database.runStep(step.name, change)
        } catch let error as NacreError where error.code.namesItsMigration {
          throw error
        } catch {
          throw step.failure(isUp ? nil : "going down", cause: NacreError.wrap(error))
        }
        let names = migrator.steps.prefix(isUp ? count + 1 : count - 1).map(\.name)
        try database.store(version: names.last)
        return true
      }
    }
  }

  // MARK: Opening

  /// Runs the pending steps, unless the options leave that to `migrate()`.
  func migrateAtOpen() throws {
    if let newest = entities.versions.migrator?.steps.last?.name {
      try adoptNewest(newest)
      if !entities.options.migratesWhenOpened {
        entities.versions.arePending = try read { try !self.pendingSteps(on: $0).isEmpty }
      }
    }
    guard entities.options.migratesWhenOpened else { return }
    try backUp {
      try self.completePlan(for: self.entities.options.entities, withConversions: false)
    }
    try runPendingSteps()
  }

  /// Sets the version of a store that was just made to the newest one.
  private func adoptNewest(_ newest: String) throws {
    func isNew(_ database: Database) throws -> Bool {
      try database.storedVersion() == nil
        && database.connection.schema.objectNames().allSatisfy {
          SQLText.isReserved(table: $0)
        }
    }
    guard try read(isNew) else { return }
    try write { if try isNew($0) { try $0.store(version: newest) } }
  }

  /// Returns the names of the pending steps.
  func pendingSteps(on database: Database) throws -> [String] {
    guard let migrator = entities.versions.migrator else { return [] }
    let count = try migrator.count(at: try database.storedVersion())
    return migrator.steps.dropFirst(count).map(\.name)
  }

  /// Backs up the store if the options ask for it and there is something to migrate.
  func backUp(before plan: () throws -> MigrationPlan) throws {
    guard let choose = entities.options.backupBeforeMigrating, !entities.versions.isBackedUp else {
      return
    }
    let plan = try plan()
    guard plan.changesRows, let path = try choose(plan) else { return }
    try backup(to: path)
    // A later backup would be of a store that is half migrated.
    entities.versions.isBackedUp = true
  }

  func refuseInsideTransaction() throws {
    guard ThreadBinding.database(of: self) == nil else {
      throw NacreError(
        .transactionState,
        detail: "a store can be migrated only outside of read and write"
      )
    }
  }
}

extension Migrator.Step {
  fileprivate func failure(_ detail: String?, cause: (any Error)? = nil) -> NacreError {
    let words = ["step \(name)", detail].compactMap { $0 }.joined(separator: ": ")
    return NacreError(.migrationFailed, detail: words, cause: cause)
  }
}

extension Database {
  private static let versionRow = Value.text("schemaVersion")

  func storedVersion() throws -> String? {
    let found = try scalar(CatalogSQL.getValue, [Self.versionRow])
    return if case .text(let name)? = found { name } else { nil }
  }

  fileprivate func store(version: String?) throws {
    let value = version.map(Value.text) ?? .null
    try connection.run(CatalogSQL.setValue(connection.dialect), [Self.versionRow, value])
  }

  fileprivate func runStep(_ name: String, _ change: Migrator.Step.Change) throws {
    // Prepared statements may be for tables that the step changes, and would be used without a new
    // look at them.
    forgetStatements()
    undo.note { self.forgetStatements() }
    hasTriggersOrReferences = nil
    try migrating("step \(name)") { try change(self) }
    try FullTextIndex.dropBroken(on: connection)
    forgetStatements()
  }
}
