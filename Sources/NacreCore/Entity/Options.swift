import NacreEngine
import NacreStore

/// The options of a property's column, as `@Column` declares them.
public struct ColumnOptions: Sendable {
  /// The column's name; nil for the property's name.
  public var name: String?
  /// Whether no two objects may have the same value.
  public var isUnique: Bool
  /// Whether the column has an index.
  public var isIndexed: Bool
  /// The value for rows that were stored before the property existed; nil for the property's own
  /// default.
  public var defaultValue: Value?
  /// The property's former name, or the former name of its column.
  ///
  /// The values that are stored under that name become the property's, and sealed values are sealed
  /// anew. Both happen in one transaction when the class is first used.
  ///
  /// Also raise the entity's version if programs with the former class may keep running: they would
  /// add a column of the former name again.
  public var renamedFrom: String?
  /// The form in which a column holds a Date; ignored for other types.
  public var dates: DateForm
  /// A condition in SQL that every row must fulfil, such as `age >= 0`; nil for none.
  ///
  /// It becomes the CHECK of the column when the column is made. A column that is there already
  /// keeps what it has. A column that is rebuilt, because its property has become optional or got
  /// another type, loses its CHECK.
  public var check: String?
  /// The rule by which SQL compares the column's texts; nil for ``ColumnCollation/binary``.
  ///
  /// It holds for conditions, orders and unique columns. The column gets it when the column is made;
  /// a column that is there already keeps its own. Decimals are compared as numbers in any case.
  public var collation: ColumnCollation?
  /// Whether the entity's full-text index has the property, which holds a text that is not sealed.
  ///
  /// `search` finds objects by the words of these properties. The index is made, or changed, when the
  /// class is used, with the texts of the rows that are there. It keeps the texts a second time, beside
  /// their words.
  public var isFullText: Bool

  /// Makes the options; without arguments they describe a usual column.
  public init(
    name: String? = nil,
    isUnique: Bool = false,
    isIndexed: Bool = false,
    defaultValue: Value? = nil,
    renamedFrom: String? = nil,
    dates: DateForm = .real,
    check: String? = nil,
    collation: ColumnCollation? = nil,
    isFullText: Bool = false
  ) {
    self.name = name
    self.isUnique = isUnique
    self.isIndexed = isIndexed
    self.defaultValue = defaultValue
    self.renamedFrom = renamedFrom
    self.dates = dates
    self.check = check
    self.collation = collation
    self.isFullText = isFullText
  }
}

/// The rule for children when their parent is deleted with `cascade: true`.
public enum DeleteRule: Sendable {
  /// They are deleted too, unless something outside the deleted set refers to them.
  case cascade
  /// They are deleted too, although links refer to them; these links become nil.
  ///
  /// A child stays if another object outside the deleted set has it as a child, too.
  case cascadeNullifyingLinks
  /// They stay stored.
  case keep
  /// The delete is refused while there are any.
  case deny
}

/// The rule for a child that was taken out of its relationship, when the parent is saved.
public enum RemovalRule: Sendable {
  /// It stays stored.
  case keep
  /// It is deleted with its own children, unless something else refers to it or the same save puts
  /// it elsewhere.
  ///
  /// If its class detects conflicts and its row was changed since the parent was loaded, the save
  /// throws ``NacreError/Code/conflict`` instead.
  case delete
}

/// The options of a relationship, as `@Relationship` declares them.
public struct RelationshipOptions: Sendable {
  /// The rule for the children when the parent is deleted.
  public var deleteRule: DeleteRule
  /// The rule for a child that was taken out of the relationship.
  public var removalRule: RemovalRule
  /// The name of the table that stores a to-many relationship; nil for `Class_property`.
  ///
  /// A property that gets a name, or another one, takes its table along.
  public var table: String?

  /// Makes the options.
  public init(
    delete deleteRule: DeleteRule = .cascade,
    removed removalRule: RemovalRule = .keep,
    table: String? = nil
  ) {
    self.deleteRule = deleteRule
    self.removalRule = removalRule
    self.table = table
  }
}
