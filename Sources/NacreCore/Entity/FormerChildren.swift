import NacreEngine
import NacreStore

/// The children that an object had when it was loaded or last saved, for each property that was set
/// since.
///
/// A save writes the difference from these lists, so that children that others have stored
/// meanwhile stay. A list is taken before the first change, and the save forgets it. An object that
/// is only read pays nothing.
///
/// The lists keep identities, because a strong reference would keep alive a child that was taken
/// out. They also keep the versions of rows that must not be deleted if somebody has changed them.
public struct FormerChildren {
  @usableFromInline
  enum Contents {
    /// The entity's class has no property for the lists, so nothing is noted.
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
    /// The children that had no row: they were never stored, or they were deleted in a transaction
    /// that can still be rolled back.
    private(set) var unstored: [ObjectID] = []
    /// The children as they were loaded, if they or the objects that they own detect conflicts.
    private(set) var loaded: [LoadedChild] = []

    @usableFromInline
    init(index: Int, count: Int) {
      self.index = index
      children.reserveCapacity(count)
    }

    /// Adds the next child.
    ///
    /// - Parameters:
    ///   - state: The child's state.
    ///   - object: The child if the version of its row is to be compared; nil otherwise.
    @usableFromInline
    mutating func add(_ state: EntityState, loaded object: (any Entity)?) {
      guard state.isStored else { return unstored.append(state.identity) }
      children.append(state.identity)
      guard let object else { return }
      loaded.append(LoadedChild(identity: state.identity, version: state.version, object: object))
    }

    /// Returns the list from which the object's own list started.
    ///
    /// A child that had no row counts as added if the object still has it, and as taken out
    /// otherwise.
    func base(of own: [ObjectID]) -> [ObjectID] {
      if unstored.isEmpty { return children }
      let own = Set(own)
      return children + unstored.filter { !own.contains($0) }
    }
  }

  /// A child and the version of its row, which is compared before the row is deleted.
  struct LoadedChild {
    let identity: ObjectID
    let version: Int64
    /// The child itself, which may be refreshed or saved before its parent is.
    weak var object: (any Entity)?
  }

  @usableFromInline var contents: Contents

  /// Makes the state of a new object: nothing was set.
  @inlinable
  public init() { contents = .unchanged }

  @usableFromInline
  init(contents: Contents) { self.contents = contents }

  // MARK: Noting

  /// Notes to-many children before they are changed.
  ///
  /// - Parameters:
  ///   - children: The children before the change.
  ///   - index: The property's place in the schema.
  ///   - state: The owner's state before the change.
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
  ///   - child: The child before the change.
  ///   - index: The property's place in the schema.
  ///   - state: The owner's state before the change.
  @inlinable
  public mutating func note<C: Entity>(
    _ child: C?,
    at index: Int,
    _ state: @autoclosure () -> EntityState
  ) {
    if wants(index, state()) { take(child.map { [$0] } ?? [], index) }
  }

  /// Does nothing for a property that is not a child.
  @_disfavoredOverload
  @inlinable
  public mutating func note<V>(
    _ value: V,
    at index: Int,
    _ state: @autoclosure () -> EntityState
  ) {}

  /// Returns whether this is the first change of the property since the object was loaded or saved.
  ///
  /// The properties from the 64th on share a change bit. So for these, a list that was already
  /// noted stays.
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

  /// Whether the class has a property for the lists; a list that is missing then means that its
  /// property was not set.
  var isKept: Bool { if case .unknown = contents { false } else { true } }

  var isEmpty: Bool { if case .lists = contents { false } else { true } }

  /// Returns the children that a property held before it was set; nil if it was not set.
  @usableFromInline
  func list(at index: Int) -> List? {
    guard case .lists(let lists) = contents else { return nil }
    return lists.first { $0.index == index }
  }

  /// Keeps a property's list and replaces an earlier one.
  @usableFromInline
  mutating func keep(_ list: List) {
    var lists: [List] = []
    if case .lists(let kept) = contents { lists = kept.filter { $0.index != list.index } }
    lists.append(list)
    contents = .lists(lists)
  }

  /// Forgets all lists, except those of properties whose change bits are in `changes`.
  mutating func forget(except changes: UInt64) {
    guard case .lists(let lists) = contents else { return }
    let kept = lists.filter { EntityState.bit($0.index) & changes != 0 }
    contents = kept.isEmpty ? .unchanged : .lists(kept)
  }

  /// Puts back the lists that a save forgot, because that save was rolled back.
  ///
  /// They replace the lists that were noted since, which began later.
  mutating func putBack(_ former: FormerChildren) {
    guard case .lists(let lists) = former.contents else { return }
    for list in lists { keep(list) }
  }
}

extension Entity {
  /// Notes nothing: a save then assumes that the object was loaded with the children that are
  /// stored now.
  public var entityChildren: FormerChildren {
    get { FormerChildren(contents: .unknown) }
    set {}
  }

  /// Notes the children that were not noted yet, before the object moves to another store.
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
      // Leave out the children: their versions are those of the other store's rows.
      for child in children { list.add(child.entityState, loaded: nil) }
      entityChildren.keep(list)
    }
  }
}
