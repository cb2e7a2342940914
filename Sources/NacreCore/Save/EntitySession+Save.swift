import Foundation
import NacreEngine
import NacreStore

extension EntitySession {
  /// Runs a save or delete in a transaction of its own, if none is open.
  ///
  /// In an open transaction, the save or delete undoes its own changes if it fails.
  package func saving<T>(_ body: () throws -> T) throws -> T {
    if connection.isInTransaction { return try body() }
    return try database.transaction(.immediate) { _ in try owningTransaction(body) }
  }

  /// Runs a save or delete in a transaction that was begun for it alone.
  @inline(__always)
  func owningTransaction<T>(_ body: () throws -> T) throws -> T {
    ownsTransaction = true
    defer { ownsTransaction = false }
    return try body()
  }

  /// Stores an object, with its graph if `cascade` is true.
  func save(_ root: any Entity, cascade: Bool) throws {
    let state = root.entityState
    if state.isMarkedForDeletion { return try delete(root, cascade: cascade) }
    let schema = type(of: root).entitySchema
    if schema.isFlat {
      if state.isStored && state.changes == 0 { return }
      // It is one statement, and there is no graph to walk through.
      if undoesFailedStatements { return try write(root, state, statements(for: schema)) }
      return try atomically(.statement) { try write(root, state, statements(for: schema)) }
    }
    let walk = borrowWalk(cascade ? .cascade : .rowOnly)
    defer { returnWalk(walk) }
    let mark = database.undoMark
    do {
      let work = try collect(root, walk)
      if work.isEmpty { return }
      try atomically(work.atomicity) {
        try write(work)
        for holder in walk.holders { database.undo.onCommit { holder.letGo() } }
      }
    } catch {
      // Objects from another store were noted before there was a savepoint.
      database.rollBackMemory(to: mark)
      throw error
    }
  }

  // MARK: - Collecting

  /// The objects and links that a save has to write.
  private struct Work {
    /// New and changed objects, children before their parents except in a cycle.
    var objects: [any Entity] = []
    /// Links with additions or removals, each with its owner and the elements that it brings from
    /// another store.
    var links:
      [(owner: any Entity, property: Int, links: any PendingLinks, carried: Set<ObjectID>)] = []
    /// Objects that came from another store.
    var moved: Set<ObjectIdentifier> = []
    /// Children that are marked for deletion.
    var deletions: [any Entity] = []
    /// Whether an object has to-many children whose rows may have to be written.
    var writesRelationships = false
    /// Whether a to-one child may be deleted because another took its place.
    var mayDeleteRemoved = false
    /// Whether all objects to write are new.
    var isAllNew = true
    /// Whether all objects of the graph are new.
    var isGraphNew = false
    /// Whether the children's own rows are written as well.
    var cascades = true

    var atomicity: Atomicity {
      let changesMore = !links.isEmpty || !deletions.isEmpty || mayDeleteRemoved || !moved.isEmpty
      if objects.count == 1 && !writesRelationships && !changesMore { return .statement }
      // Without cascade, children that were stored before are given to the new owner.
      return isAllNew && cascades && !changesMore ? .inserts : .savepoint
    }

    var isEmpty: Bool { objects.isEmpty && links.isEmpty && deletions.isEmpty }
  }

  private func collect(_ root: any Entity, _ walk: GraphWalk) throws -> Work {
    var work = Work()
    switch walk.reach {
    case .rowOnly:
      work.cascades = false
      try visit(root, walk, &work)
      try refuseUnstored(walk, of: root)
      choose(root, &work)
    case .cascade:
      root.entityState.walk = walk.number
      walk.pending.append(root)
      while let object = walk.pending.popLast() {
        let state = object.entityState
        if state.isMarkedForDeletion {
          work.deletions.append(object)
        } else {
          if adopt(object, state) { work.moved.insert(ObjectIdentifier(object)) }
          try visit(object, walk, &work)
          walk.seen.append(object)
        }
      }
      // Choose only now: a parent that is visited late can set the inverse link of a child that was
      // visited early.
      for object in walk.seen.reversed() { choose(object, &work) }
      let isWhole = work.objects.count == walk.seen.count && work.moved.isEmpty
      work.isGraphNew = work.isAllNew && isWhole
    }
    return work
  }

