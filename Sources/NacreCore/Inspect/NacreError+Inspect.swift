extension NacreError.Code {
  /// The catalog holds no entity of that name.
  public static let noSuchEntity = Self(
    "noSuchEntity",
    "The store has no such entity",
    "Inspect the store to see which it has."
  )
}
