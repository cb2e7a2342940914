public import NacreStore
public import NacreCrypto

/// Options for a rotation: what to rotate, and how fast.
public struct RotationOptions: Sendable {
  /// When to rewrite the file (`VACUUM`), which takes room for a second copy and blocks other writers meanwhile.
  ///
  /// On a server, whose files nobody can search, it rewrites the tables only with `always`; it blocks readers, too.
  public enum Vacuum: String, Sendable, CaseIterable {
    /// If the file contains remnants of old envelopes.
    case whenNeeded
    /// Always.
    case always
    /// Never; the report only counts the remnants.
    case never
  }

  /// The purposes that get a new key: sealed values and blind indexes by default.
  ///
  /// `file` gives a sealed file a new key, after the others, and seals its pages anew.
  public var purposes = Set(KeyPurpose.ofRing)
  /// The suite of the new field key, not of a file key; nil gives each successor the suite of the key that it replaces.
  public var suite: Suite?
  /// The largest number of rows that one transaction writes; nil for 500 in a file, and 2,000 on a server, where each
  /// transaction has to wait for answers.
  public var batchSize: Int?
  /// The largest number of rows, or of a file's pages, that a pass goes through in a second; nil for no limit.
  public var rowsPerSecond: Double?
  /// When to rewrite the file.
  public var vacuum = Vacuum.whenNeeded
  /// Whether to finish only a rotation that was begun before, and begin none.
  public var onlyResumes = false
  /// The age in seconds that the primary key must have before a rotation begins; nil for any age.
  public var olderThan: Double?
  /// How long to wait, in seconds, until nobody reads a state of the store from before the rotation.
  public var readerTimeout = 10.0
  /// Columns whose envelopes the rotation leaves as they are, because somebody has planted them.
  ///
  /// These envelopes neither stop the rotation nor keep the old keys enabled that they name. A
  /// column that the rotation can reseal is resealed even if it is named here: one that the catalog
  /// calls sealed, or one that holds a copy of a DAO's values. So the option has an effect only on
  /// columns that no rotation reaches.
  public var ignoredColumns: [StoredColumn] = []

  /// The usual options.
  public init() {}
}