  /// Makes an object of another store an object of this store.
  ///
  /// It becomes a new object or, if it has a row here, the row's new content.
  ///
  /// - Returns: Whether the object was of another store.
  @discardableResult
  func adopt(_ object: any Entity, _ state: EntityState) -> Bool {
    if state.store == home.number || state.store == 0 { return false }
    note(object, state)
    object.use(home)
    return true
  }

  private func visit(_ object: any Entity, _ walk: GraphWalk, _ work: inout Work) throws {
    let schema = type(of: object).entitySchema
    if schema.hasInverses { schema.setInverses(of: object) { database.undo.note($0) } }
    object.visitChildren(walk)
    if walk.changedLinks.isEmpty { return }
    for (property, links) in walk.changedLinks {
      let carried = try carried(links, of: object, property)
      work.links.append((object, property, links, carried))
    }
    walk.changedLinks.removeAll()
  }

  /// Adds an object to the work if it is new or changed.
  private func choose(_ object: any Entity, _ work: inout Work) {
    let state = object.entityState
    guard !state.isStored || state.changes != 0 else { return }
    work.objects.append(object)
    if state.isStored { work.isAllNew = false }
    let schema = type(of: object).entitySchema
    let many = schema.manyMask
    if many != 0, !state.isStored || state.changes & many != 0 { work.writesRelationships = true }
    if state.isStored && state.changes & schema.removingMask != 0 { work.mayDeleteRemoved = true }
  }

  private func refuseUnstored(_ walk: GraphWalk, of root: any Entity) throws {
    let missing =
      try walk.unstored
      ?? walk.childrenElsewhere.first {
        try !hasRow($0.child, statements(for: type(of: $0.child).entitySchema))
      }
    guard let (property, child) = missing else { return }
    let schema = type(of: root).entitySchema
    throw NacreError(
      .unstoredChild,
      entity: schema.name,
      property: schema.properties[property].name,
      objectID: root.objectID,
      detail: "\(type(of: child).entitySchema.name) \(child.objectID.uuidString)"
    )
  }

  // MARK: - Writing

  private func write(_ work: Work) throws {
    var owners: [OwnerChange] = []
    var removals: [Removal] = []
    let later = defersReferences ? nil : LaterReferences(to: work.objects)
    for object in work.objects {
      let state = object.entityState
      let statements = try statements(for: type(of: object).entitySchema)
      if statements.owned.isEmpty && work.moved.isEmpty {
        // Most objects of a graph are leaves, which need none of the following.
        try write(object, state, statements, later)
        continue
      }
      // Look only now: two objects of the graph can be the same row of the other store.
      let isPresent =
        try work.moved.contains(ObjectIdentifier(object)) && hasRow(object, statements)
      let isUpdate = state.isStored || isPresent
      let change = OwnerChange(
        owner: object,
        wasStored: isUpdate,
        isMoved: isPresent,
        // The row that is here can differ in every column from an object of another store.
        changes: isPresent ? UInt64.max : state.changes,
        former: isUpdate ? takeFormer(object, statements.schema) : FormerChildren()
      )
      let many = statements.schema.manyMask
      if many != 0, !state.isStored || state.changes & many != 0 { owners.append(change) }
      if isUpdate { removals += try replacedChildren(change, statements) }
      try write(object, state, statements, later, isPresent: isPresent)
    }
    if let later { try write(later) }
    for change in owners {
      removals += try writeChildren(change, cascades: work.cascades, isNew: work.isGraphNew)
    }
    for (owner, property, links, carried) in work.links {
      try requireRow(of: owner, statements(for: type(of: owner).entitySchema))
      try writeLinks(links, of: owner, property, carried: carried)
    }
    // A child that was taken out of one relationship may have been put into another.
    try delete(removals, besideThoseOf: owners)
    for object in work.deletions { try delete(object, cascade: true) }
  }

  /// Takes the former children out of an object, because this save stores the present ones.
  private func takeFormer(_ object: any Entity, _ schema: EntitySchema) -> FormerChildren {
    if schema.manyMask | schema.removingMask == 0 { return FormerChildren() }
    let former = object.entityChildren
    if former.isEmpty { return former }
    database.undo.note { object.entityChildren.putBack(former) }
    object.entityChildren = FormerChildren()
    return former
  }

