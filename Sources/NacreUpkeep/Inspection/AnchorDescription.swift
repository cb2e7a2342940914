import NacreEngine
import NacreStore
public import NacreCrypto

/// The last anchor that was taken of a store, as its file has it.
public struct AnchorDescription: Sendable, Hashable {
  /// How far the anchor in the file can be trusted.
  public enum State: Sendable {
    /// Nobody has checked it, because that needs an unlocked store: it is only what the file says.
    case unverified
    /// Its MAC is right.
    case verified
    /// It does not match its MAC, or is not an anchor at all.
    case tampered
    /// It is lower than one that the open store has seen, or is gone: somebody has put an older state back.
    case older
  }

  /// The anchor that the file holds; nil if the file's bytes do not have the form of an anchor, or are gone.
  public let anchor: Anchor?
  /// How far it can be trusted.
  public let state: State
}

extension AnchorTable {
  /// Describes the last anchor for people; a bad one is described too, so that it does not hide the rest of the store.
  ///
  /// - Parameters:
  ///   - storeID: the store's id.
  ///   - ring: the unlocked ring; nil without the secret.
  ///   - seen: the greatest counter that was seen before this state of the file.
  ///   - connection: a connection in a transaction.
  /// - Returns: the anchor and how far it can be trusted; nil if there never was one.
  /// - Throws: what reading throws.
  static func describe(
    _ storeID: StoreID,
    _ ring: KeyRing?,
    seenBefore seen: UInt64,
    on connection: any EngineConnection
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
