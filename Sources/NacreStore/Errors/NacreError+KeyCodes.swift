// Codes of the calls that change slots and keys.
extension NacreError.Code {
  /// An older version of Nacre, or somebody without the store's key, changed the catalog, which says whether, where and
  /// how values are sealed.
  public static let catalogTampered = Self(
    "catalogTampered",
    "The store's catalog differs from what the holder of its key wrote",
    "Look at the differences with `reviewCatalog()` or `nacre catalog`; undo them, accept them "
      + "if they are your own, or take the "
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
    "The key's state does not allow this",
    "Inspect the store to see the keys' states; nothing was changed."
  )
  /// The ring has no key with that id.
  public static let noSuchKey = Self(
    "noSuchKey",
    "The store has no such key",
    "Inspect the store to see which keys it has."
  )
  /// The store has no slot with that number.
  public static let noSuchSlot = Self(
    "noSuchSlot",
    "The store has no such slot",
    "Inspect the store to see which slots it has."
  )
  /// It is the last slot; without it nobody could unlock the store any more.
  public static let lastSlot = Self(
    "lastSlot",
    "No slot would be left that unlocks the store",
    "Add another slot first, open the store with the secret of a slot that stays, or give it by "
      + "`keeping:`; nothing was changed."
  )
  /// The passphrase opened no slot, but not all slots were tried, because there are too many or they cost too much.
  public static let slotsNotTried = Self(
    "slotsNotTried",
    "The passphrase was not tried on all of the store's slots",
    "Name the passphrase's slot, for example `.passphrase(…).slot(1)`; somebody may have added "
      + "the other slots."
  )
  /// Others may write to a directory on the key file's path, or another user owns the file, so they could replace it by
  /// a key of their own.
  public static let replaceableKeyFile = Self(
    "replaceableKeyFile",
    "Others could replace the key file",
    "Move it to a directory of your own, or take away others' right to write (`chmod go-w`)."
  )
  /// A rewrap would lock out the secrets that it was not given.
  public static let slotsWouldBeLost = Self(
    "slotsWouldBeLost",
    "The rewrap would shut out other slots",
    "Give their secrets, too, or ask for these slots to be dropped; nothing was changed."
  )
}
