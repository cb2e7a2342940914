import Foundation

/// A type whose stored form is the digits of a `Decimal`, so that its columns compare numbers, and not texts.
protocol StoredAsDecimal {}

extension Decimal: StoredAsDecimal {}

extension Optional: StoredAsDecimal where Wrapped: StoredAsDecimal {}

extension RawStored: StoredAsDecimal where Wrapped.RawValue: StoredAsDecimal {}
