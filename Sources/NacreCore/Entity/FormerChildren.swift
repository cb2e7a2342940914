import NacreStore

/// The children that an object had when it was loaded or last saved, for each property that was set
/// since.
///
/// A save writes the difference from that, so that what others have stored meanwhile stays. It is taken before the first
/// change and forgotten by the save: an object that is only read pays nothing. A strong reference would keep alive what was
/// taken out, so identities are kept, and the versions of rows that must not be deleted when somebody has changed them.
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
    /// The children that had rows, in order.
    @usableFromInline private(set) var children: [ObjectID] = []
    /// Those that had none: some never had, and some were deleted in a transaction that can still be rolled back.
    private(set) var unstored: [ObjectID] = []
    /// The children as they were loaded, where they or what they own detect conflicts.
    private(set) var loaded: [LoadedChild] = []

    @usableFromInline
    init(index: Int, count: Int) {
      self.index = index
      children.reserveCapacity(count)
    }

    /// Adds the next child.
    ///
    /// - Parameters:
    ///   - state: the child's state.
    ///   - object: the child, where the version of its row is to be compared.
    @usableFromInline
    mutating func add(_ state: EntityState, loaded object: (any Entity)?) {
      guard state.isStored else { return unstored.append(state.identity) }
      children.append(state.identity)
      guard let object else { return }
      loaded.append(LoadedChild(identity: state.identity, version: state.version, object: object))
    }

    /// The list from which an object's own one started: a child that had no row is an addition while the object has it, and
    /// was taken out otherwise.
    func base(of own: [ObjectID]) -> [ObjectID] {
      if unstored.isEmpty { return children }
      let own = Set(own)
      return children + unstored.filter { !own.contains($0) }
    }
  }

  /// A child and the version of its row, to be compared before the row is deleted.
  struct LoadedChild {
    let identity: ObjectID
    let version: Int64
    /// The object, which may be refreshed or saved before its parent is.
    weak var object: (any Entity)?
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
    let comparesVersions = C.entitySchema.reachesVersions
    var list = List(index: index, count: children.count)
    for child in children { list.add(child.entityState, loaded: comparesVersions ? child : nil) }
    keep(list)
  }

  // MARK: The lists

  /// Whether the class has a place for it, so that what is not here was not set.
  var isKept: Bool { if case .unknown = contents { false } else { true } }

  var isEmpty: Bool { if case .lists = contents { false } else { true } }

  /// Returns the children that a property held before it was set; nil if it was not set.
  @usableFromInline
  func list(at index: Int) -> List? {
    guard case .lists(let lists) = contents else { return nil }
    return lists.first { $0.index == index }
  }

  /// Keeps a property's list in place of the one that may be there.
  @usableFromInline
  mutating func keep(_ list: List) {
    var lists: [List] = []
    if case .lists(let kept) = contents { lists = kept.filter { $0.index != list.index } }
    lists.append(list)
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
    for list in lists { keep(list) }
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
      let children = relationship.get(self)
      var list = FormerChildren.List(index: property.index, count: children.count)
      // The versions are those of the other store's rows.
      for child in children { list.add(child.entityState, loaded: nil) }
      entityChildren.keep(list)
    }
  }
}
