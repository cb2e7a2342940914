import NacreEngine
import NacreStore

/// The hashes of an entity's stored objects, which tell which objects another process has changed.
///
/// An object's hash is the sum of the hashes of its own row and of its rows in to-many
/// relationships, under a key of the process. Sealed cells are hashed as they are in the file, so
/// observing needs no keys.
enum RowHash {
  /// Returns the hashes of all objects of an entity.
  static func all(
    _ tables: [ObservationSQL.Table],
    on connection: any EngineConnection
  ) throws -> [ObjectID: UInt64] {
    var hashes: [ObjectID: UInt64] = [:]
    for (number, table) in tables.enumerated() {
      // The tables do not exist until an object of the entity is stored.
      guard try connection.has(table.name) else { continue }
      try connection.each(table.rows, []) { add($0, of: number, to: &hashes) }
    }
    return hashes
  }

  /// Returns the hashes of those of some objects that are stored.
  static func some(
    _ objects: [ObjectID],
    _ tables: [ObservationSQL.Table],
    in session: EntitySession
  ) throws -> [ObjectID: UInt64] {
    var hashes: [ObjectID: UInt64] = [:]
    for (number, table) in tables.enumerated() {
      let statement = try session.connection.cached(table.rowsOfSome)
      defer { statement.reset() }
      try session.bind(objects, to: statement)
      while try statement.step() { add(statement, of: number, to: &hashes) }
    }
    return hashes
  }

  private static func add(
    _ row: any PreparedStatement,
    of table: Int,
    to hashes: inout [ObjectID: UInt64]
  ) {
    guard let bytes = row.bytes(at: 0), bytes.count == 16 else { return }
    let identity = ObjectID(bytes: bytes)
    if table == 0 {
      hashes[identity] = hash(row, table)
    } else if let former = hashes[identity] {
      hashes[identity] = former &+ hash(row, table)
    }
  }

  /// Returns the hash of one object, or nil if it is not stored.
  static func one(
    _ identity: ObjectID,
    _ tables: [ObservationSQL.Table],
    on connection: any EngineConnection
  ) throws -> UInt64? {
    var sum: UInt64?
    for (number, table) in tables.enumerated() where number == 0 || sum != nil {
      let statement = try connection.cached(table.rowsOfOne)
      defer { statement.reset() }
      try identity.bind(to: statement, at: 1)
      while try statement.step() { sum = (sum ?? 0) &+ hash(statement, number) }
    }
    return sum
  }

  private static func hash(_ row: any PreparedStatement, _ table: Int) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(table)
    for column in 1..<max(Int32(row.columnCount), 1) {
      let storageClass = row.storageClass(at: column)
      hasher.combine(storageClass)
      switch storageClass {
      case .null: break
      case .integer: hasher.combine(row.int64(at: column))
      case .real: hasher.combine(row.double(at: column).bitPattern)
      case .text, .blob:
        let bytes = row.blob(at: column)
        hasher.combine(bytes.count)
        hasher.combine(bytes: bytes)
      }
    }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
