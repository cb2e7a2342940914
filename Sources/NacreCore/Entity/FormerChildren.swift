/// What an object's children were when it was loaded or last saved, for each property that was set since.
///
/// A save writes the difference from that, so that what others have stored meanwhile stays. It is taken before the first
/// change and forgotten by the save: an object that is only read pays nothing. Only identities are kept, for a reference
/// would keep alive what was taken out.
public struct FormerChildren {
  @usableFromInline
  enum Contents {
    /// Nobody notes anything: the entity's class has no place for it.
    case unknown
    /// No property was set.
    case unchanged
    /// One list for each property that was set.
    case lists([List])
  }

  @usableFromInline
  struct List {
    @usableFromInline let index: Int
    @usableFromInline let children: [ObjectID]

    @usableFromInline
    init(index: Int, children: [ObjectID]) {
      self.index = index
      self.children = children
    }
  }

  @usableFromInline var contents: Contents

  /// Makes what a new object has: nothing was set.
  @inlinable
  public init() { contents = .unchanged }

  @usableFromInline
  init(contents: Contents) { self.contents = contents }

  // MARK: Noting

  /// Notes to-many children before they are changed.
  ///
  /// - Parameters:
  ///   - children: the children as they still are.
  ///   - index: the property's place in the schema.
  ///   - state: the owner's state, from before the change.
  @inlinable
  public mutating func note<C: Entity>(
    _ children: [C],
    at index: Int,
    _ state: @autoclosure () -> EntityState
  ) {
    if wants(index, state()) { take(children, index) }
  }

  /// Notes a to-one child before it is changed.
  ///
  /// - Parameters:
  ///   - child: the child as it still is.
  ///   - index: the property's place in the schema.
  ///   - state: the owner's state, from before the change.
  @inlinable
  public mutating func note<C: Entity>(
    _ child: C?,
    at index: Int,
    _ state: @autoclosure () -> EntityState
  ) {
    if wants(index, state()) { take(child.map { [$0] } ?? [], index) }
  }

  /// Passes over a property that is no child.
  @_disfavoredOverload
  @inlinable
  public mutating func note<V>(
    _ value: V,
    at index: Int,
    _ state: @autoclosure () -> EntityState
  ) {}

  /// Whether this is the first change since the object was loaded or saved.
  ///
  /// The properties from the 64th on share a bit: of these, the first one that is noted stays.
  @inlinable
  func wants(_ index: Int, _ state: EntityState) -> Bool {
    guard state.isStored || state.store != 0 else { return false }
    return state.changes & EntityState.bit(index) == 0 || index >= 63 && list(at: index) == nil
  }

  @inline(never)
  @inlinable
  mutating func take<C: Entity>(_ children: [C], _ index: Int) {
    var stored: [ObjectID] = []
    stored.reserveCapacity(children.count)
    // One without a row is in no stored list: when it gets one, it is an addition.
    for child in children where child.entityState.isStored {
      stored.append(child.entityState.identity)
    }
    keep(stored, index)
  }

  // MARK: The lists

  /// Whether the class has a place for it, so that what is not here was not set.
  var isKept: Bool { if case .unknown = contents { false } else { true } }

  var isEmpty: Bool { if case .lists = contents { false } else { true } }

  /// What a property held before it was set; nil where it was not.
  @usableFromInline
  func list(at index: Int) -> [ObjectID]? {
    guard case .lists(let lists) = contents else { return nil }
    return lists.first { $0.index == index }?.children
  }

  /// Keeps a property's list in place of the one that may be there.
  @usableFromInline
  mutating func keep(_ children: [ObjectID], _ index: Int) {
    var lists: [List] = []
    if case .lists(let kept) = contents { lists = kept.filter { $0.index != index } }
    lists.append(List(index: index, children: children))
    contents = .lists(lists)
  }

  /// Forgets the lists of all properties but those whose change bits are in `changes`.
  mutating func forget(except changes: UInt64) {
    guard case .lists(let lists) = contents else { return }
    let kept = lists.filter { EntityState.bit($0.index) & changes != 0 }
    contents = kept.isEmpty ? .unchanged : .lists(kept)
  }

  /// Puts back what a save forgot that is rolled back; what was noted since then began later.
  mutating func putBack(_ former: FormerChildren) {
    guard case .lists(let lists) = former.contents else { return }
    for list in lists { keep(list.children, list.index) }
  }
}

extension Entity {
  /// Nothing is noted: a save then takes what is stored for what was loaded.
  public var entityChildren: FormerChildren {
    get { FormerChildren(contents: .unknown) }
    set {}
  }

  /// Notes the children that were not noted yet, before the object goes to another store.
  func noteChildren() {
    let schema = Self.entitySchema
    guard schema.manyMask | schema.removingMask != 0, entityChildren.isKept else { return }
    for property in schema.properties where property.isOwned {
      guard let relationship = property.relationship,
        !property.hasColumn || relationship.removalRule == .delete,
        entityState.changes & EntityState.bit(property.index) == 0
          || entityChildren.list(at: property.index) == nil
      else { continue }
      let children = relationship.get(self).filter { $0.isStored }
      entityChildren.keep(children.map { $0.entityState.identity }, property.index)
    }
  }
}
