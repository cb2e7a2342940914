// Codes for a file that does not match its anchor.
extension NacreError.Code {
  /// The file belongs to another store than the anchor.
  public static let otherStore = Self(
    "otherStore",
    "The anchor belongs to another store",
    "Check the path and the anchor; somebody may have put another store's file in place of this one."
  )
  /// The file is a copy from before the anchor was taken.
  public static let olderThanAnchor = Self(
    "olderThanAnchor",
    "The store's file is older than its anchor",
    "After a restore, call `store.anchor(after:)`; otherwise find the newer file, for somebody may "
      + "have put an old copy in its place."
  )
  /// The key ring in the file is from before the anchor was taken.
  public static let ringOlderThanAnchor = Self(
    "ringOlderThanAnchor",
    "The store's key ring is older than its anchor",
    "Somebody has put an older ring in the newer one's place; take the store from a backup."
  )
  /// Something other than Nacre changed the anchor in the file, or an earlier store key made it.
  public static let anchorTampered = Self(
    "anchorTampered",
    "The anchor in the file does not match its MAC",
    "If you trust the file, call `store.anchor(after:)`; someone changed the anchor, or an earlier "
      + "version of Nacre rewrapped the store."
  )
}
