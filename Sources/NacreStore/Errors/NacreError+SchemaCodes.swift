// Codes for the schema of a store's file.
extension NacreError.Code {
  /// Triggers, views, indexes or other definitions in the file take part in writes to the store's own tables.
  public static let foreignSchema = Self(
    "foreignSchema",
    "Something foreign in the file's schema acts on the store's own tables",
    "Whoever put it there could undo changes of keys and slots: remove it with another tool, "
      + "such as sqlite3, or take the store from a backup; nothing was changed."
  )

  /// The catalog has no entity with that name.
  public static let noSuchEntity = Self(
    "noSuchEntity",
    "The store has no such entity",
    "Inspect the store to see which entities it has."
  )
}
