import NacreStore
public import NacreUpkeep

// The async twins of what converts rows: it runs on a thread of its own.

extension Store {
  /// Returns the changes that using the classes and `migrate` would make; the twin of
  /// ``migrationPlan(_:)-(Entity.Type...)``.
  ///
  /// - Throws: ``NacreError``.
  public func migrationPlan(_ entities: any Entity.Type...) async throws -> MigrationPlan {
    try await Self.onThread { try self.completePlan(for: self.orOptions(entities)) }
  }

  /// Takes the store to a version, up or down; the twin of ``migrate(to:)-(String?)``.
  ///
  /// - Throws: ``NacreError``.
  public func migrate(to version: String?) async throws {
    try await Self.onThread { try self.migrate(to: version) }
  }

  /// Runs steps, converts rows and brings tables up to date; the twin of
  /// ``migrate(_:progress:)-(Entity.Type...,_)``.
  ///
  /// - Throws: ``NacreError``; what was converted stays so.
  @discardableResult
  public func migrate(
    _ entities: any Entity.Type...,
    progress: @escaping @Sendable (MigrationProgress) -> Bool = { _ in true }
  ) async throws -> [SealingChange] {
    try await Self.onThread { try self.migrateAll(entities, progress) }
  }

  /// Converts one property by the catalog alone; the twin of ``convert(_:of:to:progress:)-(_,_,_,_)``.
  ///
  /// - Throws: ``NacreError``.
  @discardableResult
  public func convert(
    _ property: String,
    of entity: String,
    to options: SealedOptions?,
    progress: @escaping @Sendable (MigrationProgress) -> Bool = { _ in true }
  ) async throws -> [SealingChange] {
    try await Self.onThread {
      try self.convert(property, of: entity, to: options, progress: progress)
    }
  }

  /// Takes back the migrations that were begun and are not done.
  ///
  /// - Throws: ``NacreError``.
  @discardableResult
  public func abandonMigration() async throws -> [SealingChange] {
    try await Self.onThread { try self.abandonMigration() }
  }
}
