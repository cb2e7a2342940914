/// The state of a data key, which decides what it may be used for.
public enum KeyState: UInt8, Sendable, CaseIterable {
  /// Opens, but does not seal until every writer knows the key.
  case pending = 1
  /// Opens and seals. There is one primary field key a suite, and one primary index key in all.
  case primary = 2
  /// Opens, but does not seal.
  case enabled = 3
  /// Neither opens nor seals; its use throws `disabledKey`.
  case disabled = 4
  /// The key is gone; its id is kept so that it is never used again.
  case destroyed = 5
}
