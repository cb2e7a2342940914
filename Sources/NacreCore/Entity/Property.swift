import NacreEngine
import NacreStore

/// One stored property of an entity or a record, as the store sees it.
///
/// It is a class, because loaders pass it on at every row and a copy would retain each name, key
/// path and closure.
public final class Property: @unchecked Sendable {
  // Sendable holds: a key path of stored properties captures nothing, and the closures capture only
  // such key paths.

  /// The property's name in Swift.
  public let name: String
  /// The column's name in the table.
  public let column: String
  /// The name under which the property was stored before it was renamed; nil if it never was.
  let formerName: String?
  /// The property's place in the schema.
  package let index: Int
  /// The property in Swift.
  package let keyPath: AnyKeyPath
  let kind: Kind
  /// The access to the value in memory by the property's name.
  let access: PropertyAccess
  /// The relationship of a child or link; nil for a value.
  @usableFromInline let relationship: Relationship?

  init(
    name: String,
    column: String,
    formerName: String? = nil,
    index: Int,
    keyPath: AnyKeyPath,
    kind: Kind,
    access: PropertyAccess
  ) {
    self.name = name
    self.column = column
    self.formerName = formerName
    self.index = index
    self.keyPath = keyPath
    self.kind = kind
    self.access = access
    relationship =
      switch kind {
      case .value: nil
      case .child(let relationship), .children(let relationship), .link(let relationship),
        .links(let relationship):
        relationship
      }
  }

  /// Makes the property of a record; its column has the same name.
  ///
  /// - Parameters:
  ///   - name: The name of the property and its column.
  ///   - index: The property's place among the record's.
  ///   - keyPath: The property.
  ///   - options: What is declared of the column; its default is a stored form.
  ///   - form: What its type says of the values.
  ///   - isKey: Whether the column is one of the primary key.
  ///   - sealing: How the values are sealed; nil if they are not.
  ///   - initial: Returns the stored form of the property's value in a new record.
  ///   - encode: Returns the stored form of a value of the property's type.
  ///   - decode: Returns the value of the property's type.
  package convenience init<R>(
    _ name: String,
    at index: Int,
    _ keyPath: PartialKeyPath<R>,
    _ options: ColumnOptions,
    form: ValueForm,
    isKey: Bool,
    sealing: SealedOptions?,
    initial: @escaping () throws -> Value,
    encode: @escaping (Any) throws -> Value,
    decode: @escaping (Value) throws -> Any?
  ) {
    let value = ValueKind(
      form: form,
      isKey: isKey,
      sealing: sealing,
      isUnique: options.isUnique,
      isIndexed: options.isIndexed,
      check: options.check,
      collation: options.collation,
      defaultValue: options.defaultValue,
      initial: initial,
      get: { _ in .null },
      encode: encode,
      decode: decode
    )
    self.init(
      name: name,
      column: name,
      index: index,
      keyPath: keyPath,
      kind: .value(value),
      access: PropertyAccess(none: type(of: keyPath).valueType)
    )
  }

  @usableFromInline
  enum Kind {
    /// A value in a column.
    case value(ValueKind)
    /// A child in a column that holds its objectID.
    case child(Relationship)
    /// Children in a table of their own, or found by their own link to the parent.
    case children(Relationship)
    /// A reference in a column that holds an objectID.
    case link(Relationship)
    /// References in a table of their own, or found by the target's own link or links.
    case links(Relationship)
  }

  @usableFromInline
  struct ValueKind {
    let form: ValueForm
    /// Whether the column is one of the primary key.
    var isKey = false
    /// How the values are sealed; nil if they are not.
    let sealing: SealedOptions?
    let isUnique: Bool
    let isIndexed: Bool
    /// The condition that every row must fulfil, in SQL.
    let check: String?
    let collation: ColumnCollation?
    /// Whether the entity's full-text index has the column.
    var isFullText = false
    let defaultValue: Value?
    /// Returns the stored form of the property's value in a new object or record.
    let initial: () throws -> Value
    let get: (any Entity) throws -> Value
    /// Returns the stored form of a value of the property's type.
    let encode: (Any) throws -> Value
    /// Returns the value of the property's type; nil if that type is an optional and its value is
    /// nil.
    let decode: (Value) throws -> Any?

    var storageClass: StorageClass { form.storageClass }
    var takesAnyClass: Bool { form.takesAnyClass }
    var isDecimal: Bool { form.isDecimal }

    /// A key is never NULL in the file: SQLite itself replaces the NULL of a generated key.
    var acceptsNull: Bool { form.acceptsNull && !isKey }

    /// Whether the column is declared to compare the texts of decimals as numbers.
    ///
    /// Keys are compared as texts, so that a search compares them as the primary key does.
    var comparesDecimals: Bool { isDecimal && !isKey }
  }

