/// What may stand for a parameter of a condition or statement: a value, or a list of values.
///
/// Every ``StorableValue`` is one and is compared as it is stored. An array or a set is a list: its parameter becomes
/// as many as it has elements, as `IN (?)` needs them, and none where it is empty: `IN ()` finds nothing.
/// ```swift
/// let cars = try Car.fetchAll(where: "color IN (?) AND built > ?", ["red", "blue"], Date.distantPast)
/// ```
/// In a condition a Date, alone or in a list, is bound in the form of the entity's plain columns of dates; see
/// ``DateForm`` for those of several forms. In a statement of the caller's own it is a REAL, unless it is wrapped.
public protocol QueryArgument {
  /// The argument as it is bound.
  ///
  /// - Throws: ``ValueError`` when a value has no stored form.
  var argumentForm: ArgumentForm { get throws }
}

/// An argument as it is bound: in one parameter, or in any number of them.
public enum ArgumentForm: Hashable, Sendable {
  /// One value.
  case value(Value)
  /// The values of a list.
  case list([Value])
}

extension StorableValue {
  /// The stored value.
  ///
  /// - Throws: ``ValueError`` when the value has no stored form.
  public var argumentForm: ArgumentForm { get throws { .value(try storedValue) } }
}

extension Optional: QueryArgument where Wrapped: QueryArgument {
  /// The wrapped argument, or NULL.
  ///
  /// - Throws: ``ValueError`` when a value has no stored form.
  public var argumentForm: ArgumentForm {
    get throws { try self?.argumentForm ?? .value(.null) }
  }
}

extension Array: QueryArgument where Element: StorableValue {
  /// The elements' stored values.
  ///
  /// - Throws: ``ValueError`` when an element has no stored form.
  public var argumentForm: ArgumentForm { get throws { .list(try map { try $0.storedValue }) } }
}

extension Set: QueryArgument where Element: StorableValue {
  /// The elements' stored values.
  ///
  /// - Throws: ``ValueError`` when an element has no stored form.
  public var argumentForm: ArgumentForm { get throws { .list(try map { try $0.storedValue }) } }
}

/// The arguments of a condition or statement by the names of its parameters.
///
/// The names stand without their colon, and each stands for all places of `:name`; one that is missing and one that the
/// text does not have are errors.
/// ```swift
/// let cars = try Car.fetchAll(
///   where: "power > :min AND color IN (:colors)",
///   ["min": 200, "colors": ["red", "blue"]]
/// )
/// ```
public struct NamedArguments: ExpressibleByDictionaryLiteral {
  let arguments: [String: (any QueryArgument)?]

  /// Takes arguments by name; nil is NULL.
  public init(_ arguments: [String: (any QueryArgument)?]) { self.arguments = arguments }

  /// Takes arguments by name; of two under one name the later counts.
  public init(dictionaryLiteral elements: (String, (any QueryArgument)?)...) {
    arguments = Dictionary(elements) { _, later in later }
  }
}
