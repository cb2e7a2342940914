import NacreStore
public import NacreUpkeep

// The async twins of the calls that migrate a store. They run on a thread of their own.

extension Store {
  /// Returns the changes that `migrate` and the use of the classes would make; the async twin of
  /// ``migrationPlan(_:)-(Entity.Type...)``.
  ///
  /// - Throws: ``NacreError``.
  public func migrationPlan(_ entities: any Entity.Type...) async throws -> MigrationPlan {
    try await Self.onThread { try self.completePlan(for: self.orOptions(entities)) }
  }

  /// Migrates the store up or down to a version; the async twin of ``migrate(to:)-(String?)``.
  ///
  /// - Throws: ``NacreError``.
  public func migrate(to version: String?) async throws {
    try await Self.onThread { try self.migrate(to: version) }
  }

  /// Runs steps, converts rows and brings tables up to date; the async twin of
  /// ``migrate(_:progress:)-(Entity.Type...,_)``.
  ///
  /// - Throws: ``NacreError``; what was converted stays converted.
  @discardableResult
  public func migrate(
    _ entities: any Entity.Type...,
    progress: @escaping @Sendable (MigrationProgress) -> Bool = { _ in true }
  ) async throws -> [SealingChange] {
    try await Self.onThread { try self.migrateAll(entities, progress) }
  }

  /// Converts one property as the catalog describes it, without its class; the async twin of
  /// ``convert(_:of:to:progress:)-(_,_,_,_)``.
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

  /// Undoes the conversions that were begun and have not exchanged their columns yet.
  ///
  /// - Throws: ``NacreError``.
  @discardableResult
  public func abandonMigration() async throws -> [SealingChange] {
    try await Self.onThread { try self.abandonMigration() }
  }
}
