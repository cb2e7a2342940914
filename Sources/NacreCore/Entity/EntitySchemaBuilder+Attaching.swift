// How loaders put children into an object. An observable property is computed over a stored one,
// and loaders write to the stored one. That costs a third of a write to the computed one, and no
// observer is told of a value that was stored all along.

extension EntitySchemaBuilder {
  /// Sets the stored property that holds a to-one child.
  ///
  /// - Parameters:
  ///   - storage: The stored property that holds the child.
  ///   - index: The index of the property in the schema, to which it has already been added.
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

  /// Sets the stored property that holds to-many children.
  ///
  /// - Parameters:
  ///   - storage: The stored property that holds the children.
  ///   - index: The index of the property in the schema, to which it has already been added.
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

  /// Sets the stored property that holds a link to one object.
  ///
  /// - Parameters:
  ///   - storage: The stored property that holds the link.
  ///   - index: The index of the property in the schema, to which it has already been added.
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

  /// Does nothing: loaders attach nothing to a property of another type.
  @_disfavoredOverload
  @inlinable
  public mutating func attach<V>(_ storage: ReferenceWritableKeyPath<E, V>, at index: Int) {}
}
