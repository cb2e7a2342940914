#if Tool
import NacreStore

/// An exit status of the command: one number for each kind of failure.
struct ExitStatus: Sendable {
  let code: Int32
  let meaning: String
  /// The status as one word: a name of its own, or the code of its first error.
  let name: String
  /// The errors that end the command with this status.
  let errors: [NacreError.Code]

  init(_ code: Int32, _ meaning: String, name: String? = nil, _ errors: NacreError.Code...) {
    self.code = code
    self.meaning = meaning
    self.name = name ?? errors.first?.description ?? "failed"
    self.errors = errors
  }

  static let success = ExitStatus(0, "done")
  static let failure = ExitStatus(1, "failed in another way")
  static let badSecret = ExitStatus(
    21,
    "the key file, passphrase, variable or command gives no usable secret",
    name: "badSecret",
    .badKeyFile,
    .badSecret
  )
  static let rotationIncomplete = ExitStatus(
    48,
    "the rotation is not complete",
    name: "rotationIncomplete"
  )
  static let exists = ExitStatus(60, "the file or store to make exists already", name: "exists")
  static let usage = ExitStatus(64, "the command line is wrong", name: "usage")
  static let interrupted = ExitStatus(130, "interrupted", .interrupted)

  /// All statuses, in one table; a number never changes its meaning.
  static let table = [
    success,
    failure,
    ExitStatus(10, "no such file, or it or the server can't be opened", .cannotOpen, .inMemory),
    ExitStatus(11, "the file is not a Nacre store", .notAStore),
    ExitStatus(12, "the store was written in a later format", .newerFormat),
    ExitStatus(13, "the store's file is damaged", .corrupt),
    ExitStatus(14, "the store has no such entity", .noSuchEntity),
    ExitStatus(15, "the catalog does not match the tables", .schemaMismatch),
    ExitStatus(16, "another process holds the store's lock", .busy),
    ExitStatus(17, "the file can't be written", .readOnly),
    ExitStatus(18, "the disk is full", .diskFull),
    ExitStatus(19, "reading or writing the file failed", .inputOutput),
    ExitStatus(20, "the secret does not unlock the store", .wrongSecret, .storeRewrapped),
    badSecret,
    ExitStatus(22, "the store is locked and no secret was given", .storeLocked),
    ExitStatus(23, "the store has no key ring", .noKeyRing),
    ExitStatus(24, "the key ring does not match its MAC", .ringTampered),
    ExitStatus(25, "a sealed value names a key that the store does not have", .unknownKey),
    ExitStatus(26, "a sealed value names a disabled key", .disabledKey),
    ExitStatus(27, "a sealed value names a destroyed key", .destroyedKey),
    ExitStatus(28, "a sealed value was changed or moved", .tampered),
    ExitStatus(29, "a sealed column holds something that was not sealed", .notAnEnvelope),
    ExitStatus(
      30,
      "a value has another type than its property",
      .wrongSealedType,
      .valueMismatch
    ),
    ExitStatus(31, "the key is still in use", .keyInUse),
    ExitStatus(32, "the key's state does not allow this", .badKeyState),
    ExitStatus(33, "the store has no such key", .noSuchKey),
    ExitStatus(34, "the store has no such slot", .noSuchSlot),
    ExitStatus(35, "no slot would be left that unlocks the store", .lastSlot),
    ExitStatus(36, "the rewrap would shut out other slots", .slotsWouldBeLost),
    ExitStatus(37, "the entity has no such property", .noSuchProperty),
    ExitStatus(38, "the property can't be sealed like that", .badDeclaration),
    ExitStatus(39, "a key has sealed as many values as its suite allows", .sealLimitReached),
    ExitStatus(40, "another rotation or migration of the store is running", .rotationHeld),
    ExitStatus(41, "another rotation or migration has to be finished first", .rotationUnfinished),
    ExitStatus(42, "a property asks for the suite that the store would leave", .suiteInUse),
    ExitStatus(43, "a property needs a migration first", .migrationPending),
    rotationIncomplete,
    ExitStatus(50, "verification has found bad cells", .unsound),
    ExitStatus(51, "the lines to import can't be imported", .badImport),
    ExitStatus(52, "an object to import is stored already", .alreadyStored),
    ExitStatus(53, "values would not be unique, or another constraint does not hold", .constraint),
    ExitStatus(54, "the catalog differs from what the holder of the key wrote", .catalogTampered),
    ExitStatus(57, "some of a property's values do not have the catalog's form", .halfConverted),
    ExitStatus(
      58,
      "a trigger, view or index acts on the store's own tables",
      .foreignSchema
    ),
    ExitStatus(59, "the path is the URL of a server", .onServer),
    exists,
    ExitStatus(61, "the file to adopt can't be read", .notAdoptable),
    ExitStatus(62, "the mapping does not fit the file or the store", .badMapping),
    ExitStatus(63, "rows of the file to adopt do not fit", .notAdopted),
    usage,
    ExitStatus(70, "the anchor belongs to another store", .otherStore),
    ExitStatus(71, "the file is older than its anchor", .olderThanAnchor, .ringOlderThanAnchor),
    ExitStatus(72, "the anchor in the file does not match its MAC", .anchorTampered),
    ExitStatus(73, "the passphrase was not tried on all slots", .slotsNotTried),
    ExitStatus(74, "others could replace the key file", .replaceableKeyFile),
    ExitStatus(75, "the file is not sealed", .notSealed),
    ExitStatus(76, "the header of the sealed file is damaged", .headerDamaged),
    ExitStatus(77, "the header of the sealed file does not match its MAC", .headerTampered),
    ExitStatus(78, "the header of the sealed file is full", .headerFull),
    ExitStatus(79, "a page of the sealed file is not as it was written", .pageTampered),
    ExitStatus(80, "a sealed file can't do this", .sealedFileCannot),
    ExitStatus(81, "the header to import is older than the store", .olderHeader),
    ExitStatus(82, "somebody else has the store open", .storeIsOpen),
    ExitStatus(83, "the sealed file was not made to its end", .halfMade),
    ExitStatus(
      84,
      "a change of the sealed file's header is there, or may be, but is not finished",
      .headerChangeUnfinished
    ),
    ExitStatus(85, "the last transaction failed, and may be stored nevertheless", .commitUnknown),
    ExitStatus(86, "a store on a server can't do this", .serverCannot),
    ExitStatus(87, "the connection to the server is lost", .connectionLost),
    ExitStatus(
      88,
      "the server undid a transaction because of another one",
      .transactionConflict,
      .deadlock
    ),
    ExitStatus(89, "the server ended a statement that took too long", .timedOut),
    ExitStatus(90, "the server's role lacks a right", .notPermitted),
    interrupted,
  ]

  /// The status of an error from NacreCore.
  static func of(_ code: NacreError.Code) -> ExitStatus {
    table.first { $0.errors.contains(code) } ?? failure
  }

  /// The table as `--help` prints it.
  static var help: String {
    let lines = table.map { status in
      String(repeating: " ", count: status.code < 10 ? 4 : status.code < 100 ? 3 : 2)
        + "\(status.code)  \(status.meaning)"
    }
    return "EXIT STATUS:\n" + lines.joined(separator: "\n")
  }
}
#endif
