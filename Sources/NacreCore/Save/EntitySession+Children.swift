import NacreEngine
import NacreStore

/// An object whose children a save may have to write or replace.
struct OwnerChange {
  let owner: any Entity
  /// Whether the object's row was there before the save.
  let wasStored: Bool
  /// Whether the object came from another store and replaces a row that is here.
  var isMoved = false
  let changes: UInt64
  /// The children before they were set.
  let former: FormerChildren

  /// The children in the lists that the save writes.
  var listed: [ObjectID] {
    type(of: owner).entitySchema.properties
      .filter { $0.isOwned && !$0.hasColumn && writes($0) }
      .flatMap { $0.relationship?.get(owner) ?? [] }.map { $0.entityState.identity }
  }

  /// Returns whether the save writes a property's list.
  func writes(_ property: Property) -> Bool {
    !wasStored || changes & EntityState.bit(property.index) != 0
  }

  /// The list from which a property's own list started.
  enum Base {
    case list([ObjectID])
    /// A list of another store, from which the object took these children out.
    case foreign(taken: Set<ObjectID>)
    /// An unknown list; the stored list is assumed instead.
    case stored
    /// The property was not set.
    case unchanged
  }

  func base(of property: Property, _ own: [ObjectID]) -> Base {
    if !wasStored { return .list([]) }
    if !former.isKept { return .stored }
    let former = former.list(at: property.index)
    if isMoved { return .foreign(taken: Set(former?.base(of: own) ?? []).subtracting(own)) }
    if let former { return .list(former.base(of: own)) }
    // From the 64th on, properties share a change bit, so this one need not have been set.
    return property.index < 63 ? .stored : .unchanged
  }
}

extension EntitySession {
  /// Writes an object's changes to its to-many children.
  ///
  /// - Parameters:
  ///   - change: The object, whose own row is already written.
  ///   - cascades: Whether the children's own rows have just been written, too.
  ///   - isNew: Whether all objects of the graph are new.
  /// - Returns: The children that were taken out of relationships that delete such children.
  /// - Throws: The error with which SQLite refuses; `notFound` for an added child without a row.
  func writeChildren(
    _ change: OwnerChange,
    cascades: Bool,
    isNew: Bool
  ) throws -> [Removal] {
    let statements = try statements(for: type(of: change.owner).entitySchema)
    var removals: [Removal] = []
    for property in statements.ownedToMany where change.writes(property) {
      guard let relationship = property.relationship, let sql = statements.relationship(property)
      else {
        continue
      }
      var children: [ObjectID] = []
      for child in relationship.get(change.owner) where !child.isMarkedForDeletion {
        children.append(child.ensuredIdentity)
      }
      let base = change.base(of: property, children)
      if case .unchanged = base { continue }
      let write = ListWrite(
        session: self,
        owner: change.owner.entityState.identity,
        wasStored: change.wasStored,
        property: property,
        statements: statements,
        sql: sql
      )
      var removed: Set<ObjectID> = []
      if sql.joinTable != nil {
        removed = try write.writeJoin(children, base)
      } else if !cascades || !isNew || !children.isIncreasing {
        // New rows with their links need nothing more if they are in the order of their identities.
        removed = try write.writeInverse(children, base, cascades: cascades)
      }
      guard relationship.removalRule == .delete, !removed.isEmpty else { continue }
      // An object of another store has loaded the rows of that store.
      let loaded = change.isMoved ? nil : change.former.list(at: property.index)?.loaded
      removals.append(
        Removal(property: property, children: removed.sorted(), loaded: loaded ?? [])
      )
    }
    return removals
  }
}

extension [ObjectID] {
  /// Whether each element is greater than the one before it, so that none comes twice.
  fileprivate var isIncreasing: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }

  /// The elements, each at its first place.
  fileprivate var withoutRepeats: [ObjectID] {
    var met: Set<ObjectID> = []
    return filter { met.insert($0).inserted }
  }
}

/// The write of one list of one object, which merges the stored list with the object's changes.
private struct ListWrite {
  let session: EntitySession
  let owner: ObjectID
  let wasStored: Bool
  let property: Property
  let statements: EntityStatements
  let sql: RelationshipSQL

  private func statement(
    _ kind: StatementKey.Kind,
    _ text: @autoclosure () -> String
  ) throws -> any PreparedStatement {
    try statements.prepared(StatementKey(kind, property.index), text())
  }

