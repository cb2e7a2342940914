// Codes for sealed files, whose every page is sealed.
extension NacreError.Code {
  /// The file is not a sealed file.
  public static let notSealed = Self(
    "notSealed",
    "The file is not sealed",
    "Check the path; somebody may have put a file that is not sealed in place of the store."
  )
  /// Both copies of a sealed file's header are damaged.
  public static let headerDamaged = Self(
    "headerDamaged",
    "The header of the sealed file is damaged",
    "Nothing in the file opens without it; import a header that was exported, or take the store from "
      + "a backup."
  )
  /// Something other than Nacre changed a sealed file's header, or put an older one in its place.
  public static let headerTampered = Self(
    "headerTampered",
    "The header of the sealed file does not match its MAC or its pages",
    "Someone changed the header or put an older one in its place; take the store from a backup."
  )
  /// A sealed file's header has no room for another slot or key.
  public static let headerFull = Self(
    "headerFull",
    "The header of the sealed file is full",
    "Remove a slot, or destroy a file key that nothing uses; nothing was changed."
  )
  /// A call that changes a sealed file's header has failed, and the header has changed or may have.
  ///
  /// It is thrown by changes of slots and file keys, and by a rewrap. The header is no part of a
  /// transaction, so a full or failing disk can come between the two. The next opening of the store
  /// finishes the change, or shows that nothing has happened.
  public static let headerChangeUnfinished = Self(
    "headerChangeUnfinished",
    "The header of the sealed file was changed, or may have been, and then something failed",
    "Look at the slots and keys before you try again; the next opening of the store finishes the change."
  )
  /// A header that is to be imported is older than the store's own, or than its pages.
  public static let olderHeader = Self(
    "olderHeader",
    "The header to import is older than the store",
    "Find the newest one that was exported; nothing was changed."
  )
  /// Somebody has the store open, which only one may have that changes the whole file.
  public static let storeIsOpen = Self(
    "storeIsOpen",
    "Somebody else has the store open",
    "Close it in every process, and try again; nothing was changed."
  )
  /// The sealed file's header is under another store key than the one that this process has.
  public static let storeRewrapped = Self(
    "storeRewrapped",
    "The store was given a new store key",
    "Open it again with a secret that was kept."
  )
  /// The file has a sealed file's first header and nothing else, because its making was interrupted.
  public static let halfMade = Self(
    "halfMade",
    "The sealed file was not made to its end, and holds nothing",
    "Open it with `createIfMissing`, which makes the rest; if it held something before, take it from a "
      + "backup."
  )
}
