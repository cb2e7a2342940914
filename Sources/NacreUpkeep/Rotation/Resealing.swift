import Foundation
import NacreEngine
import NacreStore
import NacreCrypto

/// A rotation's work on one table: reseals the values under old keys, and recomputes the tokens of blind indexes.
///
/// It copies a payload byte for byte, with its padding. It leaves a value that does not open as it is, and counts it.
final class Resealing {
  let entity: CatalogEntity
  /// The columns that the pass reads and writes.
  let columnNames: [String]
  /// The entity's kind of key, which is asked for at every row.
  private let key: RowKey
  private let ring: (Database) throws -> KeyRing
  private let session: RingSession
  private let reseals: Bool
  private let columns: [Column]
  // Unchecked, like those of the batch: one thread looks them up at every value.
  @exclusivity(unchecked) private var marks = Marks()
  @exclusivity(unchecked) private var sealers: [FieldSealer] = []
  @exclusivity(unchecked) private var blind: [BlindIndex?] = []
  private let opened = ScratchBuffer()
  private let checked = ScratchBuffer()

  /// A sealed property: the positions of its columns, and the form of its cells.
  ///
  /// A class, because copying a struct would retain each of its names, at every value.
  private final class Column {
    let property: String
    /// The form of its cells; the rows are opened and sealed without it, because they stay in the batch's memory.
    let sealed: SealedColumn
    let context: FieldContext
    let position: Int
    /// The position of its blind index, if the rotation recomputes it.
    let indexPosition: Int?

    init(_ property: String, _ sealed: SealedColumn, position: Int, indexPosition: Int?) {
      self.property = property
      self.sealed = sealed
      context = sealed.context
      self.position = position
      self.indexPosition = indexPosition
    }

    // Here the context is the object's own constant, which nothing copies.

    func open(
      _ envelope: UnsafeRawBufferPointer,
      _ objectID: ObjectIDBytes,
      by session: RingSession,
      into scratch: ScratchBuffer
    ) throws -> UnsafeRawBufferPointer {
      try session.open(envelope, context: context, objectID: objectID, into: scratch)
    }

    func seal(
      _ payload: UnsafeRawBufferPointer,
      _ objectID: ObjectIDBytes,
      by sealer: FieldSealer,
      into room: UnsafeMutableRawBufferPointer
    ) throws {
      _ = try sealer.seal(payload, context: context, objectID: objectID, into: room)
    }
  }

  /// The marks of cells that are up to date with the primary keys.
  struct Marks: Equatable {
    /// The first five bytes of an up-to-date envelope, by column.
    fileprivate var heads: [UInt64] = []
    fileprivate var index: KeyID?
  }

  /// The conversion of one entity's table.
  ///
  /// - Parameters:
  ///   - entity: the entity, with sealed properties.
  ///   - storeID: the store.
  ///   - purposes: what is resealed or recomputed.
  ///   - session: seals and opens, for all tables.
  ///   - ring: gives the ring of the state of the store that a connection is in.
  /// - Throws: `lengthTooLarge` for a name that is too long.
  init(
    _ entity: CatalogEntity,
    of storeID: StoreID,
    _ purposes: Set<KeyPurpose>,
    session: RingSession,
    ring: @escaping (Database) throws -> KeyRing
  ) throws {
    self.ring = ring
    reseals = purposes.contains(.field)
    self.session = session
    self.entity = entity
    key = entity.key
    var names: [String] = []
    func add(_ column: String) -> Int {
      names.append(column)
      return names.count - 1
    }
    columns = try entity.sealed.compactMap { property in
      guard let column = property.column else { return nil }
      let position = add(column)
      let index = purposes.contains(.index) ? property.indexColumn : nil
      return Column(
        property.name,
        try SealedColumn(property, of: entity.name, in: storeID),
        position: position,
        indexPosition: index.map(add)
      )
    }
    columnNames = names
  }

  /// The name of the property that a column belongs to.
  func property(at column: Int) -> String {
    columns.first { $0.position == column || $0.indexPosition == column }?.property ?? ""
  }

  /// The number of resealed values and of recomputed tokens, from the replacements in each column.
  func counts(_ replaced: [Int]) -> (resealed: Int, reindexed: Int) {
    let tokens = columns.compactMap(\.indexPosition).reduce(0) { $0 + replaced[$1] }
    return (replaced.reduce(0, +) - tokens, tokens)
  }

  // MARK: Keys

  /// Gets ready for the next batch, in the read transaction that reads it.
  ///
  /// - Returns: the marks of the cells that are up to date in that state of the store.
  func prepare(on database: Database) throws -> Marks {
    // The ring is read in the same state as the rows, so it has every key that a row names.
    let ring = try ring(database)
    // A nonce prefix serves one write transaction.
    session.beginTransaction()
    if ring === session.ring && marks.heads.count == columns.count { return marks }
    session.adopt(ring)
    sealers = columns.map { session.sealer(for: $0.sealed.sealing.suite(in: ring)) }
    blind = try columns.map { try $0.indexPosition == nil ? nil : $0.sealed.index(in: ring) }
    marks = try marks(of: ring)
    return marks
  }

  /// Reserves seals for the next batch, if its keys may seal only so often.
  func reserve() throws {
    for sealer in sealers { try sealer.reserveAhead() }
  }

