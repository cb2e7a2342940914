public import NacreCore
public import NacreCrypto

/// What a rotation shall do, and how fast.
public struct RotationOptions: Sendable {
  /// When the file is written anew, which takes room for a second one and keeps others from writing meanwhile.
  public enum Vacuum: String, Sendable, CaseIterable {
    /// When remnants of old envelopes are found in it.
    case whenNeeded
    /// In any case.
    case always
    /// Never: remnants are only reported.
    case never
  }

  /// What gets a new key: sealed values, blind indexes, or both.
  public var purposes = Set(KeyPurpose.allCases)
  /// The suite that the new field key seals with; nil gives each key's successor the same.
  public var suite: Suite?
  /// How many rows are written in one transaction at most.
  public var batchSize = 500
  /// How many rows are gone through in a second at most; nil is as fast as it goes.
  public var rowsPerSecond: Double?
  /// When the file is written anew.
  public var vacuum = Vacuum.whenNeeded
  /// Whether nothing is begun, only what was begun before is finished.
  public var onlyResumes = false
  /// How old the primary key must be, in seconds, for anything to be begun; nil is any age.
  public var olderThan: Double?
  /// How long to wait, in seconds, until nobody reads a state of the store from before the rotation.
  public var readerTimeout = 10.0
  /// Columns whose cells neither stop the rotation nor keep an old key enabled that they name, because somebody has
  /// planted them there; none that the catalog calls sealed is left out, and a copy of a DAO's values that can be
  /// sealed anew is.
  public var ignoredColumns: [StoredColumn] = []

  /// The usual options.
  public init() {}
}
