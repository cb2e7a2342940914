import NacreCore

/// What a rotation is at.
public enum RotationPhase: String, Sendable, CaseIterable {
  /// The new keys are there; nobody seals with them yet.
  case pending
  /// Rows are made anew, batch by batch.
  case sealing
  /// The tables are gone through again, until nothing is left.
  case scanning
  /// The log and the file are cleared of what the old keys had sealed.
  case clearing
  /// The old keys are disabled.
  case done
}

/// How far a rotation is.
public struct RotationProgress: Sendable, Equatable {
  /// What it is at.
  public let phase: RotationPhase
  /// The entity whose rows are gone through; nil outside of a table.
  public let entity: String?
  /// How many rows this pass has gone through, those of earlier calls included.
  public let done: Int
  /// How many rows this pass will go through, about: others add and delete some.
  public let total: Int
  /// How many values did not open in this pass.
  public let failed: Int
  /// How many values this call has sealed anew.
  public let resealed: Int
  /// How many tokens of blind indexes this call has made anew.
  public let reindexed: Int
  /// Seconds since the call.
  public let elapsed: Double
  /// Rows a second since this pass began, or was gone on with; 0 before the first batch.
  public let rowsPerSecond: Double

  /// How many seconds the pass will still take at this rate; nil before the first batch and outside of a pass.
  public var secondsLeft: Double? {
    guard rowsPerSecond > 0, phase == .sealing || phase == .scanning else { return nil }
    return Double(max(0, total - done)) / rowsPerSecond
  }
}

/// Whether a rotation goes on.
public enum RotationDirective: Sendable {
  /// It does.
  case goOn
  /// It ends here, at a batch's edge; the next call goes on.
  case stop
}

extension RotationJournal {
  /// Whether the new keys are still to be made primary.
  var isPending: Bool { phase == RotationPhase.pending.rawValue }
}
