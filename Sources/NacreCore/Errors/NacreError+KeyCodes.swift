// What the calls that change slots and keys refuse.
extension NacreError.Code {
  /// The catalog, which says whether, where and how values are sealed, was changed by an older version of Nacre, or by
  /// somebody without the store's key.
  public static let catalogTampered = Self(
    "catalogTampered",
    "The store's catalog is not as the holder of its key wrote it",
    "See the differences by `reviewCatalog()` or `nacre catalog`; undo them, accept them if they are your own, or take the "
      + "store from a backup."
  )
  /// Stored values, or an index, still need the key.
  public static let keyInUse = Self(
    "keyInUse",
    "The key is still in use",
    "Rotate to another key first; nothing was changed."
  )
  /// The key's state does not allow the change.
  public static let badKeyState = Self(
    "badKeyState",
    "The key is not in a state that allows this",
    "Inspect the store to see the keys' states; nothing was changed."
  )
  /// The ring has no key of that id.
  public static let noSuchKey = Self(
    "noSuchKey",
    "The store has no such key",
    "Inspect the store to see which it has."
  )
  /// The store has no slot of that number.
  public static let noSuchSlot = Self(
    "noSuchSlot",
    "The store has no such slot",
    "Inspect the store to see which it has."
  )
  /// Without the slot nobody could unlock the store any more.
  public static let lastSlot = Self(
    "lastSlot",
    "No slot would be left that unlocks the store",
    "Add another slot first; nothing was changed."
  )
  /// The passphrase opened no slot, and there are so many, or so costly ones, that not all were tried.
  public static let slotsNotTried = Self(
    "slotsNotTried",
    "The passphrase was not tried on all of the store's slots",
    "Name its slot, as by `.passphrase(…).slot(1)`; somebody may have added the others."
  )
  /// Others may write to a directory on the key file's path, or the file is another user's: they could put a key of their
  /// own in its place.
  public static let replaceableKeyFile = Self(
    "replaceableKeyFile",
    "Others could replace the key file",
    "Move it to a directory of your own, or take the right to write from others (`chmod go-w`)."
  )
  /// A rewrap would shut out secrets that were not given to it.
  public static let slotsWouldBeLost = Self(
    "slotsWouldBeLost",
    "The rewrap would shut out other slots",
    "Give their secrets, too, or say that they are to be dropped; nothing was changed."
  )
}
