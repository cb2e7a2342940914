import Foundation

/// A type that is stored as the digits of a `Decimal`, so that its columns compare as numbers and not as texts.
package protocol StoredAsDecimal {}

extension Decimal: StoredAsDecimal {}

extension Optional: StoredAsDecimal where Wrapped: StoredAsDecimal {}

extension RawStored: StoredAsDecimal where Wrapped.RawValue: StoredAsDecimal {}
