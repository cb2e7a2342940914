package import Foundation
package import NacreCrypto
import NacreEngine

extension Value {
  /// The bytes that a blind index is computed from: the value's type and content.
  ///
  /// Swift's `==` can't be used, because it treats composed and decomposed texts as equal.
  package func indexed(_ normalizer: Normalizer) -> Data {
    switch self {
    case .null: Data()
    case .integer(let value): withUnsafeBytes(of: value.bigEndian) { Data([1]) + $0 }
    case .real(let value): withUnsafeBytes(of: value.bitPattern.bigEndian) { Data([2]) + $0 }
    case .text(let value): Data([3]) + Data(normalizer.normalized(value).utf8)
    case .blob(let value): Data([4]) + value
    }
  }
}
