// The async twins of what converts rows: it runs on a thread of its own.

extension Store {
  /// What `migrate` would convert; the twin of ``migrationPlan(_:)-(Entity.Type...)``.
  ///
  /// - Throws: ``NacreError``.
  public func migrationPlan(_ entities: any Entity.Type...) async throws -> [SealingChange] {
    try await Self.onThread { try self.plan(entities) }
  }

  /// Converts the rows of all properties that the classes seal otherwise than they are stored; the twin of
  /// ``migrate(_:progress:)-(Entity.Type...,_)``.
  ///
  /// - Throws: ``NacreError``; what was converted stays so.
  @discardableResult
  public func migrate(
    _ entities: any Entity.Type...,
    progress: @escaping @Sendable (MigrationProgress) -> Bool = { _ in true }
  ) async throws -> [SealingChange] {
    try await Self.onThread { try self.migrate(entities, progress) }
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
