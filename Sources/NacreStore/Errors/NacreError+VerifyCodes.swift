// Codes of verification and import.
extension NacreError.Code {
  /// A verification has found bad cells or another fault in the store.
  public static let unsound = Self(
    "unsound",
    "The store is not sound",
    "Set bad cells aside with `quarantine`, or take the store from a backup."
  )
  /// The lines to import were not written by an export, or do not fit this store.
  public static let badImport = Self(
    "badImport",
    "The lines can't be imported",
    "Nothing was changed; export again, or import the lines into the store that they come from."
  )
  /// An object to import is already stored.
  public static let alreadyStored = Self(
    "alreadyStored",
    "An object is stored already",
    "Nothing was changed; import with `.skip` or `.replace`."
  )
}
