public import NacreCrypto

/// The last anchor that was taken of a store, as its file has it.
public struct AnchorDescription: Sendable, Hashable {
  /// Whether the file's word on it is good.
  public enum State: Sendable {
    /// Nobody has looked, for which the store must be unlocked: it is only what the file says.
    case unverified
    /// Its MAC is right.
    case verified
    /// It does not match its MAC, or is no anchor at all.
    case tampered
    /// It is less than one that the open store has seen, or gone: somebody has put it back.
    case older
  }

  /// The anchor that the file holds; nil where that has not the form of one, or is gone.
  public let anchor: Anchor?
  /// Whether that is so.
  public let state: State
}
