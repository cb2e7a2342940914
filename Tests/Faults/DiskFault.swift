import CSQLite

/// A call that is to fail.
public struct DiskFault: Sendable {
  /// The kinds of calls that can fail.
  public enum Call: Sendable, CaseIterable {
    case open
    case read
    case write
    case truncate
    /// The sync of a file, or of the directory from which a file was deleted.
    case sync
    case delete
    /// The mapping of a part of a log's index, which lies in memory that processes share.
    case index
  }

  /// How many calls pass before.
  public var number: Int
  /// Which calls are counted.
  public var calls: Set<Call>
  /// Whether all of these calls fail from then on.
  public var lasts: Bool
  /// Whether a write fails because the disk is full.
  public var isFull: Bool
  /// Whether the first half of a failed write reaches the file, by whole sectors.
  public var writesHalf: Bool

  /// Describes a call that is to fail.
  public init(
    _ number: Int,
    of calls: Set<Call> = Set(Call.allCases),
    lasts: Bool = false,
    isFull: Bool = false,
    writesHalf: Bool = false
  ) {
    self.number = number
    self.calls = calls
    self.lasts = lasts
    self.isFull = isFull
    self.writesHalf = writesHalf
  }

  /// SQLite's code of a call that fails.
  func code(of call: Call) -> Int32 {
    switch call {
    case .open: SQLITE_CANTOPEN
    case .read: SQLITE_IOERR | (1 << 8)
    case .write: isFull ? SQLITE_FULL : SQLITE_IOERR | (3 << 8)
    case .sync: SQLITE_IOERR | (4 << 8)
    case .truncate: SQLITE_IOERR | (6 << 8)
    case .delete: SQLITE_IOERR | (10 << 8)
    case .index: SQLITE_IOERR | (21 << 8)
    }
  }
}
