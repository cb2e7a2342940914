// What a table of records refuses.
extension NacreError.Code {
  /// A record's own validation has refused it; the cause is what it threw.
  public static let invalidRecord = Self(
    "invalidRecord",
    "The record was refused by its own validation",
    "See the cause; nothing was changed."
  )
  /// A record without a key is to be updated, deleted or matched.
  public static let noKey = Self(
    "noKey",
    "The record has no key",
    "Insert it first, or set its key; nothing was changed."
  )
}
