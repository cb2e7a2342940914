import NacreStore

/// A count of what an export has written, or an import has stored.
public struct TransferReport: Sendable, Codable, Equatable {
  /// How many objects were written or stored, by entity; skipped objects are not counted.
  public internal(set) var objects: [String: Int] = [:]
  /// How many rows of to-many relationships were written or stored.
  public internal(set) var joinCount = 0
  /// How many objects were stored already and left as they are.
  public internal(set) var skippedCount = 0
  /// How many objects were stored already and replaced.
  public internal(set) var replacedCount = 0
  /// The tables, by name, that an export of everything leaves out because their rows have no objectID: those of DAOs, of
  /// records without a sealed property, and of the application's own SQL.
  public internal(set) var leftOut: [String] = []

  /// How many objects were written or stored in all.
  public var objectCount: Int { objects.values.reduce(0, +) }
}

/// The ways to treat an imported object that is stored already.
public enum ExistingObjects: String, Sendable, CaseIterable {
  /// Imports nothing at all.
  case refuse
  /// Leaves the stored object as it is, with its relationships.
  case skip
  /// Sets the object's properties and to-many relationships to those of the lines; references to the object stay.
  case replace
}
