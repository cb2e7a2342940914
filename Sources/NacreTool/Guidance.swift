#if Tool
import NacreStore

/// Which verb to use in which case: the first part of the command's own help.
enum Guidance {
  static let text = """
    THREE VERBS, NEVER MIXED UP:
      slot     changes who unlocks the store. Milliseconds; no value is touched.
      rewrap   gives a new store key. Milliseconds; no value is touched.
      rotate   gives new data keys and seals every value anew, while others
               read and write. It can be stopped at any time and goes on.

    WHAT TO DO, IN THIS ORDER:
      passphrase forgotten, key file lost    slot change, by another secret; if
                                             there is none, nothing opens the store
      passphrase or key file leaked          slot change, rewrap, rotate
      a colleague has left                   slot remove, rewrap, rotate
      the store key leaked (from memory)     rewrap, rotate
      a data key leaked                      rotate (--purpose index: an index key;
                                             --purpose file: a sealed file's key)
      data keys should stay young            rotate --older-than 365

    Whoever had a secret may have a copy of the file. In that copy their secret opens the store key, which also opens \
    the data keys of the store: rewrap shuts them out from future keys, and the rotation after it shuts them out from \
    the values, which are then under such a key. A rotation before the rewrap would hand them its new key. They can \
    still read what they could read before, in their copy or in a backup: destroy old copies, and make new backups.

    The pages of a sealed file are under a key of their own, which such a copy gives away as well: after the rewrap \
    rotate it, too, by 'nacre rotate --purpose file'.
    """

  /// Describes an error with advice for users of the command, because the library's advice on a
  /// code is for programmers.
  ///
  /// Advice of the error itself fits it better than any advice on its code.
  static func description(of error: NacreError) -> String {
    error.description(advising: error.ownAdvice ?? advice(on: error.code) ?? error.advice)
  }

  private static func advice(on code: NacreError.Code) -> String? {
    switch code {
    case .storeLocked:
      "Give --key-file, --passphrase, --passphrase-fd, --key-env or --key-command."
    case .noKeyRing: "The application makes one when it opens the store with a secret."
    case .badKeyFile:
      "It must hold one line NACRE-KEY-1 with 64 hex digits and be readable by its owner alone."
    case .catalogTampered:
      "'nacre catalog' shows the differences, and undoes or accepts them; accept only your own "
        + "changes."
    case .disabledKey: "'nacre key enable' lets it open again."
    case .headerDamaged:
      "'nacre header import' puts back a header that 'nacre header export' has saved; without one, "
        + "take the store from a backup."
    case .storeIsOpen: "Close it in every process; nothing was changed."
    case .sealLimitReached: "'nacre rotate' gives the store another key."
    case .busy: "Try again when the other process is done."
    case .noSuchProperty: "'nacre inspect' shows which properties it has."
    case .migrationPending:
      "'nacre migrate --resume' finishes the migration; until then the entity can't be used."
    case .rotationUnfinished:
      "Finish it first, with 'nacre rotate' or 'nacre migrate --resume'; nothing was changed."
    case .suiteInUse:
      "Give the property another suite first, in its class and with 'nacre migrate'; nothing was "
        + "changed."
    case .keyInUse:
      "'nacre rotate' gives the values another key, and --ignore skips a column that somebody "
        + "has filled with such values; nothing was changed."
    case .badKeyState: "'nacre key list' shows the keys' states; nothing was changed."
    case .noSuchKey: "'nacre key list' shows which keys it has."
    case .noSuchSlot: "'nacre slot list' shows which slots it has."
    case .lastSlot:
      "Unlock with the secret of a slot that stays, give one with --keep-key-file, "
        + "--keep-passphrase, …, or add one with 'nacre slot add' first; nothing was changed."
    case .slotsNotTried:
      "Name the passphrase's slot with --slot: somebody may have added other slots, which 'nacre "
        + "rewrap --drop-slots' removes."
    case .replaceableKeyFile:
      "Move it to a directory of your own, or take away others' right to write: 'chmod go-w'."
    case .olderThanAnchor:
      "Find the newer file; somebody may have put an old copy in its place. After a restore, "
        + "'nacre anchor --after' takes another anchor."
    case .anchorTampered:
      "Someone changed the anchor, or an earlier version of Nacre rewrapped the store. If you "
        + "trust the file, 'nacre anchor --after' takes another anchor."
    case .foreignSchema:
      "'nacre check' names all foreign definitions. Remove them with another tool, such as "
        + "sqlite3, or take the store from a backup; nothing was changed."
    case .halfConverted:
      "'nacre rotate --clear-journal' takes back a conversion that was left half done. If it "
        + "refuses, copy the contents of the property's columns …__old and …__new with SQL, or "
        + "take the store from a backup; nothing was changed."
    case .unsound: "'nacre verify --quarantine' sets bad cells aside."
    case .halfMade:
      "It holds nothing: delete it and make it again with 'nacre init', or let the application open it, "
        + "which makes the rest. If it held something before, take it from a backup."
    case .badDeclaration:
      "'nacre migrate --help' says which options go together; nothing was changed."
    case .alreadyStored:
      "Nothing was changed; --existing skip leaves such objects as they are, --existing replace "
        + "replaces them."
    case .notAdopted:
      "Nothing was changed; --dry-run lists all that does not fit, --leave-out adopts the rest."
    default: nil
    }
  }
}
#endif
