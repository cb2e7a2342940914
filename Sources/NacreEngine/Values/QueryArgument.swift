/// An argument for a parameter of a condition or statement: a value, or a list of values.
///
/// Every ``StorableValue`` is an argument and is compared in its stored form. An array or a set is a list: Nacre
/// replaces its parameter by one parameter per element, as `IN (?)` needs them. An empty list leaves none: `IN ()`
/// finds nothing.
/// ```swift
/// let cars = try Car.fetchAll(where: "color IN (?) AND built > ?", ["red", "blue"], Date.distantPast)
/// ```
/// In a condition, Nacre binds a Date, alone or in a list, in the form of the entity's plain date columns; see
/// ``DateForm`` for columns of several forms. In a statement of your own, a Date is bound as REAL unless you wrap it.
public protocol QueryArgument {
  /// The form in which the argument is bound.
  ///
  /// - Throws: ``ValueError`` when a value has no stored form.
  var argumentForm: ArgumentForm { get throws }
}

/// The bound form of an argument: one parameter, or any number of them.
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

/// The arguments of a condition or statement, keyed by the names of its parameters.
///
/// Write the names without their colon. Each argument is used for every `:name` in the text. A missing argument is an
/// error, and so is one whose name the text does not have.
/// ```swift
/// let some = Car.where(
///   "power > :min AND color IN (:colors)",
///   ["min": 200, "colors": ["red", "blue"]]
/// )
/// let cars = try some.fetchAll()
/// ```
public struct NamedArguments: ExpressibleByDictionaryLiteral {
  package let arguments: [String: (any QueryArgument)?]

  /// Takes arguments by name; nil is NULL.
  public init(_ arguments: [String: (any QueryArgument)?]) { self.arguments = arguments }

  /// Takes arguments by name; if a name comes twice, the later argument counts.
  public init(dictionaryLiteral elements: (String, (any QueryArgument)?)...) {
    arguments = Dictionary(elements) { _, later in later }
  }
}
