public import NacreUpkeep

/// The changes that opening a store, using its classes and migrating it will make.
public struct MigrationPlan: Sendable, Equatable, CustomStringConvertible {
  /// The names of the migrator's steps that are not done, in order.
  public internal(set) var steps: [String] = []
  /// The entities that are made or get another version.
  public internal(set) var entities: [EntityChange] = []
  /// The properties that are added, renamed, hidden and so on.
  public internal(set) var columns: [ColumnChange] = []
  /// The properties whose rows change how they are sealed.
  public internal(set) var conversions: [SealingChange] = []

  /// Whether there is nothing to change.
  public var isEmpty: Bool {
    steps.isEmpty && entities.isEmpty && columns.isEmpty && conversions.isEmpty
  }

  /// Whether anything changes in existing tables.
  var changesRows: Bool {
    !steps.isEmpty || !columns.isEmpty || !conversions.isEmpty
      || entities.contains { $0.from != nil }
  }

  /// One change a line.
  public var description: String {
    if isEmpty { return "nothing has to be changed" }
    let lines =
      steps.map { "step \($0)" } + entities.map(\.description) + columns.map(\.description)
      + conversions.map(\.description)
    return lines.joined(separator: "\n")
  }
}

/// An entity that is made or gets another version.
public struct EntityChange: Sendable, Equatable, CustomStringConvertible {
  /// The entity.
  public let entity: String
  /// The version in the store; nil if the store does not have the entity.
  public let from: Int?
  /// The class's version.
  public let to: Int

  /// The entity and its change.
  public var description: String {
    "\(entity): " + (from.map { "version \($0) → \(to)" } ?? "new, version \(to)")
  }
}

/// A property whose column or table changes.
public struct ColumnChange: Sendable, Equatable, CustomStringConvertible {
  /// The kind of change to a property.
  public enum Kind: Sendable, Equatable {
    /// It is new, and older rows get its default.
    case added
    /// It was stored under this name.
    case renamed(from: String)
    /// It was taken out of the class before and finds its values again, or a step has added its
    /// column.
    case adopted
    /// The class no longer has it; its values stay in the file.
    case hidden
    /// It may be nil from now on.
    case madeOptional
    /// Its column compares decimals as texts, as earlier versions made it.
    ///
    /// After `migrate` has rebuilt the column, it compares numbers.
    case comparedAsNumber
    /// It is declared differently from how it is stored.
    ///
    /// The entity can't be used without a step or hook that changes it.
    case conflicting(String)
  }

  /// The entity.
  public let entity: String
  /// The property.
  public let property: String
  /// The kind of change.
  public let kind: Kind

  /// The property and its change.
  public var description: String {
    let words =
      switch kind {
      case .added: "added"
      case .renamed(let name): "renamed from \(name)"
      case .adopted: "taken from the column that exists"
      case .hidden: "no longer declared, kept"
      case .madeOptional: "may be nil"
      case .comparedAsNumber: "is compared as a number"
      case .conflicting(let detail): "in conflict: \(detail)"
      }
    return "\(entity).\(property): \(words)"
  }
}
