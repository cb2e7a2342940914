public import Foundation
public import NacreCore
public import NacreCrypto

/// What a rotation has done.
public struct RotationReport: Sendable {
  /// How it ended.
  public enum Outcome: String, Sendable, CaseIterable {
    /// Everything stands under the new keys, and the old ones are disabled.
    case finished
    /// There was nothing to be done.
    case nothingToDo
    /// It was asked to stop; the next call goes on.
    case stopped
    /// Something stands in the way: see ``RotationReport/obstacle``.
    case incomplete
  }

  /// What keeps a rotation from its end.
  public enum Obstacle: String, Sendable, CaseIterable {
    /// Somebody reads a state of the store from before it; the next call goes on.
    case reader
    /// Somebody keeps writing values under old keys; the next call goes on.
    case rowsKeepChanging
    /// Values do not open and were left as they are; the keys that they name stay enabled.
    case failedValues
    /// Remnants of old envelopes are still in the file although it was written anew; the old keys stay enabled.
    case remnants
    /// Columns that no rotation goes through hold values under old keys, which stay enabled: see
    /// ``RotationReport/elsewhere``.
    case valuesElsewhere
  }

  static let badCellLimit = 100

  /// How it ended.
  public let outcome: Outcome
  /// What stands in the way of an incomplete one.
  public let obstacle: Obstacle?
  /// Whether it went on with one that had been begun before.
  public let wasResumed: Bool
  /// What was given a new key.
  public let purposes: Set<KeyPurpose>
  /// The keys that were primary.
  public let from: [KeyID]
  /// The keys that took their place.
  public let to: [KeyID]
  /// The keys that nothing needs any more and that are disabled now.
  public let disabled: [KeyID]
  /// How many values this call has sealed anew.
  public let resealed: Int
  /// How many tokens of blind indexes this call has made anew.
  public let reindexed: Int
  /// How many values did not open, as the last pass found them.
  public let failed: Int
  /// Where the first 100 of them are.
  public let badCells: [UnopenedCell]
  /// How many times this call has gone through the tables again.
  public let scans: Int
  /// Whether the file was written anew.
  public let wasVacuumed: Bool
  /// How many remnants of old envelopes are left in the file and its log, beside those that cells hold.
  public let remnants: Int
  /// The columns that no rotation goes through and that hold values under the old keys: those that the catalog does not
  /// call sealed, but for ``RotationOptions/ignoredColumns``.
  public let elsewhere: [KeyUse]
  /// Seconds that the call took.
  public let duration: Double
}

/// The place of a value that can't be used, without its content.
public struct UnopenedCell: Sendable, Hashable {
  /// The entity.
  public let entity: String
  /// The property.
  public let property: String
  /// The object; nil where the row has no objectID of 16 bytes.
  public let objectID: UUID?
  /// The row's rowid, in the table of a DAO; nil in others.
  public let rowID: Int64?
  /// What is wrong with it.
  public let code: NacreError.Code
}
