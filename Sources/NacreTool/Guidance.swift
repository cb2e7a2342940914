/// Which verb a case calls for: what the command's own help says first.
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
}
