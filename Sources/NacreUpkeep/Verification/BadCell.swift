public import Foundation
import NacreCore
import NacreCrypto

/// A cell of a store that is not as it has to be: where it is and what is wrong, never what it holds.
///
/// A list of them can be kept as JSON and given to ``Store/quarantine(_:progress:)`` later.
public struct BadCell: Sendable, Codable, Hashable {
  /// The entity.
  public let entity: String
  /// The object; for a row of a relationship its owner; in the table of a DAO, whose rows have none, 16 zero bytes.
  public let objectID: UUID
  /// The row's rowid, in the table of a DAO; nil in others.
  public let rowID: Int64?
  /// The property.
  public let property: String
  /// What is wrong.
  public let fault: Fault
  /// The key that the envelope names, in 8 hex digits; nil where there is no envelope.
  ///
  /// A value that does not open may name any key.
  public let keyID: String?

  /// Names a cell, as one that was listed before.
  public init(
    entity: String,
    objectID: UUID,
    rowID: Int64? = nil,
    property: String,
    fault: Fault,
    keyID: String? = nil
  ) {
    self.entity = entity
    self.objectID = objectID
    self.rowID = rowID
    self.property = property
    self.fault = fault
    self.keyID = keyID
  }

  /// What is wrong with a cell; later versions may find more, so that a `switch` needs a `default`.
  public enum Fault: String, Sendable, Codable, CaseIterable {
    /// Something that was never sealed, such as plain text, or what is left of an envelope that was cut.
    case notAnEnvelope
    /// An envelope of a suite that this version does not know.
    case unsupportedSuite
    /// An envelope that was changed, or comes from another place.
    case tampered
    /// An envelope under a key that the ring does not have.
    case unknownKey
    /// An envelope under a key that was disabled; the value opens when the key is enabled.
    case disabledKey
    /// An envelope under a key that was destroyed: the value is lost.
    case destroyedKey
    /// A value of another type than the property's.
    case wrongType
    /// A value that is no payload of this format, or a row of a relationship whose position is none.
    case malformed
    /// nil, in a property that is never nil.
    case nullNotAllowed
    /// NULL in a property whose nil is sealed in every row: somebody has taken a value away, or shown which is nil.
    case nullNotSealed
    /// A blind index that is not that of the value.
    case wrongIndex
    /// A value without its blind index.
    case missingIndex
    /// A blind index where there is no value.
    case strayIndex
    /// A value of a unique property that another object has under another index key.
    case duplicateUnique
    /// A reference to, or of, an object that is not there.
    case danglingReference

    /// Whether the value is sound and its index alone is wrong, so that it can be made anew.
    var isOfIndex: Bool { self == .wrongIndex || self == .missingIndex || self == .strayIndex }
  }
}

extension BadCell: CustomStringConvertible {
  /// The place and the fault, as `Car.vin of 0190…: tampered (key 0a1b2c3d)` or `dao:notes.body of row 7: tampered`.
  public var description: String {
    "\(entity).\(property) of \(rowID.map { "row \($0)" } ?? objectID.uuidString): \(fault.rawValue)"
      + (keyID.map { " (key \($0))" } ?? "")
  }
}

extension BadCell.Fault {
  /// What an envelope that does not open says of its cell; nil where the fault is not the cell's.
  init?(_ error: CryptoError) {
    switch error.code {
    case .notAnEnvelope: self = .notAnEnvelope
    case .unsupportedSuite: self = .unsupportedSuite
    case .authenticationFailed: self = .tampered
    case .unknownKey: self = .unknownKey
    case .disabledKey: self = .disabledKey
    case .destroyedKey: self = .destroyedKey
    case .wrongPayloadType: self = .wrongType
    case .malformedPayload: self = .malformed
    default: return nil
    }
  }
}
