import NacreCrypto
import NacreSQLite

/// Tells whether a value that names one of some keys can have come into the file since it was made, by whatever
/// connection of whichever process.
///
/// It is used by whoever has the store's writer, which it watches. What other connections write is not seen, but that
/// they have written.
final class KeyWatch {
  private let keys: [UInt32]
  private let generation: UInt64
  private let schemaVersion: Value?
  private let dataVersion: Value?
  /// How many rows the writer had changed; nil where it tells of each.
  private let changeCount: Int?
  private var hasComeUp = false

  /// Begins to watch, in no transaction.
  ///
  /// - Parameters:
  ///   - keys: which of the ring's keys.
  ///   - writer: the store's writer.
  /// - Throws: `storeLocked`; what reading throws.
  fileprivate init(_ keys: (KeyRing) -> [KeyRecord], on writer: Database) throws {
    // Of one state: what comes after it is noticed by one of the numbers.
    let seen = try writer.connection.transaction(.deferred) {
      (
        ring: try writer.home.followedRing(on: writer),
        data: try writer.scalar(CatalogSQL.dataVersion),
        schema: try writer.scalar(CatalogSQL.schemaVersion)
      )
    }
    generation = seen.ring.generation
    self.keys = keys(seen.ring).filter { $0.purpose == .field }.map(\.id.rawValue)
    (dataVersion, schemaVersion) = (seen.data, seen.schema)
    changeCount = writer.home.usesChangeHook ? nil : writer.connection.totalChanges
  }

  /// Notes a blob that was written.
  fileprivate func note(_ blob: UnsafeRawBufferPointer) {
    // Behind the suite (Vectors/FORMAT.md), whatever that is.
    guard blob.count >= 5, !hasComeUp else { return }
    let number = UInt32(bigEndian: blob.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
    if keys.contains(number) { hasComeUp = true }
  }

  /// Whether nothing of that kind can have come, up to the beginning of a transaction that keeps others from writing.
  ///
  /// - Parameter writer: the store's writer, in that transaction, which has written nothing yet.
  /// - Returns: false, too, where tables were made or changed, for that can copy values, and where the ring was changed.
  /// - Throws: what reading throws.
  func isQuiet(on writer: Database) throws -> Bool {
    guard writer.keyWatches.contains(where: { $0 === self }), !hasComeUp,
      try writer.home.keys.unlocked().generation == generation,
      changeCount == nil || changeCount == writer.connection.totalChanges
    else { return false }
    // The number is another one after every commit but the writer's own.
    return try writer.scalar(CatalogSQL.dataVersion) == dataVersion
      && writer.scalar(CatalogSQL.schemaVersion) == schemaVersion
  }
}

extension Database {
  /// Watches from now on for what names some keys.
  ///
  /// - Parameter keys: which of the ring's keys.
  /// - Returns: the watch, which stays until `stop(_:)`.
  /// - Throws: `storeLocked`; what reading throws.
  func watch(_ keys: (KeyRing) -> [KeyRecord]) throws -> KeyWatch {
    let watch = try KeyWatch(keys, on: self)
    keyWatches.append(watch)
    if keyWatches.count == 1, home.usesChangeHook {
      connection.setBlobHook { [unowned self] blob in
        for watch in keyWatches { watch.note(blob) }
      }
    }
    return watch
  }

  /// Ends a watch; ending it twice is nothing.
  func stop(_ watch: KeyWatch) {
    guard let index = keyWatches.firstIndex(where: { $0 === watch }) else { return }
    keyWatches.remove(at: index)
    if keyWatches.isEmpty, home.usesChangeHook { connection.setBlobHook(nil) }
  }
}
