import NacreStore
import NacreEngine

/// The work that is going on in a store, or that was begun and can be continued.
public struct StoreWork: Sendable {
  /// The unfinished rotation or conversion, or else the last one; nil if there never was one.
  public let rotation: RotationState?
  /// The process that rotates or migrates the store at this moment, as it names itself; nil if there is none.
  public let runner: String?
  /// The conversions of properties that were begun and are not done.
  public let conversions: [Conversion]
  /// How many cells and rows are in quarantine.
  public let quarantinedCount: Int

  /// A property whose rows are being converted.
  public struct Conversion: Sendable, Equatable {
    /// The entity.
    public let entity: String
    /// The property.
    public let property: String
    /// Its phase, as the journal names it.
    public let phase: String
    /// How many rows are done in this phase.
    public let done: Int
    /// About how many rows there are.
    public let total: Int
  }
}

extension StoreInspection {
  /// The work that is going on in the store; no secret is needed.
  ///
  /// - Throws: ``NacreError``.
  public func work() throws -> StoreWork {
    try reading {
      let unfinished = try RotationJournal.unfinished(on: connection)
      return StoreWork(
        rotation: try RotationJournal.latest(on: connection).map(RotationState.init),
        runner: try RotationLock.holder(path, on: connection),
        conversions: unfinished.compactMap { work in
          guard let place = work.place else { return nil }
          return StoreWork.Conversion(
            entity: place.entity,
            property: place.property,
            phase: work.phase,
            done: Int(work.done),
            total: Int(work.total)
          )
        },
        quarantinedCount: try connection.has("nacre_quarantine")
          ? connection.rowCount(of: "nacre_quarantine") : 0
      )
    }
  }
}
