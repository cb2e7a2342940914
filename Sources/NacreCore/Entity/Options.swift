import NacreStore

/// How a property's column is made: what `@Column` says.
public struct ColumnOptions: Sendable {
  /// The column's name; nil is the property's.
  public var name: String?
  /// Whether no two objects may have the same value.
  public var isUnique: Bool
  /// Whether the column has an index.
  public var isIndexed: Bool
  /// The value for rows that were stored before the property existed; nil is the property's own
  /// default.
  public var defaultValue: Value?
  /// The property's former name, or that of its column: what is stored under it becomes the property's, and sealed values
  /// are sealed anew, in one transaction when the class is first used.
  ///
  /// Raise the entity's version with it where programs with the former class may go on: they would add a column of the
  /// former name.
  public var renamedFrom: String?
  /// The form in which the column of a Date holds it; ignored for other types.
  public var dates: DateForm

  /// Makes the options; none of them is the usual column.
  public init(
    name: String? = nil,
    isUnique: Bool = false,
    isIndexed: Bool = false,
    defaultValue: Value? = nil,
    renamedFrom: String? = nil,
    dates: DateForm = .real
  ) {
    self.name = name
    self.isUnique = isUnique
    self.isIndexed = isIndexed
    self.defaultValue = defaultValue
    self.renamedFrom = renamedFrom
    self.dates = dates
  }
}

/// The rule for children when their parent is deleted with `cascade: true`.
public enum DeleteRule: Sendable {
  /// They are deleted too, unless something outside the deleted set refers to them.
  case cascade
  /// They stay stored.
  case keep
  /// The delete is refused while there are any.
  case deny
}

/// The rule for a child that was taken out of its relationship, when the parent is saved.
public enum RemovalRule: Sendable {
  /// It stays stored.
  case keep
  /// It is deleted with its own children, unless something else refers to it or the same save puts it elsewhere.
  ///
  /// Where its class detects conflicts, a save throws ``NacreError/Code/conflict`` instead when its row was changed since the
  /// parent was loaded.
  case delete
}

/// How children hang on their parent: what `@Relationship` says.
public struct RelationshipOptions: Sendable {
  /// The rule for the children when the parent is deleted.
  public var deleteRule: DeleteRule
  /// The rule for a child that was taken out.
  public var removalRule: RemovalRule

  /// Makes the options.
  public init(delete deleteRule: DeleteRule = .cascade, removed removalRule: RemovalRule = .keep) {
    self.deleteRule = deleteRule
    self.removalRule = removalRule
  }
}
