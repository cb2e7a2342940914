import NacreCore
public import NacreCrypto
import NacreSQLite

/// The last anchor that was taken of a store, as its file has it.
public struct AnchorDescription: Sendable, Hashable {
  /// Whether the file's word on it is good.
  public enum State: Sendable {
    /// Nobody has looked, for which the store must be unlocked: it is only what the file says.
    case unverified
    /// Its MAC is right.
    case verified
    /// It does not match its MAC, or is no anchor at all.
    case tampered
    /// It is less than one that the open store has seen, or gone: somebody has put it back.
    case older
  }

  /// The anchor that the file holds; nil where that has not the form of one, or is gone.
  public let anchor: Anchor?
  /// Whether that is so.
  public let state: State
}

extension AnchorTable {
  /// The last anchor for people to see: whatever the file has is no reason to show nothing else of it.
  ///
  /// - Parameters:
  ///   - storeID: the store's id.
  ///   - ring: the unlocked ring; nil where nobody has the secret.
  ///   - seen: the greatest counter that was seen before this state of the file.
  ///   - connection: a connection in a transaction.
  /// - Returns: the anchor and what is known of it; nil where there never was one.
  /// - Throws: what reading throws.
  static func describe(
    _ storeID: StoreID,
    _ ring: KeyRing?,
    seenBefore seen: UInt64,
    on connection: Connection
  ) throws -> AnchorDescription? {
    guard let bytes = try bytes(on: connection) else {
      return seen == 0 ? nil : AnchorDescription(anchor: nil, state: .older)
    }
    let found = Anchor(unverified: bytes, of: storeID)
    guard let ring else { return AnchorDescription(anchor: found, state: .unverified) }
    do {
      let anchor = try read(ring, on: connection)
      let isOlder = (anchor?.counter ?? 0) < seen
      return AnchorDescription(anchor: anchor, state: isOlder ? .older : .verified)
    } catch let error as NacreError where error.code == .anchorTampered {
      return AnchorDescription(anchor: found, state: .tampered)
    }
  }
}
