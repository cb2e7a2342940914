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
    let ring = try writer.home.followedRing(on: writer)
    generation = ring.generation
    self.keys = keys(ring).filter { $0.purpose == .field }.map(\.id.rawValue)
    // Before the other: what comes between them is noticed by this one.
    dataVersion = try writer.scalar(ObservationSQL.dataVersion)
    schemaVersion = try writer.scalar(CatalogSQL.schemaVersion)
    changeCount = writer.home.observation.usesHook ? nil : writer.connection.totalChanges
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
    return try writer.scalar(ObservationSQL.dataVersion) == dataVersion
      && writer.scalar(CatalogSQL.schemaVersion) == schemaVersion
  }
}

extension Store {
  /// Runs `body`, while it is watched for what names some keys.
  ///
  /// - Parameters:
  ///   - keys: which of the ring's keys.
  ///   - body: what is done meanwhile, with the writer free for others.
  /// - Returns: what `body` returns.
  /// - Throws: what reading and `body` throw.
  func watching<T>(
    _ keys: (KeyRing) -> [KeyRecord],
    _ body: (KeyWatch) throws -> T
  ) throws -> T {
    let watch = try withWriter { writer in
      let watch = try KeyWatch(keys, on: writer)
      writer.keyWatches.append(watch)
      writer.followKeyWatches()
      return watch
    }
    defer {
      // It fails where the store was closed meanwhile, and with it the writer.
      try? withWriter { writer in
        writer.keyWatches.removeAll { $0 === watch }
        writer.followKeyWatches()
      }
    }
    return try body(watch)
  }
}

extension Database {
  fileprivate func followKeyWatches() {
    guard home.observation.usesHook else { return }
    if keyWatches.isEmpty { return connection.setBlobHook(nil) }
    connection.setBlobHook { [unowned self] blob in
      for watch in keyWatches { watch.note(blob) }
    }
  }
}
