public import NacreCrypto

/// A header of a sealed file that was saved in a file of its own, or put back from there.
public struct HeaderReport: Sendable {
  /// The store whose header it is.
  public let storeID: StoreID
  /// The number of the header's changes, from 1.
  public let sequence: UInt64
  /// Whether a secret was given, with which the header was verified.
  public let isAuthenticated: Bool
  /// Whether anything was written; false if the store has this very header already.
  public let isWritten: Bool
  /// How many pages of the store do not open with the header, or name a key that it lacks.
  public let strangePageCount: Int

  package init(
    _ header: FileHeader,
    isAuthenticated: Bool,
    isWritten: Bool = true,
    strangePageCount: Int = 0
  ) {
    storeID = header.storeID
    sequence = header.sequence
    self.isAuthenticated = isAuthenticated
    self.isWritten = isWritten
    self.strangePageCount = strangePageCount
  }
}
