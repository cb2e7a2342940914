public import NacreCrypto
public import NacreEngine

/// How a store is opened.
public struct StoreOptions: Sendable {
  /// The name by which ``Store/named(_:)`` finds the store; the first open store without one is the
  /// default store.
  public var name: String?
  /// When a commit is on the disk.
  public enum Durability: Sendable {
    /// At the next checkpoint: a power failure can take the last transactions, never the file's
    /// consistency. On a server its own `synchronous_commit` holds.
    case normal
    /// At every commit; on a server with `synchronous_commit = on`.
    case full
  }

  /// The parts of a store's file that lie sealed.
  public enum Seals: Sendable {
    /// The values of sealed properties; the rest lies open.
    case properties
    /// Every page of the file, and the sealed values within.
    case file
  }

  /// The parts of a new store's file that lie sealed; an existing file tells its own.
  ///
  /// With ``Seals/file``, a file that is not sealed is refused with ``NacreError/Code/notSealed``:
  /// otherwise a plain file that somebody puts there would receive what is to be sealed.
  public var seals = Seals.properties
  /// Whether a missing file is created; if false, a missing file is an error.
  public var createIfMissing = true
  /// The engine's own settings of the store's connections when it is opened; nil for its usual
  /// ones.
  ///
  /// Set `durability` and `busyTimeout` to the same values first.
  package var engineSettings: (any EngineSettings)?
  /// When a commit is on the disk; a killed process loses nothing either way.
  public var durability = Durability.normal {
    didSet { engineSettings?.commitsDurably = durability == .full }
  }
  /// How long a call waits for something that others hold, in seconds.
  ///
  /// That can be another process's lock; within this process the writer, or a reader if there are
  /// as many as there may be; and in `close()` the calls that still use the store.
  ///
  /// A call waits first for the writer and then for the lock, each for this long. Within this
  /// process the time starts over whenever a borrower that had the connection for less than half of
  /// it hands it to the next one in the queue. So a wait fails because nothing moves on, not
  /// because many callers wait. The store's own long work, such as giving back free pages, is
  /// waited for to its end.
  public var busyTimeout = 5.0 { didSet { engineSettings?.busyTimeout = busyTimeout } }
  /// How many connections for reads stay open; this many reads run at once without waiting.
  public var readerLimit = 8
  /// How many connections for reads there are at most; if it is less than ``readerLimit``, that is
  /// used.
  ///
  /// An open cursor has a connection of its own, which does not count against ``readerLimit``. If a
  /// read finds all connections lent, and none is given back for a moment, the store opens another
  /// one, because the borrowers may be waiting for this very read. Connections that are no longer
  /// needed are closed. If there are as many as there may be, a read waits for ``busyTimeout`` and
  /// then throws ``NacreError/Code/readersHeld``.
  public var maximumReaderCount = 64
  /// The largest size of the file, in pages of 4 KiB; nil for SQLite's own limit, and on a server, which has none.
  public var maximumPageCount: Int?
  /// The cipher suite of the first data key, used when the store's key ring is created.
  public var suite = Suite.xaes256GCM
  /// The provider that seals and opens values of the whole store in place of the key ring; nil for
  /// none.
  public var provider: (any CryptProvider)?
  /// How properties that are stored as JSON are written and read.
  public var json = JSONOptions()
  /// Whether the store is opened only for `check()` and `verify()`; nothing is written.
  ///
  /// A store that is otherwise refused because of triggers or views on its own tables
  /// (`foreignSchema`) can be opened like this.
  public var isOnlyLookedAt = false
  /// Whether the engine reports which rows the store's own transactions change; otherwise all rows
  /// are compared.
  ///
  /// An open store's options say no if the engine has no such reports.
  package var usesChangeReports = true
  /// Is called with the text and duration of every statement, never with its arguments.
  public var trace: (@Sendable (TraceEvent) -> Void)?
  /// Which statements are logged, and how; nil to log none.
  public var log: StatementLog?

  /// The options of a module above this one.
  package var delegateOptions: (any StoreDelegateOptions)?

  /// The usual options.
  public init() {}
}

extension StoreOptions {
  /// Returns the settings of an engine; if it has none here, its usual ones with this `durability` and `busyTimeout`.
  package func settings<Settings: EngineSettings>(orUsual usual: Settings) -> Settings {
    if let settings = engineSettings as? Settings { return settings }
    var settings = usual
    settings.busyTimeout = busyTimeout
    settings.commitsDurably = durability == .full
    return settings
  }

  /// Takes over the settings of an engine, and the `durability` and `busyTimeout` that they name.
  package mutating func take(_ settings: some EngineSettings) {
    durability = settings.commitsDurably ? .full : .normal
    busyTimeout = settings.busyTimeout
    // After these two, which change the former settings.
    engineSettings = settings
  }
}
