import NacreOpen

/// A format and a journal under which a session runs.
struct Setting: CustomStringConvertible {
  let isSealed: Bool
  let journal: Pragmas.JournalMode
  let synchronous: Pragmas.Synchronous

  /// Whether a transaction that returned survives a power cut.
  var isDurable: Bool { synchronous != .normal }

  var description: String {
    "\(isSealed ? "sealed" : "plain") \(journal.rawValue) \(synchronous)"
  }

  var options: StoreOptions {
    var options = StoreOptions()
    options.seals = isSealed ? .file : .properties
    var pragmas = options.pragmas
    pragmas.journalMode = journal
    pragmas.synchronous = synchronous
    options.pragmas = pragmas
    return options
  }

  /// Every setting.
  ///
  /// With a rollback journal SQLite promises nothing for `normal`: the file can be damaged.
  static let all = [true, false].flatMap { isSealed in
    [
      (Pragmas.JournalMode.wal, Pragmas.Synchronous.full), (.wal, .normal), (.delete, .full),
      (.truncate, .full), (.persist, .full),
    ]
    .map { Setting(isSealed: isSealed, journal: $0, synchronous: $1) }
  }
}