  private func write(
    _ object: any Entity,
    _ state: EntityState,
    _ statements: EntityStatements,
    _ later: LaterReferences? = nil,
    isPresent: Bool = false
  ) throws {
    var state = state
    if !state.hasIdentity { state.identity = object.ensuredIdentity }
    let isUpdate = state.isStored || isPresent
    // The row that is here can differ in every column from an object of another store.
    let changes = isPresent ? UInt64.max : state.changes
    let mask = isUpdate ? changes & statements.columnMask : nil
    var version = state.version
    if let binder = try statements.binder(mask) {
      // The statements, which hold the binder, are held here.
      try binder._withUnsafeGuaranteedRef { binder in
        if !defersReferences { binder.later = later }
        if statements.schema.detectsConflicts {
          version = try bindVersion(of: state, isPresent: isPresent, to: binder, statements)
        }
        if sendsAhead {
          return try send(object, state, by: binder, isInsert: !isUpdate, statements)
        }
        try binder.write(object, state.identity)
        if connection.changes == 0 { throw try lostWrite(of: state, statements) }
      }
    } else {
      try requireRow(of: object, statements)
    }
    later?.wrote(state.identity)
    note(object, state)
    state.settle()
    state.isStored = true
    state.version = version
    state.store = home.number
    object.entityState = state
  }

  private func send(
    _ object: any Entity,
    _ state: EntityState,
    by binder: RowBinder,
    isInsert: Bool,
    _ statements: EntityStatements
  ) throws {
    try binder.send(object, state.identity, isInsert: isInsert) {
      do { return try self.lostWrite(of: state, statements) } catch { return error }
    }
  }

  /// Returns the error of a statement that ran and wrote no row.
  @inline(never)
  private func lostWrite(of state: EntityState, _ statements: EntityStatements) throws -> NacreError
  {
    if let conflict = try conflict(of: state, statements) { return conflict }
    return NacreError(
      state.isStored ? .objectDeleted : .constraint,
      entity: statements.schema.name,
      objectID: state.identity.uuid,
      detail: state.isStored ? nil : "a trigger ignored the insert"
    )
  }

  /// Throws `objectDeleted` if only relationships changed and the owner's row is gone.
  ///
  /// Such a save updates no row of the owner, so a removal would be lost in silence.
  private func requireRow(of object: any Entity, _ statements: EntityStatements) throws {
    if try hasRow(object, statements) { return }
    throw NacreError(.objectDeleted, entity: statements.schema.name, objectID: object.objectID)
  }

  private func hasRow(_ object: any Entity, _ statements: EntityStatements) throws -> Bool {
    let select = try statements.prepared(StatementKey(.exists), statements.sql.exists)
    defer { select.reset() }
    try object.ensuredIdentity.bind(to: select, at: 1)
    return try select.step()
  }

  /// Returns the to-one children that this update replaces, if their relationship deletes a child
  /// that is taken out.
  ///
  /// A child that others have put there since the object was loaded is left out.
  private func replacedChildren(
    _ change: OwnerChange,
    _ statements: EntityStatements
  ) throws -> [Removal] {
    if change.changes & statements.schema.removingMask == 0 { return [] }
    let object = change.owner
    var replaced: [Removal] = []
    for property in statements.owned where change.writes(property) {
      guard case .child(let relationship) = property.kind, relationship.removalRule == .delete,
        let sql = statements.relationship(property)
      else { continue }
      let statement = try statements.prepared(
        StatementKey(.selectChild, property.index),
        sql.selectChild
      )
      defer { statement.reset() }
      try object.entityState.identity.bind(to: statement, at: 1)
      guard try statement.step(), statement.storageClass(at: 0) == .blob else { continue }
      let former = try ObjectID.read(from: statement, at: 0)
      if relationship.get(object).contains(where: { $0.ensuredIdentity == former }) { continue }
      let list = change.former.list(at: property.index)
      if let list, !(list.children + list.unstored).contains(former) { continue }
      replaced.append(
        Removal(
          property: property,
          children: [former],
          loaded: change.isMoved ? [] : list?.loaded ?? []
        )
      )
    }
    return replaced
  }

  // MARK: - Walks

  func borrowWalk(_ reach: GraphWalk.Reach) -> GraphWalk {
    if let walk {
      self.walk = nil
      walk.begin(reach)
      return walk
    }
    return GraphWalk(reach: reach, store: home.number)
  }

  func returnWalk(_ walk: GraphWalk) {
    walk.end()
    self.walk = walk
  }
}
