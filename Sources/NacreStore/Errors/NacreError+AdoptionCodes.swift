import NacreEngine

// Codes of the adoption of foreign files.
extension NacreError.Code {
  /// The file to adopt is no SQLite file, or one that can't be read.
  public static let notAdoptable = Self(
    "notAdoptable",
    "The file can't be adopted",
    "It has to be an SQLite file that is neither encrypted nor damaged; nothing was changed."
  )
  /// The mapping names something that the file or the store does not have, or contradicts itself.
  public static let badMapping = Self(
    "badMapping",
    "The mapping does not fit",
    "Change the mapping, which ADOPT.md describes; nothing was changed."
  )
  /// A row of the file to adopt does not fit the store.
  public static let notAdopted = Self(
    "notAdopted",
    "A row of the file does not fit the store",
    "Nothing was changed; a dry run lists all that does not fit."
  )
}

extension NacreError {
  /// The error for an SQLite file of another library, which can be adopted, or for a schema with other tables.
  package static func foreignDatabase(_ path: String) -> NacreError {
    if path.isServerURL {
      return NacreError(
        .notAStore,
        detail: "\(path) holds tables that are not a store's",
        advice: "Name an empty schema as the first one of the connection's search_path."
      )
    }
    return NacreError(
      .notAStore,
      detail: "\(path) is a database of another kind",
      advice: "Check the path, or adopt the file's rows into a store, by store.adopt or "
        + "'nacre adopt'; ADOPT.md shows how."
    )
  }
}
