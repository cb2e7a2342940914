import NacreStore

/// A phase of a rotation.
public enum RotationPhase: String, Sendable, CaseIterable {
  /// The ring has the new keys, but nobody seals with them yet.
  case pending
  /// The first pass reseals and reindexes the rows, batch by batch.
  case sealing
  /// Further passes go through the tables until they find nothing left under an old key.
  case scanning
  /// The rotation clears the log and the file of everything that the old keys sealed.
  case clearing
  /// The old keys are disabled.
  case done
}

/// How far a rotation is.
public struct RotationProgress: Sendable, Equatable {
  /// The things that a pass goes through, one after the other.
  public enum Unit: String, Sendable, CaseIterable {
    /// The rows of the tables.
    case rows
    /// The pages of the sealed file.
    case pages
  }

  /// The unit in which progress is counted.
  public let unit: Unit
  /// The phase that the rotation is in.
  public let phase: RotationPhase
  /// The entity whose rows the pass is in; nil outside a table.
  public let entity: String?
  /// How many rows or pages this pass has gone through, including those of earlier calls.
  public let done: Int
  /// About how many rows or pages this pass will go through; others add and delete some meanwhile.
  public let total: Int
  /// How many values or pages did not open in this pass.
  public let failed: Int
  /// How many values or pages this call has resealed.
  public let resealed: Int
  /// How many tokens of blind indexes this call has recomputed.
  public let reindexed: Int
  /// Seconds since the call began.
  public let elapsed: Double
  /// Rows or pages per second since this pass began or resumed; 0 before the first batch.
  public let rowsPerSecond: Double

  /// How many seconds the pass will still take at this rate; nil before the first batch and outside a pass.
  public var secondsLeft: Double? {
    guard rowsPerSecond > 0, phase == .sealing || phase == .scanning else { return nil }
    return Double(max(0, total - done)) / rowsPerSecond
  }
}

/// Whether a rotation goes on.
public enum RotationDirective: Sendable {
  /// Continue.
  case goOn
  /// Stop after this batch; the next call continues.
  case stop
}

extension RotationJournal {
  /// Whether the new keys still have to become primary.
  var isPending: Bool { phase == RotationPhase.pending.rawValue }
}
