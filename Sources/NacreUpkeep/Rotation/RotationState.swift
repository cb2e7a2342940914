public import Foundation
public import NacreCore
public import NacreCrypto
import NacreSQLite

/// What the store's journal says of its rotation, or of the conversion of a property.
public struct RotationState: Sendable, Equatable {
  /// What it is: of a rotation, the purposes `field` and `index`, joined by `+`.
  public let kind: String
  /// What it is at, as ``RotationPhase`` names it.
  public let phase: String
  /// The keys that were primary.
  public let from: [KeyID]
  /// The keys that take their place.
  public let to: [KeyID]
  /// The entity whose rows it goes through.
  public let entity: String?
  /// How many rows this pass has gone through, when the journal was last moved.
  public let done: Int
  /// How many rows the pass goes through, about.
  public let total: Int
  /// How many values did not open.
  public let failed: Int
  /// When it was begun.
  public let started: Date
  /// When the journal was last moved.
  public let updated: Date
  /// When it was finished; nil for one that goes on with the next call.
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

  /// A conversion that was taken back without a row that says what it was.
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
  /// What the journal says of the rotation or conversion that goes on, or else of the last one.
  ///
  /// - Returns: nil where there never was one.
  /// - Throws: ``NacreError``.
  public func rotationState() throws -> RotationState? {
    try read { try RotationJournal.latest(on: $0.connection).map(RotationState.init) }
  }
}