  private func merged(
    _ stored: [ObjectID],
    _ base: OwnerChange.Base,
    _ own: [ObjectID]
  ) -> [ObjectID] {
    switch base {
    case .list(let base): return ListMerge.merged(stored: stored, base: base, own: own)
    case .foreign(let taken):
      // An element that the other store's list had and this store's list lacks is an addition here.
      let known = taken.union(own)
      return ListMerge.merged(stored: stored, base: stored.filter(known.contains), own: own)
    case .stored, .unchanged: return own
    }
  }

  // MARK: In a table of its own

  /// Writes the ordered table of a relationship; rows up to the first difference stay as they are.
  ///
  /// - Returns: The children that were taken out.
  func writeJoin(_ own: [ObjectID], _ base: OwnerChange.Base) throws -> Set<ObjectID> {
    let stored = wasStored ? try storedPositions() : []
    let children = wasStored ? merged(stored.map(\.child), base, own) : own
    // Rewrite a position that is not ours: whoever wrote it to the file may have left no room after
    // it.
    let kept = zip(stored, children)
      .prefix { $0.child == $1 && (0..<Int64(1) << 62).contains($0.position) }.count
    var position = kept == 0 ? 0 : stored[kept - 1].position + 1
    if kept < stored.count {
      let delete = try statement(.deleteFromPosition, sql.deleteFromPosition)
      try owner.bind(to: delete, at: 1)
      try delete.bind(stored[kept].position, at: 2)
      try delete.send(.rows())
    }
    if kept < children.count {
      let insert = try statement(.insertChild, sql.insertChild)
      try owner.bind(to: insert, at: 1)
      for child in children[kept...] {
        try insert.bind(position, at: 2)
        try child.bind(to: insert, at: 3)
        try insert.send(.rows())
        position += 1
      }
    }
    return Set(stored[kept...].map(\.child)).subtracting(children)
  }

  private func storedPositions() throws -> [(position: Int64, child: ObjectID)] {
    let select = try statement(.selectPositions, sql.selectPositions)
    defer { select.reset() }
    try owner.bind(to: select, at: 1)
    var rows: [(Int64, ObjectID)] = []
    while try select.step() {
      rows.append((select.int64(at: 0), try ObjectID.read(from: select, at: 1)))
    }
    return rows
  }

  // MARK: In the children's own rows

  /// Links added children to the owner, clears the links of those that were taken out, and puts all
  /// in order.
  ///
  /// - Returns: The children that were taken out.
  func writeInverse(
    _ own: [ObjectID],
    _ base: OwnerChange.Base,
    cascades: Bool
  ) throws -> Set<ObjectID> {
    var places = try storedPlaces()
    let stored = places.map(\.child)
    var wanted = own.withoutRepeats
    if case .stored = base, cascades {
      // With cascade, the children that were added have their links by now. Those without a link
      // were given away elsewhere.
      let present = Set(stored)
      wanted = wanted.filter(present.contains)
    }
    let children = merged(stored, base, wanted)
    if children == stored { return [] }
    let removed = Set(stored).subtracting(children)
    let clear = StatementKey(.clearInverse, property.index)
    try session.run(clear, sql.clearInverse, owner, removed, statements)
    let added = Set(children).subtracting(stored)
    try session.setInverses(of: added, to: owner, statements, sql)
    places.removeAll { removed.contains($0.child) }
    places += added.sorted().map { ListPlace(nil, $0) }
    try writePositions(children, places)
    return removed
  }

  private func writePositions(_ children: [ObjectID], _ places: [ListPlace]) throws {
    guard let text = sql.setPosition, places.sorted().map(\.child) != children else { return }
    let known = Dictionary(
      places.map { ($0.child, $0.position) },
      uniquingKeysWith: { first, _ in first }
    )
    let update = try statement(.setPosition, text)
    for (child, position) in ListPlace.corrections(children.map { ListPlace(known[$0], $0) }) {
      try child.bind(to: update, at: 1)
      try update.bind(position, at: 2)
      try update.send(.rows())
    }
  }

  /// Returns the children that have a link to the owner, in the order of the list.
  private func storedPlaces() throws -> [ListPlace] {
    let select = try statement(.selectInverse, sql.selectInverse)
    defer { select.reset() }
    try owner.bind(to: select, at: 1)
    var places: [ListPlace] = []
    while try select.step() {
      places.append(ListPlace(select.integer(at: 1), try ObjectID.read(from: select, at: 0)))
    }
    return places.sorted()
  }
}
