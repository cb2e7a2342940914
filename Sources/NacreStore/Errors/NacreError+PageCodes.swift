// Codes for the pages of sealed files.
extension NacreError.Code {
  /// A page of a sealed file, a frame of its log or a record of its journal was changed, moved or cut.
  public static let pageTampered = Self(
    "pageTampered",
    "A page of the sealed file is not as it was written",
    "Someone changed the file, or the disk did; take the store from a backup."
  )
  /// This version can't do that with a sealed file.
  public static let sealedFileCannot = Self(
    "sealedFileCannot",
    "This version can't do this with a sealed file",
    "Use a store that is no sealed file for it, or a later version."
  )
}
