// How loaders put children into an object. An observable property is computed: its loaders write to what it is computed
// over, which costs a third and tells no observer of what was stored all along.

extension EntitySchemaBuilder {
  /// Says where a to-one child lies.
  ///
  /// - Parameters:
  ///   - storage: the stored property that holds the child.
  ///   - index: the property's place in the schema; it has been added.
  @inlinable
  public mutating func attach<C: Entity>(
    _ storage: ReferenceWritableKeyPath<E, C?>,
    at index: Int
  ) {
    let relationship = properties[index].relationship
    relationship?.get = { ($0 as? E)?[keyPath: storage].map { [$0] } ?? [] }
    relationship?.attachOne = { owner, object in
      let owner = unsafeDowncast(owner, to: E.self)
      owner[keyPath: storage] = unsafeDowncast(object, to: C.self)
      owner.entityState.changes = 0
    }
  }

  /// Says where to-many children lie.
  ///
  /// - Parameters:
  ///   - storage: the stored property that holds the children.
  ///   - index: the property's place in the schema; it has been added.
  @inlinable
  public mutating func attach<C: Entity>(
    _ storage: ReferenceWritableKeyPath<E, [C]>,
    at index: Int
  ) {
    let relationship = properties[index].relationship
    relationship?.get = { ($0 as? E)?[keyPath: storage] ?? [] }
    relationship?.attachMany = { owner, objects in
      let owner = unsafeDowncast(owner, to: E.self)
      owner[keyPath: storage] = objects.map { unsafeDowncast($0, to: C.self) }
      owner.entityState.changes = 0
    }
  }

  /// Says where a link to one object lies.
  ///
  /// - Parameters:
  ///   - storage: the stored property that holds the link.
  ///   - index: the property's place in the schema; it has been added.
  @inlinable
  public mutating func attach<T: Entity>(
    _ storage: ReferenceWritableKeyPath<E, Link<T>?>,
    at index: Int
  ) {
    let relationship = properties[index].relationship
    relationship?.get = { ($0 as? E)?[keyPath: storage]?.loaded.map { [$0] } ?? [] }
    relationship?.attachOne = { owner, object in
      let owner = unsafeDowncast(owner, to: E.self)
      owner[keyPath: storage] = Link(unsafeDowncast(object, to: T.self))
      owner.entityState.changes = 0
    }
  }

  /// Passes over a property to which nothing is attached.
  @_disfavoredOverload
  @inlinable
  public mutating func attach<V>(_ storage: ReferenceWritableKeyPath<E, V>, at index: Int) {}
}
