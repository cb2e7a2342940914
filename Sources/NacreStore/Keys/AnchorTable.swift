import Foundation
import NacreCrypto
import NacreEngine

/// The anchor in the file: the row `anchor` of `nacre_store` (Vectors/FORMAT.md).
package enum AnchorTable {
  private static let name = Value.text("anchor")

  /// Returns the bytes of the anchor's row; nil if no anchor was ever taken, no bytes if the row
  /// holds something else than bytes.
  package static func bytes(on connection: any EngineConnection) throws -> [UInt8]? {
    switch try connection.scalar(CatalogSQL.getValue, [name]) {
    case nil: nil
    case .blob(let bytes)?: Array(bytes)
    default: []
    }
  }

  /// Returns the last anchor that was taken, or nil if there is none.
  ///
  /// - Throws: `anchorTampered` if the anchor does not match its MAC.
  package static func read(_ ring: KeyRing, on connection: any EngineConnection) throws -> Anchor? {
    guard let bytes = try bytes(on: connection) else { return nil }
    do throws(CryptoError) {
      return try ring.anchor(in: bytes)
    } catch {
      guard error.code == .ringTampered else { throw error }
      throw NacreError(.anchorTampered, cause: error)
    }
  }

  /// Writes the anchor under the ring's store key, and reads it back.
  ///
  /// - Throws: `anchorTampered` if something in the file, such as a trigger, changed it.
  static func write(_ anchor: Anchor, of ring: KeyRing, on connection: any EngineConnection) throws
  {
    let bytes = try ring.bytes(of: anchor)
    try connection.run(CatalogSQL.setValue(connection.dialect), [name, .blob(Data(bytes))])
    guard try self.bytes(on: connection) == bytes else {
      throw NacreError(
        .anchorTampered,
        detail: "the anchor was changed while it was written, for example by a trigger"
      )
    }
  }

  /// Writes the anchor's MAC under a new store key; besides taking an anchor, only this changes the
  /// row.
  ///
  /// An anchor that does not match its MAC is left as it is.
  static func rewrap(from former: KeyRing, to ring: KeyRing, on connection: any EngineConnection)
    throws
  {
    guard let anchor = try authentic(former, on: connection) else { return }
    try write(anchor, of: ring, on: connection)
  }

  /// Returns the last anchor that was taken; nil if there is none, or if it does not match its MAC.
  static func authentic(_ ring: KeyRing, on connection: any EngineConnection) throws -> Anchor? {
    do {
      return try read(ring, on: connection)
    } catch let error as NacreError where error.code == .anchorTampered {
      return nil
    }
  }
}

// MARK: - Expecting

extension AnchorTable {
  /// Throws if a file can't be as new as an anchor, before anybody is asked for a secret.
  ///
  /// - Throws: `otherStore`; `noKeyRing` if the file has no ring, `storeLocked` without a secret,
  ///   because both are needed to verify an anchor.
  package static func refuseOther(
    than anchor: Anchor,
    _ storeID: StoreID,
    isUnlocked: Bool,
    on connection: any EngineConnection
  ) throws {
    guard storeID == anchor.storeID else {
      throw NacreError(
        .otherStore,
        detail: "the file is store \(storeID), and the anchor belongs to \(anchor.storeID)"
      )
    }
    guard try RingTable.read(storeID, on: connection) != nil else {
      throw NacreError(
        .noKeyRing,
        detail: "an anchor was expected, and only a store with a ring has one"
      )
    }
    guard isUnlocked else {
      throw NacreError(.storeLocked, detail: "an anchor can be verified only with the secret")
    }
  }

  /// Throws if a file is older than an anchor.
  ///
  /// - Parameters:
  ///   - anchor: The expected anchor.
  ///   - ring: The file's ring, verified.
  ///   - connection: A connection to the file, inside a transaction.
  /// - Throws: `anchorTampered`; `olderThanAnchor`; `ringOlderThanAnchor` if only the ring is
  ///   older.
  package static func refuseOlder(
    than anchor: Anchor,
    _ ring: KeyRing,
    on connection: any EngineConnection
  ) throws {
    let found = try read(ring, on: connection)
    guard let found, found.counter >= anchor.counter else {
      throw older(found, "but number \(anchor.counter) is expected")
    }
    // The file's own anchor may have been taken when the ring was newer still.
    let generation = max(anchor.ringGeneration, found.ringGeneration)
    guard ring.generation >= generation else {
      throw NacreError(
        .ringOlderThanAnchor,
        detail: "the ring has generation \(ring.generation), but \(generation) is expected"
      )
    }
  }

  /// Returns the error for a file whose anchor is older than another one.
  package static func older(_ found: Anchor?, _ wanted: String) -> NacreError {
    let counter = found.map { "its anchor is number \($0.counter)" } ?? "it has no anchor"
    return NacreError(.olderThanAnchor, detail: "\(counter), \(wanted)")
  }

  /// Remembers the file's anchor for an unlocked store that is being opened, after comparing it
  /// with the expected one.
  ///
  /// If no anchor is expected, one that does not match its MAC is ignored, so that work that needs
  /// no anchor goes on.
  ///
  /// - Throws: The same errors as ``refuseOlder(than:_:on:)``.
  static func follow(
    _ keys: StoreKeys,
    expecting anchor: Anchor?,
    on connection: any EngineConnection
  ) throws {
    let ring = try keys.unlocked()
    if let anchor { try refuseOlder(than: anchor, ring, on: connection) }
    if let found = try authentic(ring, on: connection) { keys.seen.note(found) }
  }
}
