// Codes of rotations.
extension NacreError.Code {
  /// Another rotation or migration of the store is running, here or in another process.
  public static let rotationHeld = Self(
    "rotationHeld",
    "Another rotation or migration of the store is running",
    "Wait until that one is done, or stop it; nothing was changed."
  )
  /// A rotation or migration of another kind was begun; finish it first.
  public static let rotationUnfinished = Self(
    "rotationUnfinished",
    "Another rotation or migration was begun and is not done",
    "Finish it first; nothing was changed."
  )
  /// A property asks for the suite that the rotation would make the store leave.
  public static let suiteInUse = Self(
    "suiteInUse",
    "A property asks for the suite that the store would leave",
    "Change the property's `suite:` first; nothing was changed."
  )
  /// A property's cells may have two forms, and no trusted record says which cell has which.
  public static let halfConverted = Self(
    "halfConverted",
    "Some of a property's values do not have the form that the catalog says",
    "Nothing was changed; copy the contents of the columns …__old and …__new with SQL and set "
      + "them right, or take the store from a backup."
  )
}
