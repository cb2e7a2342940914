public import NacreCrypto
public import NacreSQLite

/// How a store is opened.
public struct StoreOptions: Sendable {
  /// The name by which ``Store/named(_:)`` finds the store; the first open store without one is the default store.
  public var name: String?
  /// When a commit is on the disk.
  public enum Durability: Sendable {
    /// At the next checkpoint: a power failure can take the last transactions, never the file's consistency.
    case normal
    /// At every commit.
    case full
  }

  /// Whether a file that does not exist is made; otherwise it is an error.
  public var createIfMissing = true
  /// SQLite's own settings of the store's connections, as they are at first.
  public var pragmas = Pragmas()
  /// When a commit is on the disk; a killed process loses nothing either way.
  public var durability: Durability {
    get { pragmas.synchronous.rawValue >= Pragmas.Synchronous.full.rawValue ? .full : .normal }
    set { pragmas.synchronous = newValue == .full ? .full : .normal }
  }
  /// How long to wait for what somebody else holds, in seconds: another process's lock, and within the process the writer,
  /// a reader where there are as many as may be, and at the end of the store those who still use it.
  ///
  /// The wait for the writer and that for the lock come one after the other. Within the process the time counts anew
  /// whenever one who had the connection for less than half of it hands it on to the next in the queue: a wait ends in an
  /// error because nothing goes on, not because many wait. What the store does by itself and can take long, as giving back
  /// the free pages, is waited for to its end.
  public var busyTimeout: Double {
    get { pragmas.busyTimeout }
    set { pragmas.busyTimeout = newValue }
  }
  /// How many connections for reads stay open; as many reads run at once without waiting.
  public var readerLimit = 8
  /// How many connections for reads there are at most; at least ``readerLimit`` is taken.
  ///
  /// An open cursor has one for itself, and does not count against ``readerLimit``. A read that finds all lent, and none
  /// given back for a moment, gets a further one, for those who have them may be waiting for it. What is no longer needed is
  /// closed. Where there are as many as may be, a read waits for ``busyTimeout``, and throws
  /// ``NacreError/Code/readersHeld`` then.
  public var maximumReaderCount = 64
  /// A limit of the file's size in pages of 4 KiB; nil is SQLite's own.
  public var maximumPageCount: Int?
  /// The cipher suite of the first data key, when the store's key ring is made.
  public var suite = Suite.xaes256GCM
  /// The provider that seals and opens in place of the key ring, for the whole store; nil for none.
  public var provider: (any CryptProvider)?
  /// How properties that are stored as JSON are written and read.
  public var json = JSONOptions()
  /// Whether the store is opened to be looked at alone, by `check()` and `verify()`: nothing is written.
  ///
  /// So is one opened that is refused otherwise because of triggers or views on its own tables (`foreignSchema`).
  public var isOnlyLookedAt = false
  /// Whether SQLite's hook tells what the store's own transactions change; otherwise all rows are compared, as they are
  /// where the library lacks the hook.
  package var usesChangeHook = true
  /// Called with the text and duration of every statement, never with its arguments.
  public var trace: (@Sendable (TraceEvent) -> Void)?
  /// Which statements are logged, and how; nil logs none.
  public var log: StatementLog?

  /// The options of a room that stands on this one.
  package var delegateOptions: (any StoreDelegateOptions)?

  /// The usual options.
  public init() {}
}
