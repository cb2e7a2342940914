// Codes of tables of records.
extension NacreError.Code {
  /// A record's own validation refused it; the cause is the error that the validation threw.
  public static let invalidRecord = Self(
    "invalidRecord",
    "The record was refused by its own validation",
    "See the cause; nothing was changed."
  )
  /// The caller tried to update, delete or match a record without a key.
  public static let noKey = Self(
    "noKey",
    "The record has no key",
    "Insert it first, or set its key; nothing was changed."
  )
}
