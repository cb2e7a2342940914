// Codes of versions and migrations.
extension NacreError.Code {
  /// The store, or an entity in it, has a version that this program does not know.
  public static let newerSchema = Self(
    "newerSchema",
    "The store's schema has a version that this program does not know",
    "Use the program that wrote it, or a later one; nothing was changed."
  )
  /// A step or an entity's hook failed.
  public static let migrationFailed = Self(
    "migrationFailed",
    "A migration failed",
    "Its changes were rolled back, and the version is as it was; see the cause."
  )
  /// The caller used an entity inside a migration, which may be the one that makes the entity's table.
  public static let insideMigration = Self(
    "insideMigration",
    "An entity can't be used inside a migration",
    "Use SQL through the database that the step was given, or return statements from the hook."
  )
  /// The store was opened without running its migration steps, and some are still to run.
  public static let stepsPending = Self(
    "stepsPending",
    "The store has to be migrated first",
    "Call `store.migrate()`; until then no entity can be used."
  )
}
