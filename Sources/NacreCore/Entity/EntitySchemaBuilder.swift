import NacreEngine
import NacreStore

/// A collector of an entity's properties, in the order of their declaration.
///
/// Each property has a call of its own, so that the compiler resolves its type separately.
public struct EntitySchemaBuilder<E: Entity> {
  private let name: String
  private let table: String
  private let identifiers: IdentifierVersion
  private let detectsConflicts: Bool
  private let tokenizer: Tokenizer
  @usableFromInline private(set) var properties: [Property] = []

  /// Begins the schema of an entity.
  ///
  /// - Parameters:
  ///   - type: The entity's class.
  ///   - name: The entity's name, which the catalog and sealed values use.
  ///   - table: The table's name; nil for the entity's name.
  ///   - identifiers: The version of UUID that new objects get.
  ///   - detectsConflicts: Whether a save or delete fails if the row was changed since the object
  ///     was loaded.
  ///   - tokenizer: How the full-text index tells the words of texts apart.
  public init(
    _ type: E.Type,
    name: String,
    table: String? = nil,
    identifiers: IdentifierVersion = .v7,
    detectsConflicts: Bool = false,
    tokenizer: Tokenizer = .unicode61
  ) {
    self.name = name
    self.table = table ?? name
    self.identifiers = identifiers
    self.detectsConflicts = detectsConflicts
    self.tokenizer = tokenizer
  }

  /// Returns the finished schema.
  public consuming func build() -> EntitySchema {
    EntitySchema(
      name: name,
      table: table,
      type: E.self,
      identifiers: identifiers,
      detectsConflicts: detectsConflicts,
      tokenizer: tokenizer,
      properties: properties
    )
  }

  mutating func addValue<V, S: StorableValue>(
    _ name: String,
    _ path: ReferenceWritableKeyPath<E, V>,
    _ column: ColumnOptions,
    _ sealing: SealedOptions?,
    _ encode: @escaping (V) -> S,
    _ decode: @escaping (S) -> V
  ) {
    let value = Property.ValueKind(
      form: ValueForm(V.self, storedAs: S.self),
      sealing: sealing,
      isUnique: column.isUnique,
      isIndexed: column.isIndexed,
      check: column.check,
      collation: column.collation,
      isFullText: column.isFullText,
      defaultValue: column.defaultValue,
      initial: { try encode(E()[keyPath: path]).storedValue },
      get: { object in
        guard let object = object as? E else { return .null }
        return try encode(object[keyPath: path]).storedValue
      },
      encode: { value in
        guard let value = value as? V else { throw ValueError.malformed(type: "\(V.self)") }
        return try encode(value).storedValue
      },
      decode: { decode(try S(storedValue: $0)) }
    )
    append(name, path, column, .value(value), PropertyAccess(path, storedAs: S.self, decode))
  }

  @usableFromInline
  mutating func append(
    _ name: String,
    _ path: AnyKeyPath,
    _ column: ColumnOptions,
    _ kind: Property.Kind,
    _ access: PropertyAccess
  ) {
    properties.append(
      Property(
        name: name,
        column: column.name ?? name,
        formerName: column.renamedFrom,
        index: properties.count,
        keyPath: path,
        kind: kind,
        access: access
      )
    )
  }
}

// MARK: - Children and links

extension EntitySchemaBuilder {
  /// Adds a to-one child.
  @inlinable
  public mutating func add<C: Entity>(
    _ name: String,
    _ path: ReferenceWritableKeyPath<E, C?>,
    column: ColumnOptions = .init(),
    relationship: RelationshipOptions = .init()
  ) {
    let child = Property.Relationship(C.self, relationship)
    append(name, path, column, .child(child), PropertyAccess(child: path))
    attach(path, at: properties.count - 1)
  }

