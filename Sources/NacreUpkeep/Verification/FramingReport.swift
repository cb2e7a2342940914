public import NacreStore
public import NacreCrypto

/// A sealed store's files as they show from outside: where things lie, and under which keys.
///
/// Nobody has authenticated any of it unless ``isAuthenticated`` says so.
public struct FramingReport: Sendable {
  /// The path of the file.
  public let path: String
  /// The store's id.
  public let storeID: StoreID
  /// The size of a page in bytes.
  public let pageByteCount: Int
  /// The two copies of the header.
  public internal(set) var copies: [HeaderCopy] = []
  /// The slots in the header, by id.
  public internal(set) var slots: [SlotDescription] = []
  /// The file keys in the header, by id, with what names them.
  public internal(set) var keys: [KeyUse] = []
  /// How many whole pages the file has.
  public internal(set) var pageCount = 0
  /// How many of them are under a key that opens, or do open, if a secret was given.
  public internal(set) var soundPageCount = 0
  /// The log; nil if there is none, or none with a whole header.
  public internal(set) var log: Log?
  /// The size of the rollback journal in bytes; 0 if there is none.
  public internal(set) var journalByteCount = 0
  /// The first pages, and frames of the log, that can't be pages of this store, or do not open.
  public internal(set) var badPages: [BadPage] = []
  /// How many there are.
  public internal(set) var badPageCount = 0
  /// The other faults, and the work that was begun and is not done.
  public internal(set) var faults: [StoreFault] = []
  /// Whether a secret was given, so that the header's MAC was verified and every page opened.
  public internal(set) var isAuthenticated = false

  /// Whether nothing is wrong with what was looked at.
  public var isSound: Bool {
    badPageCount == 0 && faults.allSatisfy { $0.kind == .unfinished }
  }

  /// One of the two copies of a header.
  public struct HeaderCopy: Sendable, Equatable {
    /// The number of the header's changes, by which the newer copy is known; nil if the copy was damaged.
    public let sequence: UInt64?
    /// Whether the copy has the same bytes as the other one.
    public let isLikeOther: Bool
  }

  /// A file key, and how much names it.
  public struct KeyUse: Sendable {
    /// The key.
    public let key: KeyDescription
    /// How many pages of the file name it.
    public internal(set) var pageCount = 0
    /// How many frames of the log name it.
    public internal(set) var frameCount = 0
  }

  /// A write-ahead log.
  public struct Log: Sendable, Equatable {
    /// The store that its header names, in hex digits.
    public let storeID: String
    /// The two salts by which its frames are known from those of an earlier log, as 16 hex digits.
    public let salts: String
    /// How many frames have these salts, from the first one on, committed or not.
    public let frameCount: Int
  }

  init(path: String, storeID: StoreID, pageByteCount: Int) {
    self.path = path
    self.storeID = storeID
    self.pageByteCount = pageByteCount
  }
}
