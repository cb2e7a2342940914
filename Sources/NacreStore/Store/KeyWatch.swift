import NacreCrypto
import NacreEngine

/// Tells whether the file may have got a value under one of some keys since the watch began, by any
/// connection of any process.
///
/// Only the code that holds the store's writer uses it. It looks at every blob that the writer
/// stores, or counts the rows that the writer changes if the store does not use the hook. For other
/// connections it only detects that they wrote, not what they wrote.
final class KeyWatch {
  private let keys: [UInt32]
  private let generation: UInt64
  private let layoutNumber: Int64
  private let dataNumber: Int64
  /// How many rows the writer had changed; nil if the writer's hook reports each blob.
  private let changeCount: Int?
  private var hasComeUp = false

  /// Begins to watch, outside a transaction.
  ///
  /// - Parameters:
  ///   - keys: Picks the keys from the ring.
  ///   - writer: The store's writer.
  /// - Throws: `storeLocked`; the errors of reading.
  fileprivate init(_ keys: (KeyRing) -> [KeyRecord], on writer: Database) throws {
    // Read all of them from one state, so that one of the numbers shows any later change.
    let seen = try writer.connection.transaction(.deferred) {
      (
        ring: try writer.home.followedRing(on: writer),
        data: try writer.connection.dataNumber(),
        layout: try writer.connection.layoutNumber()
      )
    }
    generation = seen.ring.generation
    self.keys = keys(seen.ring).filter { $0.purpose == .field }.map(\.id.rawValue)
    (dataNumber, layoutNumber) = (seen.data, seen.layout)
    changeCount = writer.home.options.usesChangeReports ? nil : writer.connection.totalChanges
  }

  /// Checks whether a blob that is being written names one of the keys.
  fileprivate func note(_ blob: UnsafeRawBufferPointer) {
    // The key's number follows the suite's byte in every suite (Vectors/FORMAT.md).
    guard blob.count >= 5, !hasComeUp else { return }
    let number = UInt32(bigEndian: blob.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
    if keys.contains(number) { hasComeUp = true }
  }

  /// Returns whether no value under the keys can have come up to the start of a transaction that
  /// keeps others from writing.
  ///
  /// - Parameter writer: The store's writer, in that transaction, which has written nothing yet.
  /// - Returns: False also if tables were created or changed, because that can copy values, and if
  ///   the ring was changed.
  /// - Throws: The errors of reading.
  func isQuiet(on writer: Database) throws -> Bool {
    guard writer.keyWatches.contains(where: { $0 === self }), !hasComeUp,
      try writer.home.keys.unlocked().generation == generation,
      changeCount == nil || changeCount == writer.connection.totalChanges
    else { return false }
    // The first number changes with every commit except the writer's own.
    return try writer.connection.dataNumber() == dataNumber
      && writer.connection.layoutNumber() == layoutNumber
  }
}

extension Database {
  /// Watches from now on for values under some keys.
  ///
  /// - Parameter keys: Picks the keys from the ring.
  /// - Returns: The watch, which runs until `stop(_:)`.
  /// - Throws: `storeLocked`; the errors of reading.
  func watch(_ keys: (KeyRing) -> [KeyRecord]) throws -> KeyWatch {
    let watch = try KeyWatch(keys, on: self)
    keyWatches.append(watch)
    if keyWatches.count == 1, home.options.usesChangeReports {
      connection.setBlobHook { [unowned self] blob in
        for watch in keyWatches { watch.note(blob) }
      }
    }
    return watch
  }

  /// Ends a watch; ending it twice does nothing.
  func stop(_ watch: KeyWatch) {
    guard let index = keyWatches.firstIndex(where: { $0 === watch }) else { return }
    keyWatches.remove(at: index)
    if keyWatches.isEmpty, home.options.usesChangeReports { connection.setBlobHook(nil) }
  }
}
