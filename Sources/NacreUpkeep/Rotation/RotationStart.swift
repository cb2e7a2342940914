import Foundation
import NacreEngine
import NacreStore
import NacreCrypto

/// The rotation that a call of `rotate` works on: one that was begun before, or a new one.
struct RotationStart {
  let journal: RotationJournal
  let purposes: Set<KeyPurpose>
  let wasResumed: Bool
  /// Whether its new keys can still be used; if not, the rotation is given up and another one begins.
  var canGoOn = true

  /// Finds the unfinished rotation, or begins one; nil if there is nothing to do.
  ///
  /// - Throws: `rotationUnfinished`, `suiteInUse`.
  static func make(_ store: Store, _ options: RotationOptions) throws -> RotationStart? {
    let unfinished = try store.read { database in
      // Somebody may have changed the schema since the store was opened.
      try OwnTables.refuseForeignObjects(on: database.connection)
      return try begun(on: database, options)
    }
    if let begun = unfinished {
      if begun.canGoOn { return begun }
      try giveUp(begun.journal, of: store)
    }
    if options.onlyResumes { return nil }
    let wanted = try store.read { try purposes(on: $0, options) }
    guard !wanted.isEmpty else { return nil }
    // Refuse values that no rotation reaches before making a key; the first pass adds them to the catalog.
    let total = try store.read { database in
      let strays = try database.daoStrays(
        naming: { $0.keysToRetire(wanted, isPromoted: false) },
        ignoring: options.ignoredColumns
      )
      return try CatalogEntity.withSealed(on: database).including(strays).reduce(0) {
        try $0 + database.connection.rowCount(of: $1.table)
      }
    }
    let journal = try store.changeRing { database, ring in
      // The catalog says which suites its properties ask for, so it must be authentic.
      try database.refuseForeignCatalog()
      let successors = try RotationSuccessors(ring, wanted, options, on: database)
      if successors.ring !== ring { try database.replaceRing(by: successors.ring) }
      return try RotationJournal.begin(
        .rotation(wanted, from: successors.from, to: successors.to),
        phase: RotationPhase.pending.rawValue,
        total: Int64(total),
        on: database
      )
    }
    return RotationStart(journal: journal, purposes: wanted, wasResumed: false)
  }

  /// The authentic rotation that was begun and is not done; nil if there is none.
  ///
  /// - Throws: `ringTampered`; `rotationUnfinished` if it is not what the options ask for.
  static func begun(on database: Database, _ options: RotationOptions) throws -> RotationStart? {
    guard let journal = try RotationJournal.believed(on: database) else { return nil }
    // A conversion is not read: its forms may be those of a later version.
    guard journal.place == nil, case .rotation(let purposes, _, _) = try journal.work(),
      purposes.isSubset(of: options.purposes)
    else { throw journal.unfinishedError }
    let ring = try database.home.keys.unlocked()
    if let suite = options.suite, !ring.leads(journal, to: suite) {
      throw NacreError(
        .rotationUnfinished,
        detail: "the rotation that was begun leads to another suite"
      )
    }
    return RotationStart(
      journal: journal,
      purposes: purposes,
      wasResumed: true,
      canGoOn: ring.allowsPromoting(journal)
    )
  }

  /// Ends a rotation whose new keys somebody disabled or destroyed before it used them.
  private static func giveUp(_ journal: RotationJournal, of store: Store) throws {
    var journal = journal
    journal.finish()
    try store.write { try journal.write(on: $0) }
  }

  /// The wanted purposes whose key is old enough.
  ///
  /// Includes purposes under which nothing is sealed yet: a holder of the old key must not be able to open future
  /// values.
  static func purposes(
    on database: Database,
    _ options: RotationOptions
  ) throws -> Set<KeyPurpose> {
    let ring = try database.home.keys.unlocked()
    let due = options.purposes.filter { ring.isDue($0, options) }
    if due.isEmpty { return due }
    // Find a table that does not match the catalog before making a key.
    for entity in try CatalogEntity.withSealed(on: database) {
      let columns = entity.sealed.flatMap { [$0.column, $0.indexColumn].compactMap { $0 } }
      let sql = RotationSQL.hasValue(table: entity.table, columns: columns)
      _ = try entity.matching { try database.scalar(sql) }
    }
    return due
  }
}

