/// A property whose rows have to be converted, because its class seals it otherwise than it is stored.
public struct SealingChange: Sendable, Equatable, CustomStringConvertible {
  /// The entity.
  public let entity: String
  /// The property.
  public let property: String
  /// How the values lie in the file, in words such as "plain".
  public let stored: String
  /// How they shall lie there, in words such as "sealed, searchable by 16 bits (exact)".
  public let wanted: String
  /// How many rows have been converted already.
  public let done: Int
  /// How many rows there are.
  public let total: Int

  /// The property, and what becomes of it.
  public var description: String { "\(entity).\(property): \(stored) → \(wanted)" }
}

/// How far a conversion has come.
public struct MigrationProgress: Sendable {
  /// The property that is converted.
  public let change: SealingChange
  /// `converting`, `verifying` or `clearing`.
  public let phase: String
  /// How many rows are done in this phase.
  public let done: Int
  /// How many rows there are.
  public let total: Int
}
