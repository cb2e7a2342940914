public import Foundation
public import NacreStore
public import NacreCrypto
import NacreEngine

/// The state of a rotation, or of the conversion of a property, as the store's journal has it.
public struct RotationState: Sendable, Equatable {
  /// The kind of work: for a rotation its purposes, `field` and `index`, joined by `+`.
  public let kind: String
  /// The phase, as ``RotationPhase`` names it for a rotation.
  public let phase: String
  /// The keys that were primary before.
  public let from: [KeyID]
  /// The keys that take their place.
  public let to: [KeyID]
  /// The entity whose rows are being processed.
  public let entity: String?
  /// How many rows this pass had gone through when the journal was last updated.
  public let done: Int
  /// About how many rows the pass goes through.
  public let total: Int
  /// How many values did not open.
  public let failed: Int
  /// When the work began.
  public let started: Date
  /// When the journal was last updated.
  public let updated: Date
  /// When the work finished; nil if the next call continues it.
  public let finished: Date?

  init(_ journal: RotationJournal) {
    func date(_ milliseconds: Int64) -> Date {
      Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
    kind = journal.kind
    phase = journal.phase
    from = journal.from
    to = journal.to
    entity = journal.entity
    done = Int(journal.done)
    total = Int(journal.total)
    failed = Int(journal.failed)
    started = date(journal.started)
    updated = date(journal.updated)
    finished = journal.finished.map(date)
  }

  /// A conversion that was undone although the journal had no row that describes it.
  init(takenBack half: HalfConversion) {
    kind = "conversion"
    phase = Conversion.Phase.abandoned.rawValue
    from = []
    to = []
    entity = half.entity.name
    done = 0
    total = 0
    failed = 0
    let now = Date()
    started = now
    updated = now
    finished = now
  }
}

extension Store {
  /// The rotation or conversion that is unfinished, or else the last one, as the journal describes it.
  ///
  /// - Returns: the state; nil if there never was a rotation or conversion.
  /// - Throws: ``NacreError``.
  public func rotationState() throws -> RotationState? {
    try read { try RotationJournal.latest(on: $0.connection).map(RotationState.init) }
  }
}
