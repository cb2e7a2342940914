import Foundation

/// How a condition's Date arguments are bound: as the columns are that they can be compared with.
enum DateArguments: Sendable {
  /// All of them hold dates in this form.
  case form(DateForm)
  /// The entity's columns have several forms, and text alone does not tell which one is meant.
  case ambiguous(entity: String)

  /// Nil where every column of dates is REAL, as a Date is in itself.
  init?(_ properties: [Property], of entity: String) {
    let forms = Set(properties.compactMap(\.dateForm))
    guard let form = forms.first, forms != [.real] else { return nil }
    self = forms.count == 1 ? .form(form) : .ambiguous(entity: entity)
  }

  /// A Date, or a list of them, as it is bound; nil for every other argument.
  ///
  /// - Throws: `ambiguousDate`, and a `ValueError` where the form can't hold a date.
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
  /// A date as a column of this form holds it.
  ///
  /// - Throws: `ValueError` for a date that the form can't hold.
  func stored(_ date: Date) throws -> Value {
    switch self {
    case .real: try date.storedValue
    case .integer: try IntegerDate(date).storedValue
    case .iso8601: try ISO8601Date(date).storedValue
    }
  }

  /// The form of a type that stores a date; nil for every other type.
  init?(storedAs type: any StorableValue.Type) {
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
