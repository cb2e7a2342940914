public import Foundation
import NacreCore

/// How far a quarantine has come.
public struct QuarantineProgress: Sendable {
  /// How many of the cells are done.
  public let done: Int
}

/// What became of the cells that were to be set aside.
public struct QuarantineReport: Sendable, Codable {
  /// What became of each, in the order in which they were given.
  public internal(set) var items: [Item] = []
  /// Whether all are done; false when `progress` has stopped it.
  public internal(set) var isComplete = false

  /// One cell, and what became of it.
  public struct Item: Sendable, Codable, Hashable {
    /// The cell as it was given.
    public let cell: BadCell
    /// What became of it.
    public let outcome: Outcome
  }

  /// What became of a cell; later versions may know more, so that a `switch` needs a `default`.
  public enum Outcome: String, Sendable, Codable, CaseIterable {
    /// The cell lies in quarantine, and its property is nil.
    case cellMoved
    /// The whole row lies in quarantine, for the property may not be nil, and the object is gone.
    case rowMoved
    /// The value is sound, and its blind index was made anew.
    case indexRepaired
    /// The reference led nowhere; it lies in quarantine and is nil, or no longer in the relationship.
    case referenceCleared
    /// The cell is still bad, and stays where it is: it is in the table of a DAO, whose statements may need it there.
    case leftInPlace
    /// The cell is sound by now and was left alone.
    case sound
    /// The object is not there, or no longer.
    case gone
    /// The catalog has no such entity or property, or not one that can be checked.
    case unknown
  }

  /// How many cells had an outcome.
  public func count(_ outcome: Outcome) -> Int { items.count { $0.outcome == outcome } }
}

/// Something that lies in quarantine, without its content.
public struct QuarantinedCell: Sendable, Codable, Hashable {
  /// Its number in the table `nacre_quarantine`.
  public let id: Int64
  /// The entity from which it comes.
  public let entity: String
  /// The object from which it comes.
  public let objectID: UUID
  /// The property that was bad.
  public let property: String
  /// What was wrong; nil where a later version has found what this one does not know.
  public let fault: BadCell.Fault?
  /// Whether the whole row lies there.
  public let isWholeRow: Bool
  /// How many bytes the cell has.
  public let byteCount: Int
  /// When it was moved.
  public let moved: Date
}