  /// Whether the values made since `prepare` returned the marks may be written, asked in the write transaction that
  /// would write them; if not, the batch has to be read and made again.
  ///
  /// Meanwhile another thread may convert the next batch.
  func holds(_ marks: Marks, on database: Database) throws -> Bool {
    try self.marks(of: ring(database)) == marks
  }

  private func marks(of ring: KeyRing) throws -> Marks {
    var marks = Marks(index: ring.primaryID(.index))
    for column in columns {
      let key = try ring.primary(.field, suite: column.sealed.sealing.suite(in: ring))
      marks.heads.append(UInt64(key.suite.rawValue) << 32 | UInt64(key.id.rawValue))
    }
    return marks
  }

  // MARK: Rows

  /// Whether the current row (its key, then its columns) may have to be changed.
  func concerns(_ row: any PreparedStatement) -> Bool {
    for index in columns.indices {
      let column = columns[index]
      if column.indexPosition != nil { return true }
      guard let envelope = row.bytes(at: Int32(column.position + 1)) else {
        if row.isNull(at: Int32(column.position + 1)) { continue }
        return true
      }
      if reseals, Resealing.head(envelope) != marks.heads[index] { return true }
    }
    return false
  }

  /// Works out the new content of a row, outside of every transaction.
  func convert(_ row: Int, of batch: RowBatch) throws {
    let identity = key.identity(batch.identity(row))
    for index in columns.indices {
      do {
        try convert(index, row, batch, identity)
      } catch let error as CryptoError {
        throw NacreError(
          NacreError.code(of: error),
          entity: entity.name,
          property: columns[index].property,
          objectID: identity?.uuid,
          detail: identity?.words,
          cause: error
        )
      }
    }
  }

  private func convert(
    _ index: Int,
    _ row: Int,
    _ batch: RowBatch,
    _ identity: RowIdentity?
  ) throws {
    let column = columns[index]
    let cell = batch.former(row, column.position)
    if cell.storageClass == .null {
      guard let position = column.indexPosition else { return }
      if batch.former(row, position).storageClass != .null { batch.replaceWithNull(row, position) }
      return
    }
    guard cell.storageClass == .blob else { return fail(index, identity, .notAnEnvelope, batch) }
    guard let identity else { return fail(index, nil, .valueMismatch, batch) }
    let envelope = batch.bytes(cell)
    let isStale = reseals && Resealing.head(envelope) != marks.heads[index]
    let blind = blind[index]
    guard isStale || blind != nil else { return }
    defer { opened.cleanse() }
    let place = ObjectIDBytes(identity.objectID)
    let payload: UnsafeRawBufferPointer
    let token: [UInt8]?
    do {
      payload = try column.open(envelope, place, by: session, into: opened)
      token = try blind.map { try Resealing.token(of: payload, $0) }
    } catch let error as CryptoError where error.isOfValue {
      // The cell is at fault here, not the sealing key or the library.
      return fail(index, identity, NacreError.code(of: error), batch)
    }
    if let token, let position = column.indexPosition { put(token, row, position, batch) }
    if isStale { try seal(payload, column, sealers[index], row, batch, identity) }
  }

  /// The suite and key id of an envelope; 0 if it is too short to be one.
  private static func head(_ envelope: UnsafeRawBufferPointer) -> UInt64 {
    guard envelope.count >= 5 else { return 0 }
    let id = UInt32(bigEndian: envelope.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
    return UInt64(envelope[0]) << 32 | UInt64(id)
  }

  private func seal(
    _ payload: UnsafeRawBufferPointer,
    _ column: Column,
    _ sealer: FieldSealer,
    _ row: Int,
    _ batch: RowBatch,
    _ identity: RowIdentity
  ) throws {
    let objectID = ObjectIDBytes(identity.objectID)
    let count = try sealer.envelopeByteCount(payloadByteCount: payload.count)
    try batch.replace(row, column.position, byteCount: count) { room in
      try column.seal(payload, objectID, by: sealer, into: room)
      // Check that the new envelope opens before giving up the old one.
      defer { checked.cleanse() }
      let sealed = UnsafeRawBufferPointer(room)
      let again = try column.open(sealed, objectID, by: session, into: checked)
      guard again.isSame(as: payload) else {
        throw NacreError(
          .crypto,
          entity: entity.name,
          property: column.property,
          objectID: identity.uuid,
          detail: (identity.words.map { $0 + ": " } ?? "")
            + "the newly sealed value does not open to the same value; the stored value was not "
            + "changed"
        )
      }
    }
  }

  private static func token(
    of payload: UnsafeRawBufferPointer,
    _ blind: BlindIndex
  ) throws(CryptoError) -> [UInt8] {
    let reader = try PayloadReader(payload)
    return try blind.token(reader.type, reader.value)
  }

  private func put(_ token: [UInt8], _ row: Int, _ position: Int, _ batch: RowBatch) {
    let stored = batch.former(row, position)
    token.withUnsafeBytes { token in
      if stored.storageClass == .blob, batch.bytes(stored).isSame(as: token) { return }
      batch.replace(row, position, byteCount: token.count) { $0.copyMemory(from: token) }
    }
  }

  // MARK: Failures

  private func fail(
    _ index: Int,
    _ identity: RowIdentity?,
    _ code: NacreError.Code,
    _ batch: RowBatch
  ) {
    batch.fail(
      UnopenedCell(
        entity: entity.name,
        property: columns[index].property,
        objectID: identity?.uuid,
        rowID: identity?.rowID,
        code: code
      )
    )
  }
}
