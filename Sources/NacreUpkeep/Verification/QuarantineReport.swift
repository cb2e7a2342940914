public import Foundation
import NacreStore

/// How far a quarantine has come.
public struct QuarantineProgress: Sendable {
  /// How many of the cells are done.
  public let done: Int
}

/// The outcomes of a quarantine.
public struct QuarantineReport: Sendable, Codable {
  /// The outcome of each cell, in the order in which the cells were given.
  public internal(set) var items: [Item] = []
  /// Whether all cells are done; false if `progress` stopped the quarantine.
  public internal(set) var isComplete = false

  /// One cell and its outcome.
  public struct Item: Sendable, Codable, Hashable {
    /// The cell as it was given.
    public let cell: BadCell
    /// The outcome of the cell.
    public let outcome: Outcome
  }

  /// The outcome of a cell; later versions may know more, so a `switch` needs a `default`.
  public enum Outcome: String, Sendable, Codable, CaseIterable {
    /// The cell is in quarantine, and its property is nil.
    case cellMoved
    /// The whole row is in quarantine because the property may not be nil, and the object is gone.
    case rowMoved
    /// The value is sound, and its blind index was recomputed.
    case indexRepaired
    /// The reference was dangling; it is in quarantine, and it is now nil or removed from the relationship.
    case referenceCleared
    /// The cell is still bad and stays where it is, because it is in the table of a DAO, whose statements may need it
    /// there.
    case leftInPlace
    /// The cell is sound by now and was left alone.
    case sound
    /// The object does not exist, or no longer.
    case gone
    /// The catalog has no such entity or property, or has one that can't be checked.
    case unknown
  }

  /// How many cells had an outcome.
  public func count(_ outcome: Outcome) -> Int { items.count { $0.outcome == outcome } }
}

/// A cell or row in quarantine, without its content.
public struct QuarantinedCell: Sendable, Codable, Hashable {
  /// Its number in the table `nacre_quarantine`.
  public let id: Int64
  /// The entity from which it comes.
  public let entity: String
  /// The object from which it comes.
  public let objectID: UUID
  /// The property that was bad.
  public let property: String
  /// The fault; nil if a later version found a fault that this one does not know.
  public let fault: BadCell.Fault?
  /// Whether the whole row is in quarantine.
  public let isWholeRow: Bool
  /// How many bytes the cell has.
  public let byteCount: Int
  /// When it was moved.
  public let moved: Date
}
