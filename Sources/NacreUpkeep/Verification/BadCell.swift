public import Foundation
import NacreStore
import NacreCrypto

/// A faulty cell of a store: its place and its fault, never its content.
///
/// You can keep a list of bad cells as JSON and give it to ``Store/quarantine(_:progress:)`` later.
public struct BadCell: Sendable, Codable, Hashable {
  /// The entity.
  public let entity: String
  /// The object; for a row of a relationship its owner; 16 zero bytes in the table of a DAO, whose rows have no
  /// objectID.
  public let objectID: UUID
  /// The rowid of a row in a DAO's table; nil in other tables.
  public let rowID: Int64?
  /// The property.
  public let property: String
  /// The kind of fault.
  public let fault: Fault
  /// The key that the envelope names, in 8 hex digits; nil if there is no envelope.
  ///
  /// A value that does not open may name any key.
  public let keyID: String?

  /// Describes a cell, such as one from an earlier list.
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

  /// A kind of fault of a cell; later versions may find more, so a `switch` needs a `default`.
  public enum Fault: String, Sendable, Codable, CaseIterable {
    /// Something that was never sealed, such as plain text, or what is left of an envelope that was cut.
    case notAnEnvelope
    /// An envelope of a suite that this version does not know.
    case unsupportedSuite
    /// An envelope that was changed, or that was sealed for another place.
    case tampered
    /// An envelope under a key that the ring does not have.
    case unknownKey
    /// An envelope under a key that was disabled; the value opens when the key is enabled.
    case disabledKey
    /// An envelope under a key that was destroyed: the value is lost.
    case destroyedKey
    /// A value of another type than the property's.
    case wrongType
    /// A value that is not a payload of this format, or a row of a relationship with an invalid position.
    case malformed
    /// nil, in a property that is never nil.
    case nullNotAllowed
    /// NULL in a property whose nil is sealed in every row: somebody has removed a value, or has shown which value is
    /// nil.
    case nullNotSealed
    /// A blind index that does not match the value.
    case wrongIndex
    /// A value without its blind index.
    case missingIndex
    /// A blind index without a value.
    case strayIndex
    /// A value of a unique property that another object also has, indexed under another key.
    case duplicateUnique
    /// A reference to an object that does not exist, or a relationship's row whose owner does not exist.
    case danglingReference

    /// Whether the value is sound and only its index is wrong, so that the index can be recomputed.
    var isOfIndex: Bool { self == .wrongIndex || self == .missingIndex || self == .strayIndex }
  }
}

extension BadCell: CustomStringConvertible {
  /// The place and the fault, such as `Car.vin of 0190…: tampered (key 0a1b2c3d)` or `dao:notes.body of row 7:
  /// tampered`.
  public var description: String {
    "\(entity).\(property) of \(rowID.map { "row \($0)" } ?? objectID.uuidString): \(fault.rawValue)"
      + (keyID.map { " (key \($0))" } ?? "")
  }
}

extension BadCell.Fault {
  /// The fault of a cell whose envelope does not open; nil if the error is not the cell's fault.
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
