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
      a data key leaked                      rotate (--purpose index: an index key)
      data keys are to be young              rotate --older-than 365

    Whoever had a secret may have a copy of the file. In it their secret opens the store key, which opens the data \
    keys of the store, too: rewrap shuts them out from the keys to come, and the rotation after it from the values, \
    now under such a key. A rotation before the rewrap would hand them its new key. What they could read before, in \
    their copy or in a backup, they can read still: destroy old copies, and make new backups.
    """

  /// Describes an error with advice for users of the command, because the library's advice is for programmers.
  static func description(of error: NacreError) -> String {
    error.description(advising: advice(on: error.code) ?? error.advice)
  }

  private static func advice(on code: NacreError.Code) -> String? {
    switch code {
    case .storeLocked:
      "Give --key-file, --passphrase, --passphrase-fd, --key-env or --key-command."
    case .noKeyRing: "The application makes one when it opens the store with a secret."
    case .badKeyFile:
      "It must hold one line NACRE-KEY-1 with 64 hex digits and be readable by its owner alone."
    case .catalogTampered:
      "'nacre catalog' shows the differences, and undoes or accepts them; accept only what is your own."
    case .disabledKey: "'nacre key enable' lets it open again."
    case .sealLimitReached: "'nacre rotate' gives another key."
    case .busy: "Try again when the other process is done."
    case .noSuchProperty: "'nacre inspect' shows which it has."
    case .migrationPending: "'nacre migrate --resume' goes on; until then the entity can't be used."
    case .rotationUnfinished:
      "Finish it first, by 'nacre rotate' or 'nacre migrate --resume'; nothing was changed."
    case .suiteInUse:
      "Give the property another suite first, in its class and by 'nacre migrate'; nothing was changed."
    case .keyInUse:
      "'nacre rotate' gives another key, and --ignore names a column that somebody has filled; nothing was changed."
    case .badKeyState: "'nacre key list' shows the keys' states; nothing was changed."
    case .noSuchKey: "'nacre key list' shows which it has."
    case .noSuchSlot: "'nacre slot list' shows which it has."
    case .lastSlot:
      "Unlock with the secret of a slot that stays, give one by --keep-key-file, --keep-passphrase, …, or add one by "
        + "'nacre slot add' first; nothing was changed."
    case .slotsNotTried:
      "Name its slot by --slot: somebody may have added others, which 'nacre rewrap --drop-slots' removes."
    case .replaceableKeyFile:
      "Move it to a directory of your own, or take the right to write from others: 'chmod go-w'."
    case .olderThanAnchor:
      "Find the newer one; somebody may have put a copy in its place. After a restore, 'nacre anchor --after' takes another."
    case .anchorTampered:
      "Someone changed it, or an earlier version rewrapped the store. 'nacre anchor --after' takes another, if you trust it."
    case .foreignSchema:
      "'nacre check' names all of them. Take them away with another tool, such as sqlite3, or take the store from a backup; nothing was changed."
    case .halfConverted:
      "'nacre rotate --clear-journal' takes back what nothing goes on with. Where it refuses, copy what the property's "
        + "columns …__old and …__new hold by SQL, or take the store from a backup; nothing was changed."
    case .unsound: "'nacre verify --quarantine' sets bad cells aside."
    case .badDeclaration: "See 'nacre migrate --help' for what goes together; nothing was changed."
    case .alreadyStored: "Nothing was changed; --existing skip or --existing replace imports it."
    default: nil
    }
  }
}
