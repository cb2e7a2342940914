extension NacreError.Code {
  // MARK: Secrets and keys

  /// The secret opens none of the store's slots.
  public static let wrongSecret = Self(
    "wrongSecret",
    "The secret does not unlock this store",
    "Use the key file or passphrase that the store was made with."
  )
  /// A sealed value names a key that the ring does not hold.
  public static let unknownKey = Self(
    "unknownKey",
    "A sealed value names a key that this store does not have",
    "The value comes from another store, or somebody restored a copy of the store that is older "
      + "than the key."
  )
  /// A sealed value names a key that was disabled.
  public static let disabledKey = Self(
    "disabledKey",
    "A sealed value names a disabled key",
    "Enable the key to read the value."
  )
  /// A sealed value names a key that was destroyed.
  public static let destroyedKey = Self(
    "destroyedKey",
    "A sealed value names a destroyed key",
    "The value can't be opened any more; take it from a backup."
  )
  /// Something other than Nacre changed the key ring's tables or the journal of rotations.
  public static let ringTampered = Self(
    "ringTampered",
    "The store's key ring or journal does not match its MAC",
    "Someone changed the store's own tables; take the store from a backup."
  )
  /// The caller used a sealed property in a store that was opened without a secret.
  public static let storeLocked = Self(
    "storeLocked",
    "The store is locked",
    "Open it with `unlock:` to use sealed properties."
  )
  /// The caller used a sealed property in a store that has no key ring.
  public static let noKeyRing = Self(
    "noKeyRing",
    "A sealed property needs a key ring and this store has none",
    "Open the store with `unlock:`, which makes one."
  )
  /// A key file is missing, unreadable, readable by others, or not a key file.
  public static let badKeyFile = Self(
    "badKeyFile",
    "The key file can't be used",
    "It must hold one line `NACRE-KEY-1` with 64 hex digits and be readable by its owner alone."
  )
  /// A source of a secret other than a file did not give a usable secret.
  public static let badSecret = Self(
    "badSecret",
    "The secret can't be used",
    "It must be 32 bytes as 64 hex digits, or a passphrase that is not empty."
  )
  /// The key may not seal any more values.
  public static let sealLimitReached = Self(
    "sealLimitReached",
    "The key has sealed as many values as its suite allows",
    "Rotate to a new key."
  )

  // MARK: Sealed values

  /// A sealed value was changed, or comes from another place.
  public static let tampered = Self(
    "tampered",
    "A sealed value was changed or moved from another place",
    "Take the value from a backup."
  )
  /// A sealed column holds something that is not an envelope.
  public static let notAnEnvelope = Self(
    "notAnEnvelope",
    "A sealed column holds something that was not sealed",
    "Nacre never returns plaintext as if it had been sealed; set the property again."
  )
  /// A sealed value opens, but not to the type that the property holds.
  public static let wrongSealedType = Self(
    "wrongSealedType",
    "A sealed value opens to another type than the property's",
    "Check the property's type."
  )
  /// A condition reads a sealed property.
  public static let sealedCondition = Self(
    "sealedCondition",
    "A condition can't read a sealed property",
    "Its column holds ciphertext, so a comparison with it is never true."
  )

  // MARK: Files

  /// The file, or the schema of a server, is not a Nacre store.
  public static let notAStore = Self(
    "notAStore",
    "This is not a Nacre store",
    "Check the path or the URL."
  )
  /// The file was written in a later format.
  public static let newerFormat = Self(
    "newerFormat",
    "The store was written in a later format",
    "Open it with a later version of Nacre."
  )
  /// The file, or its directory, can't be opened.
  public static let cannotOpen = Self(
    "cannotOpen",
    "The store can't be opened",
    "Check the path or the URL, and whether you may open it."
  )
  /// The file, or its directory, can't be written.
  public static let readOnly = Self(
    "readOnly",
    "The store can't be written",
    "Check the permissions of the file and its directory; on a server, write to the primary."
  )
  /// The disk, or the store's own limit of pages, is full.
  public static let diskFull = Self(
    "diskFull",
    "The disk is full",
    "Nothing was changed; make room and try again."
  )
  /// Another process or connection holds the file's lock.
  public static let busy = Self(
    "busy",
    "Another connection holds the store's lock",
    "Try again, or raise `busyTimeout`."
  )
  /// The file is damaged.
  public static let corrupt = Self(
    "corrupt",
    "The store's file is damaged",
    "Take it from a backup."
  )
  /// The store was closed.
  public static let storeClosed = Self(
    "storeClosed",
    "The store is closed",
    "Open it again."
  )
  /// There is no default store.
  public static let noDefaultStore = Self(
    "noDefaultStore",
    "There is no default store",
    "Call `makeDefault()` on an open store."
  )
  /// Reading or writing the file failed.
  public static let inputOutput = Self(
    "inputOutput",
    "Reading or writing the file failed",
    "Check the disk."
  )
  /// The commit failed while the disk was waited for, and the transaction may be stored nevertheless.
  ///
  /// Objects are as unsaved as before.
  public static let commitUnknown = Self(
    "commitUnknown",
    "The commit failed, and the transaction may be stored nevertheless",
    "Look at what is stored before you try again; check the disk, or the server."
  )

  // MARK: Objects

  /// The change would violate a unique, not-null or foreign-key constraint.
  public static let constraint = Self(
    "constraint",
    "A constraint does not hold",
    "Nothing was changed."
  )
  /// The object's row is gone, because something else deleted it.
  public static let objectDeleted = Self(
    "objectDeleted",
    "The object's row is gone",
    "It was deleted meanwhile; nothing was changed."
  )
  /// The class detects conflicts, and somebody changed the row since the object was loaded.
  public static let conflict = Self(
    "conflict",
    "The row was changed since the object was loaded",
    "Nothing was changed; refresh the object, change it again and save it."
  )
  /// A row without cascade refers to a child that was never stored.
  public static let unstoredChild = Self(
    "unstoredChild",
    "A child was never stored",
    "Save it first, or save with `cascade: true`; nothing was changed."
  )
  /// No object is stored under the objectID.
  public static let notFound = Self(
    "notFound",
    "No object is stored under this objectID",
    "It may have been deleted."
  )
  /// A relationship's rule refuses the delete.
  public static let deleteDenied = Self(
    "deleteDenied",
    "The relationship's `.deny` rule refuses the delete",
    "Delete the children first; nothing was changed."
  )
  /// A column holds a value that its property can't hold, or the other way around.
  public static let valueMismatch = Self(
    "valueMismatch",
    "A value does not fit its property",
    "Check the property's type."
  )

  // MARK: Use

  /// A condition or statement is not valid SQL, or has too few or too many arguments.
  public static let badStatement = Self(
    "badStatement",
    "The statement is not valid",
    "Check its SQL and its arguments."
  )
  /// A key path or name does not lead to a stored property.
  public static let noSuchProperty = Self(
    "noSuchProperty",
    "The key path does not lead to a stored property",
    "Name a stored property."
  )
  /// The class and the table differ in a way that adding columns can't fix.
  public static let schemaMismatch = Self(
    "schemaMismatch",
    "The class does not match its stored table",
    "Migrate the table."
  )
  /// The class seals a property in another way than it is stored, or a conversion was begun and is not finished.
  public static let migrationPending = Self(
    "migrationPending",
    "The property's rows have to be converted first",
    "Call `store.migrate(…)` with the class, or run `nacre migrate`; until then the entity can't be used."
  )
  /// The declaration of a property, a record or a store's migrator contradicts itself.
  public static let badDeclaration = Self(
    "badDeclaration",
    "The declaration can't be used",
    "Change the declaration."
  )
  /// A call was made inside a transaction and belongs outside of it, or the other way around.
  public static let transactionState = Self(
    "transactionState",
    "The call does not fit the state of this thread's transaction",
    "Move the call into a transaction, or out of the one that is open."
  )
  /// The operation was interrupted.
  public static let interrupted = Self(
    "interrupted",
    "The operation was interrupted",
    "Nothing was changed."
  )
  /// The database failed in another way.
  public static let database = Self("database", "The database failed", "See the cause.")
  /// libcrypto failed in another way.
  public static let crypto = Self("crypto", "The crypto library failed", "See the cause.")
}