/// The keys that replace the primary keys.
struct RotationSuccessors {
  private(set) var ring: KeyRing
  private(set) var from: [KeyID] = []
  private(set) var to: [KeyID] = []
  /// The keys of a sealed file, whose ids no other key may have.
  private let fileKeys: [KeyRecord]

  /// Uses the pending keys, and adds those that are missing.
  ///
  /// - Throws: `suiteInUse`.
  init(
    _ ring: KeyRing,
    _ purposes: Set<KeyPurpose>,
    _ options: RotationOptions,
    on database: Database
  ) throws {
    self.ring = ring
    fileKeys = database.home.fileKeys
    if purposes.contains(.field) { try replaceFieldKeys(options, on: database.connection) }
    if purposes.contains(.index) {
      let primary = try ring.primary(.index)
      from.append(primary.id)
      try add(.index, primary.suite)
    }
  }

  private mutating func replaceFieldKeys(
    _ options: RotationOptions,
    on connection: any EngineConnection
  ) throws {
    let primaries = ring.keys.filter { $0.purpose == .field && $0.state == .primary }
    guard let suite = options.suite else {
      from += primaries.map(\.id)
      for key in primaries { try add(.field, key.suite) }
      return
    }
    // Properties that name a suite keep it; the store's own suite is the lowest one that has a primary key.
    let named = Set(
      try CatalogEntity.all(on: connection).flatMap(\.sealed).compactMap { $0.sealing?.suite }
    )
    let staying = primaries.filter { $0.suite != suite && named.contains($0.suite) }
    if let lower = staying.first(where: { $0.suite.rawValue < suite.rawValue }) {
      throw NacreError(.suiteInUse, detail: "suite \(lower.suite.rawValue)")
    }
    from += primaries.filter { !staying.contains($0) }.map(\.id)
    try add(.field, suite)
  }

  private mutating func add(_ purpose: KeyPurpose, _ suite: Suite) throws {
    let waiting = ring.keys.filter { key in
      key.state == .pending && key.purpose == purpose && (purpose == .index || key.suite == suite)
    }
    if let key = waiting.min(by: { $0.created < $1.created }) {
      to.append(key.id)
    } else {
      let added = try ring.adding(
        purpose,
        suite: suite,
        createdAt: CreationTime.now(),
        avoiding: fileKeys
      )
      ring = added.ring
      to.append(added.id)
    }
  }
}

extension KeyRing {
  /// The keys that a rotation disables at its end.
  ///
  /// - Parameters:
  ///   - purposes: what gets a new key.
  ///   - isPromoted: whether the new keys are primary already.
  /// - Returns: the keys.
  func keysToRetire(_ purposes: Set<KeyPurpose>, isPromoted: Bool) -> [KeyRecord] {
    keys.filter { key in
      guard purposes.contains(key.purpose) else { return false }
      return key.state == .enabled || key.state == .primary && !isPromoted
    }
  }

  /// Whether a purpose has a primary key that is as old as the options want.
  fileprivate func isDue(_ purpose: KeyPurpose, _ options: RotationOptions) -> Bool {
    let now = Double(CreationTime.now())
    return keys.contains { key in
      guard key.purpose == purpose, key.state == .primary else { return false }
      return options.olderThan.map { now - Double(key.created) > $0 * 1000 } ?? true
    }
  }

  /// Whether all field keys of a rotation, if it has any, are of the given suite.
  fileprivate func leads(_ journal: RotationJournal, to suite: Suite) -> Bool {
    journal.to.compactMap(record).filter { $0.purpose == .field }.allSatisfy { $0.suite == suite }
  }

  /// Whether the new keys of a rotation can still become primary, or have become primary already.
  fileprivate func allowsPromoting(_ journal: RotationJournal) -> Bool {
    !journal.isPending
      || journal.to.allSatisfy { id in
        // An enabled key was primary before, and nothing in the file may bring back a key that was rotated out.
        record(of: id).map { $0.state == .pending || $0.state == .primary } ?? false
      }
  }
}

extension CatalogEntity {
  /// The entities that have sealed properties, by name.
  ///
  /// - Throws: `catalogTampered`, because only the catalog decides what is resealed and which keys are still needed.
  static func withSealed(on database: Database) throws -> [CatalogEntity] {
    try database.refuseForeignCatalog()
    return try all(on: database.connection).filter { !$0.sealed.isEmpty }
  }
}
