// What a rotation refuses.
extension NacreError.Code {
  /// Another rotation or migration of the store is running, here or in another process.
  public static let rotationHeld = Self(
    "rotationHeld",
    "Another rotation or migration of the store is running",
    "Wait until that is done, or stop it; nothing was changed."
  )
  /// A rotation or migration of another kind was begun and has to be finished first.
  public static let rotationUnfinished = Self(
    "rotationUnfinished",
    "Another rotation or migration was begun and is not done",
    "Finish it first; nothing was changed."
  )
  /// A property asks for the suite that the store was to leave.
  public static let suiteInUse = Self(
    "suiteInUse",
    "A property asks for the suite that the store would leave",
    "Change the property's `suite:` first; nothing was changed."
  )
}

// What clearing the journal refuses.
extension NacreError.Code {
  /// A property's cells may be partly in one form and partly in another, and nothing that is believed says in which.
  public static let halfConverted = Self(
    "halfConverted",
    "A property's values are not all as the catalog says",
    "Nothing was changed; copy what the columns …__old and …__new hold by SQL, and set them right, or take the store from a backup."
  )
}
