// What verification finds and an import refuses.
extension NacreError.Code {
  /// A verification has found bad cells, or something else that is not as it has to be.
  public static let unsound = Self(
    "unsound",
    "The store is not sound",
    "Set bad cells aside by `quarantine`, or take the store from a backup."
  )
  /// What is to be imported is not what an export has written, or does not fit this store.
  public static let badImport = Self(
    "badImport",
    "The lines can't be imported",
    "Nothing was changed; export again, or import into the store that they come from."
  )
  /// An object that is to be imported is stored already.
  public static let alreadyStored = Self(
    "alreadyStored",
    "An object is stored already",
    "Nothing was changed; import with `.skip` or `.replace`."
  )
}
