package import Foundation
import NacreEngine

/// How a condition's Date arguments are bound: in the form of the columns that they can be compared
/// with.
package enum DateArguments: Sendable {
  /// All of the entity's date columns hold dates in this form.
  case form(DateForm)
  /// The entity's columns have several forms, and text alone does not tell which one is meant.
  case ambiguous(entity: String)

  /// Is nil if every date column is REAL, because a plain Date is bound as REAL anyway.
  package init?(_ forms: Set<DateForm>, of entity: String) {
    guard let form = forms.first, forms != [.real] else { return nil }
    self = forms.count == 1 ? .form(form) : .ambiguous(entity: entity)
  }

  /// Returns the bound form of a Date or a list of dates; nil for every other argument.
  ///
  /// - Throws: `ambiguousDate`; a `ValueError` if the form can't hold a date.
  func form(of argument: any QueryArgument) throws -> ArgumentForm? {
    switch argument {
    case let date as Date: .value(try stored(date))
    case let dates as [Date?]: .list(try dates.map(stored))
    case let dates as Set<Date?>: .list(try dates.map(stored))
    default: nil
    }
  }

  private func stored(_ date: Date?) throws -> Value {
    guard let date else { return .null }
    switch self {
    case .form(let form): return try form.stored(date)
    case .ambiguous(let entity): throw NacreError(.ambiguousDate, entity: entity)
    }
  }
}

extension DateForm {
  /// Returns the value that a column of this form stores for a date.
  ///
  /// - Throws: `ValueError` for a date that the form can't hold.
  package func stored(_ date: Date) throws -> Value {
    switch self {
    case .real: try date.storedValue
    case .integer: try IntegerDate(date).storedValue
    case .iso8601: try ISO8601Date(date).storedValue
    }
  }

  /// Finds the form in which a type stores a date; nil for a type that does not store dates.
  package init?(storedAs type: any StorableValue.Type) {
    if type == Date.self || type == Date?.self || type == RealDate.self || type == RealDate?.self {
      self = .real
    } else if type == IntegerDate.self || type == IntegerDate?.self {
      self = .integer
    } else if type == ISO8601Date.self || type == ISO8601Date?.self {
      self = .iso8601
    } else {
      return nil
    }
  }
}
