/// The place that a sealed value is bound to: store, entity and property.
///
/// It computes `D = SHA-256(domain ‖ storeID[16] ‖ LP(entity) ‖ LP(property))` once, when it is made.
public struct FieldContext: Sendable {
  /// The part of Nacre that seals: the object store, or the DAO, whose values have no objectID.
  public enum Domain: Sendable {
    /// "nacre/field/1"
    case entity
    /// "nacre/dao/1"
    case dao

    fileprivate var label: String {
      switch self {
      case .entity: "nacre/field/1"
      case .dao: "nacre/dao/1"
      }
    }
  }

  /// The store.
  public let storeID: StoreID
  /// The entity's name, or the class of the DAO.
  public let entity: String
  /// The property's name.
  public let property: String
  /// The part of Nacre that seals.
  public let domain: Domain
  /// D as four words in memory order.
  let digest: (UInt64, UInt64, UInt64, UInt64)

  /// Computes D for a property.
  ///
  /// - Throws: `lengthTooLarge` if a name has more than 65,535 bytes.
  package init(
    storeID: StoreID,
    entity: String,
    property: String,
    domain: Domain = .entity
  ) throws(CryptoError) {
    self.storeID = storeID
    self.entity = entity
    self.property = property
    self.domain = domain
    var message = Array(domain.label.utf8) + storeID.bytes
    try message.append(lengthPrefixed: entity)
    try message.append(lengthPrefixed: property)
    digest = try SHA256.digest(message).withUnsafeBytes {
      (
        $0.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
        $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
        $0.loadUnaligned(fromByteOffset: 16, as: UInt64.self),
        $0.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
      )
    }
  }

  /// D as 32 bytes.
  package var digestBytes: [UInt8] { withUnsafeBytes(of: digest) { Array($0) } }
}

/// The 16 bytes of an objectID as two words, most significant byte first.
package struct ObjectIDBytes: Hashable, Sendable {
  /// Bytes 0 to 7.
  package let high: UInt64
  /// Bytes 8 to 15.
  package let low: UInt64

  /// The value used if there is no objectID, as in the DAO.
  package static let zero = ObjectIDBytes(high: 0, low: 0)

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The 16 bytes.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: high)
    bytes.append(bigEndian: low)
    return bytes
  }
}
