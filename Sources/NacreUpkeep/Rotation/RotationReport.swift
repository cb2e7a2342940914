public import Foundation
public import NacreStore
public import NacreCrypto

/// The results of one call of a rotation.
public struct RotationReport: Sendable {
  /// How a rotation ended.
  public enum Outcome: String, Sendable, CaseIterable {
    /// All values and indexes use the new keys, and the old keys are disabled.
    case finished
    /// There was nothing to be done.
    case nothingToDo
    /// `progress` stopped it, or its task was cancelled; the next call continues.
    case stopped
    /// Something prevents its end: see ``RotationReport/obstacle``.
    case incomplete
  }

  /// The reason why a rotation could not finish.
  public enum Obstacle: String, Sendable, CaseIterable {
    /// A reader still holds a state of the store from before the rotation; the next call continues.
    case reader
    /// Another program keeps writing values under old keys; the next call continues.
    case rowsKeepChanging
    /// Some values do not open. The rotation left them as they are, and the keys that they name stay enabled.
    case failedValues
    /// Remnants of old envelopes are still in the file although the rotation rewrote it; the old keys stay enabled.
    case remnants
    /// Columns that no rotation goes through hold values under old keys. Those keys stay enabled: see
    /// ``RotationReport/elsewhere``.
    case valuesElsewhere
    /// Some pages of the sealed file do not open. They were left as they are, and the former file key stays enabled.
    case failedPages
  }

  static let badCellLimit = 100

  /// How the rotation ended.
  public internal(set) var outcome: Outcome
  /// The reason why an incomplete rotation did not finish; nil for any other outcome.
  public internal(set) var obstacle: Obstacle?
  /// Whether this call continued a rotation that was begun before.
  public internal(set) var wasResumed = false
  /// The purposes that got a new key.
  public internal(set) var purposes: Set<KeyPurpose> = []
  /// The keys that were primary before.
  public internal(set) var from: [KeyID] = []
  /// The keys that took their place.
  public internal(set) var to: [KeyID] = []
  /// The keys that this call disabled because nothing needs them any more.
  public internal(set) var disabled: [KeyID] = []
  /// How many values this call has resealed.
  public internal(set) var resealed = 0
  /// How many tokens of blind indexes this call has recomputed.
  public internal(set) var reindexed = 0
  /// How many pages of the sealed file this call has sealed anew.
  public internal(set) var resealedPages = 0
  /// The numbers of the first 100 pages of the sealed file that did not open.
  public internal(set) var badPages: [UInt32] = []
  /// How many values or pages did not open in the last pass.
  public internal(set) var failed = 0
  /// The places of the first 100 values that did not open.
  public internal(set) var badCells: [UnopenedCell] = []
  /// How many times this call has gone through the tables again.
  public internal(set) var scans = 0
  /// Whether this call rewrote the file.
  public internal(set) var wasVacuumed = false
  /// How many remnants of old envelopes are left in the file and its log, not counting envelopes in cells.
  ///
  /// On a server nobody can count them, and this is 0.
  public internal(set) var remnants = 0
  /// Whether the store is on a server, whose dead rows, log, replicas and backups may keep old envelopes.
  ///
  /// With ``RotationOptions/vacuum`` `always` the tables are written anew without the dead rows.
  public internal(set) var isOnServer = false
  /// The columns that hold values under the old keys and that no rotation goes through: the catalog does not call them
  /// sealed, and they are not among ``RotationOptions/ignoredColumns``.
  public internal(set) var elsewhere: [KeyUse] = []
  /// The duration of the call in seconds.
  public internal(set) var duration = 0.0
}

/// The place of a value that can't be used, without its content.
public struct UnopenedCell: Sendable, Hashable {
  /// The entity.
  public let entity: String
  /// The property.
  public let property: String
  /// The object; nil if the row has no objectID of 16 bytes.
  public let objectID: UUID?
  /// The rowid of a row in a DAO's table; nil in other tables.
  public let rowID: Int64?
  /// The reason why the value can't be used.
  public let code: NacreError.Code
}
