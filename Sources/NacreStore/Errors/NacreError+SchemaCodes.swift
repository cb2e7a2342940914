// Codes for the schema of a store's file.
extension NacreError.Code {
  /// Triggers, views, indexes or other definitions in the file take part in writes to the store's own tables.
  public static let foreignSchema = Self(
    "foreignSchema",
    "Something else in the file's schema takes part in the store's own tables",
    "Who put it there could undo changes of keys and slots: take it away with another tool, such as sqlite3, or take the store from a backup; nothing was changed."
  )

  /// The catalog has no entity with that name.
  public static let noSuchEntity = Self(
    "noSuchEntity",
    "The store has no such entity",
    "Inspect the store to see which it has."
  )
}
