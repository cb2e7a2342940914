import Foundation
package import NacreCrypto
package import NacreEngine

extension PayloadWriter {
  /// Encodes a value of any storage class as the payload to seal.
  ///
  /// - Returns: The payload, valid until the writer is used again.
  package func encode(_ value: Value) throws -> UnsafeRawBufferPointer {
    switch value {
    case .null: try null()
    case .integer(let value): try integer(value)
    case .real(let value): try real(value)
    case .text(let value): try text(value)
    case .blob(let value): try value.withUnsafeBytes { try blob($0) }
    }
  }
}

extension Value {
  /// Decodes an opened payload, whatever its type.
  package init(_ payload: PayloadReader) throws {
    self =
      switch payload.type {
      case .null: .null
      case .integer: .integer(try payload.integer())
      case .real: .real(try payload.real())
      case .text: .text(try payload.text())
      case .blob: .blob(Data(try payload.blob()))
      }
  }
}

extension PayloadType {
  /// Returns the type of the payloads of a storage class.
  package init(_ storageClass: StorageClass) {
    self =
      switch storageClass {
      case .null: .null
      case .integer: .integer
      case .real: .real
      case .text: .text
      case .blob: .blob
      }
  }
}

extension ObjectIDBytes {
  /// Takes the identity's 16 bytes.
  package init(_ identity: ObjectID) { self.init(high: identity.high, low: identity.low) }
}