  @usableFromInline
  final class Relationship {
    let target: any Entity.Type
    let deleteRule: DeleteRule
    let removalRule: RemovalRule
    /// The name of the relationship's own table; nil for `Class_property`.
    let table: String?
    /// The target's own `Link` or `Links` to the owner, if these store the relationship.
    let inverse: AnyKeyPath?
    /// Whether the target's own `Links` store the relationship, in their table.
    let isMirror: Bool
    /// Returns the objects that the property holds in memory.
    ///
    /// The schema's builder sets this closure and the next two.
    @exclusivity(unchecked) @usableFromInline var get: (any Entity) -> [any Entity] = { _ in [] }
    /// Sets the property to stored objects of the target's type, without marking the owner as
    /// changed.
    @exclusivity(unchecked) @usableFromInline var attachMany: (AnyObject, [AnyObject]) -> Void = {
      _,
      _ in
    }
    /// Does the same for a relationship to one object.
    @exclusivity(unchecked) @usableFromInline var attachOne: (AnyObject, AnyObject) -> Void = {
      _,
      _ in
    }
    /// Sets the child's own link to its owner; nil if there is no inverse.
    let setInverse: SetInverse?

    /// Sets a child's own link to its owner, and returns what undoes this; nil if the link is
    /// already to that owner.
    ///
    /// What undoes it returns whether the link still was to that owner.
    @usableFromInline typealias SetInverse = (_ child: any Entity, _ owner: any Entity) -> (
      () -> Bool
    )?

    /// Makes a relationship to children, or to objects that the owner only refers to.
    @usableFromInline
    init(
      _ target: any Entity.Type,
      _ options: RelationshipOptions,
      inverse: AnyKeyPath? = nil,
      isMirror: Bool = false,
      setInverse: SetInverse? = nil
    ) {
      self.target = target
      table = options.table
      self.isMirror = isMirror
      deleteRule = options.deleteRule
      removalRule = options.removalRule
      self.inverse = inverse
      self.setInverse = setInverse
    }
  }

  /// Whether the property is a column of the entity's table.
  var hasColumn: Bool {
    switch kind {
    case .value, .child, .link: true
    case .children, .links: false
    }
  }

  /// Whether the property is the other side of links that another class stores, so that nothing in
  /// the file is its own.
  var isMirror: Bool { relationship?.isMirror == true }

  /// How the property's values are sealed; nil if they are not.
  var sealing: SealedOptions? {
    if case .value(let value) = kind { value.sealing } else { nil }
  }

  /// Returns the links that the property holds in an object, or nil if it holds something else.
  func pendingLinks(of object: any Entity) -> (any PendingLinks)? {
    access.get(object) as? any PendingLinks
  }

  /// Whether the property can be nil.
  var acceptsNull: Bool {
    if case .value(let value) = kind { value.acceptsNull } else { true }
  }

  /// The value in a plain column; nil if the column is sealed or the property is no value.
  private var plain: ValueKind? {
    if case .value(let value) = kind, value.sealing == nil { value } else { nil }
  }

  /// The form of the dates in a plain column; nil if the column is sealed or holds no dates.
  var dateForm: DateForm? { plain?.form.dateForm }

  /// The declared collation of the property's column; nil for the usual one, and for decimals, which
  /// have one of their own.
  var collation: ColumnCollation? {
    if case .value(let kind) = kind, !kind.comparesDecimals { kind.collation } else { nil }
  }

  /// Whether no two rows may have the same value.
  package var isUnique: Bool {
    if case .value(let value) = kind {
      value.isUnique || value.sealing?.isUnique == true
    } else {
      false
    }
  }

  /// Whether the full-text index has the property; a sealed property is in none.
  var isFullText: Bool { plain?.isFullText == true }

  /// Whether a plain column holds decimals.
  package var holdsDecimals: Bool { plain?.isDecimal == true }

  /// Whether a plain column holds integers.
  var holdsIntegers: Bool {
    plain.map { !$0.takesAnyClass && $0.storageClass == .integer } ?? false
  }

  /// Whether a plain column is declared to compare the texts of decimals as numbers.
  var comparesDecimals: Bool { plain?.comparesDecimals == true }

  /// The hidden column of the property's blind index; nil if there is none.
  package var indexColumn: String? {
    sealing?.indexBits == nil ? nil : SealedColumns.indexColumn(of: column)
  }

  /// Whether the property's values are sealed.
  public var isSealed: Bool {
    sealing != nil
  }

  /// Whether the property's objects are owned: they are loaded, saved and deleted with their
  /// parent.
  var isOwned: Bool {
    switch kind {
    case .child, .children: true
    case .value, .link, .links: false
    }
  }
}
