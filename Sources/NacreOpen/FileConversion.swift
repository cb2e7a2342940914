import NacreCrypto
import NacreEngine
import NacreSQLite
import NacreStore
import NacreUpkeep

/// One conversion of a store's file into the other format.
struct FileConversion {
  private let path: String
  /// The file to which the path leads.
  private let file: String
  private let seals: StoreOptions.Seals
  private let unlock: Unlock

  init(_ path: String, _ seals: StoreOptions.Seals, _ unlock: Unlock) {
    self.path = path
    file = SQLiteHome.resolved(path)
    self.seals = seals
    self.unlock = unlock
  }

  /// Converts the file.
  ///
  /// - Parameter anchor: The anchor than which the store must not be older.
  /// - Returns: What was done.
  /// - Throws: `NacreError`, with the store as it was.
  func run(expecting anchor: Anchor?) throws -> FileConversionReport {
    let begun = ContinuousClock.now
    let former = try look(expecting: anchor)
    var report = FileConversionReport(storeID: former.storeID, seals: seals)
    let isSealed = Int64(former.format) == StoreFoundation.sealedFormat
    let isDone = isSealed == (seals == .file)
    if isDone, !FileExchange.hasDraft(of: file) { return report }
    let header = try home().fileHeader
    let exchange = try alone(header?.sealer)
    defer { exchange.close() }
    try NacreError.wrapping { try exchange.deleteDraft() }
    if isDone { return report }
    do {
      let keys = try header?.keys()
      try refuseUnfinished(on: exchange.connection, keys)
      let target = try NacreError.wrapping { try makeDraft(exchange, keys?.header) }
      report.anchor = try verify(exchange, target, hadAnchor: former.anchor != nil)
      try NacreError.wrapping { try exchange.exchange() }
    } catch {
      try? exchange.deleteDraft()
      throw error
    }
    report.wasConverted = true
    report.duration = (ContinuousClock.now - begun) / .seconds(1)
    return report
  }

  // MARK: - Before

  /// Opens the store once as anybody does, which finishes what was left half done, and describes it.
  private func look(expecting anchor: Anchor?) throws -> StoreDescription {
    try Store.requireFile(at: path, because: "the pages of a server can't be sealed by its client")
    guard !Store.isOpen(at: path) else { throw NacreError(.storeIsOpen, detail: path) }
    // Opening would give a store without a key ring one, perhaps under a mistyped secret.
    let inspection = try StoreInspection(path: path, unlock: unlock, expecting: anchor)
    _ = try inspection.describe()
    let store = try Store.open(path, unlock: unlock, options: Self.options(), expecting: anchor)
    defer { try? store.close() }
    return try store.inspect()
  }

  /// Options for a store that is nobody's default.
  private static func options(_ seals: StoreOptions.Seals = .properties) -> StoreOptions {
    var options = StoreOptions()
    options.name = "convert \(UInt64.random(in: 0 ... .max))"
    options.createIfMissing = false
    options.durability = .full
    options.seals = seals
    return options
  }

  private func home() throws -> SQLiteHome {
    try SQLiteHome.ofStore(file, unlock: unlock, options: Self.options(), creates: false)
  }

  private func alone(_ sealer: FileSealer?) throws -> FileExchange {
    do {
      return try NacreError.wrapping { try FileExchange(file, sealedBy: sealer) }
    } catch let error as NacreError where error.code == .busy {
      throw NacreError(.storeIsOpen, detail: path)
    }
  }

  /// Throws if work was begun that another file could not go on with.
  private func refuseUnfinished(
    on connection: any EngineConnection,
    _ keys: FileKeys?
  ) throws {
    let unfinished = try NacreError.wrapping { try RotationJournal.unfinished(on: connection) }
    let work: String? =
      if let first = unfinished.first {
        first.place == nil ? "a rotation" : "a migration"
      } else if keys?.isRekeyUnfinished == true {
        "a rotation of the file's key"
      } else {
        keys?.isRewrapUnfinished == true ? "a rewrap" : nil
      }
    if let work {
      throw NacreError(.rotationUnfinished, detail: "\(work) was begun, and is not done")
    }
  }

  // MARK: - The draft

  /// Makes the other file, and gives its tables what that format asks for.
  ///
  /// - Parameters:
  ///   - exchange: The connection that has the file to itself.
  ///   - header: The file's header; nil for a plain one.
  /// - Returns: The keys of the draft; nil for a plain one.
  /// - Throws: `NacreError`; the errors of the engine.
  private func makeDraft(_ exchange: FileExchange, _ header: FileHeader?) throws -> FileSealer? {
    let target = try seals == .file ? newSealer(exchange) : nil
    let copy = try target?.keys.header.encode() ?? []
    try exchange.makeDraft(sealedBy: target, header: copy + copy)
    let connection = try exchange.openDraft(sealedBy: target)
    do {
      try connection.transaction(.immediate) {
        if let target {
          try FormatChange.seal(connection, by: target)
        } else if let header {
          try FormatChange.unseal(connection, with: header)
        }
      }
    } catch {
      try? connection.close()
      throw error
    }
    try connection.close()
    return target
  }

  /// Makes the keys of a sealed file: the store's own store key and slots, and a fresh file key.
  private func newSealer(_ exchange: FileExchange) throws -> FileSealer {
    let connection = exchange.connection
    let storeID = try StoreFoundation.readStoreID(connection, path)
    guard let record = try RingTable.read(storeID, on: connection) else {
      throw NacreError(.noKeyRing, detail: path)
    }
    let keys = try FileKeys.create(
      for: unlock.ring(record, on: connection),
      pageByteCount: exchange.pageByteCount(),
      createdAt: CreationTime.now(),
      slots: FormatChange.slots(on: connection)
    )
    return FileSealer(keys: keys, unlock: unlock)
  }

  /// Opens the draft as the store that it will be, and looks at everything in it.
  ///
  /// - Returns: A new anchor, if the store had one.
  private func verify(
    _ exchange: FileExchange,
    _ target: FileSealer?,
    hadAnchor: Bool
  ) throws -> Anchor? {
    let store = try Store.open(exchange.draft, unlock: unlock, options: Self.options(seals))
    defer { try? store.close() }
    let faults = try store.check().filter { $0.kind != .unfinished && $0.kind != .journalMode }
    if let fault = faults.first { throw NacreError(.unsound, detail: "\(fault)") }
    try store.verify().requireSound()
    try compareCounts(exchange.connection, store)
    let anchor = try hadAnchor ? store.anchor() : nil
    try store.close()
    return anchor
  }

  /// Throws unless each table of the draft has as many rows as that of the file.
  private func compareCounts(_ connection: any EngineConnection, _ store: Store) throws {
    try NacreError.wrapping {
      let tables = try connection.schema.tables().filter { $0.kind == .table || $0.kind == .shadow }
      for name in tables.map(\.name) {
        // These differ with the format.
        if ["nacre_store", "nacre_slot"].contains(name) { continue }
        let count = try connection.rowCount(of: name)
        let found = try store.read { try $0.connection.rowCount(of: name) }
        guard count == found else {
          throw NacreError(.corrupt, detail: "\(found) of \(count) rows of \(name) were copied")
        }
      }
    }
  }
}