  /// Adds ordered to-many children, which are stored in a table of their own.
  @inlinable
  public mutating func add<C: Entity>(
    _ name: String,
    _ path: ReferenceWritableKeyPath<E, [C]>,
    column: ColumnOptions = .init(),
    relationship: RelationshipOptions = .init()
  ) {
    let children = Property.Relationship(C.self, relationship)
    append(name, path, column, .children(children), PropertyAccess(children: path))
    attach(path, at: properties.count - 1)
  }

  /// Adds to-many children that are found by their own link to the parent.
  ///
  /// Their links store the relationship; it is not stored a second time.
  ///
  /// - Parameters:
  ///   - name: The property's name.
  ///   - path: The property.
  ///   - column: The relationship's name, if it differs from the property's.
  ///   - relationship: What happens to the children when the parent is deleted or they are taken
  ///     out.
  ///   - inverse: The child's own link to its parent.
  @inlinable
  public mutating func add<C: Entity>(
    _ name: String,
    _ path: ReferenceWritableKeyPath<E, [C]>,
    column: ColumnOptions = .init(),
    relationship: RelationshipOptions = .init(),
    inverse: ReferenceWritableKeyPath<C, Link<E>?>
  ) {
    let children = Property.Relationship(C.self, relationship, inverse: inverse) { child, owner in
      guard let child = child as? C, let owner = owner as? E else { return nil }
      // Link by objectID alone: a link that held the parent itself would keep the pair alive for
      // ever.
      let former = child[keyPath: inverse]
      let identity = owner.ensuredIdentity
      if former?.identity == identity { return nil }
      child[keyPath: inverse] = Link(identity: identity, store: 0)
      return {
        // Keep a link that the application has set since.
        if child[keyPath: inverse]?.identity != identity { return false }
        child[keyPath: inverse] = former
        return true
      }
    }
    append(name, path, column, .children(children), PropertyAccess(children: path))
    attach(path, at: properties.count - 1)
  }

  /// Adds a link to one object.
  @inlinable
  public mutating func add<T: Entity>(
    _ name: String,
    _ path: ReferenceWritableKeyPath<E, Link<T>?>,
    column: ColumnOptions = .init()
  ) {
    let link = Property.Relationship(T.self, RelationshipOptions(delete: .keep))
    append(name, path, column, .link(link), PropertyAccess(link: path))
    attach(path, at: properties.count - 1)
  }

  /// Adds links to many objects, which are stored in a table of their own, or found by their own
  /// link to this one.
  ///
  /// - Parameters:
  ///   - name: The property's name.
  ///   - path: The property.
  ///   - column: The relationship's name, if it differs from the property's.
  ///   - relationship: The name of the table; links have no rules.
  ///   - inverse: The objects' own link to this one; nil for a table of their own.
  @inlinable
  public mutating func add<T: Entity>(
    _ name: String,
    _ path: ReferenceWritableKeyPath<E, Links<T>>,
    column: ColumnOptions = .init(),
    relationship: RelationshipOptions = .init(),
    inverse: ReferenceWritableKeyPath<T, Link<E>?>? = nil
  ) {
    let options = RelationshipOptions(delete: .keep, table: relationship.table)
    let links = Property.Relationship(T.self, options, inverse: inverse)
    append(name, path, column, .links(links), PropertyAccess(links: path))
  }

  /// Adds the other side of links that the objects' class stores: objects of both classes may link
  /// to any number of the other.
  ///
  /// Both sides read and write the one table, and nothing is stored twice.
  ///
  /// - Parameters:
  ///   - name: The property's name.
  ///   - path: The property.
  ///   - column: Ignored, because nothing in the file has the property's name.
  ///   - inverse: The objects' own links to this one. They have no `inverse` themselves.
  @inlinable
  public mutating func add<T: Entity>(
    _ name: String,
    _ path: ReferenceWritableKeyPath<E, Links<T>>,
    column: ColumnOptions = .init(),
    inverse: ReferenceWritableKeyPath<T, Links<E>>
  ) {
    let options = RelationshipOptions(delete: .keep)
    let links = Property.Relationship(T.self, options, inverse: inverse, isMirror: true)
    append(name, path, column, .links(links), PropertyAccess(links: path))
  }
}
