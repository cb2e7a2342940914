/// A JSON text (RFC 8259) as a value, stored as TEXT.
/// ```swift
/// report.details = ["name": "Ada", "marks": [1, 2.5, .null]]
/// let first = report.details["marks"]?[0]
/// ```
/// `.null` is the JSON text `null`; the nil of a `JSONValue?` is SQL NULL.
public enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number that fits in 64 signed bits.
  case integer(Int64)
  /// Any other number; it has to be finite to be stored.
  case number(Double)
  /// A text.
  case string(String)
  /// Values in their order.
  case array([JSONValue])
  /// Values by name.
  case object([String: JSONValue])

  /// The member of an object with that name; nil if it has no such member or the value is not an object.
  ///
  /// Setting nil removes the member. If the value is not an object, setting does nothing.
  public subscript(_ name: String) -> JSONValue? {
    get { if case .object(let members) = self { members[name] } else { nil } }
    set {
      guard case .object(var members) = self else { return }
      members[name] = newValue
      self = .object(members)
    }
  }

  /// The element of an array at an index, from 0; nil if the index is out of range or the value is not an array.
  public subscript(_ index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

extension JSONValue: Hashable {
  /// Whether two values mean the same: `2` and `2.0` are equal, because JSON has only one kind of number.
  public static func == (a: JSONValue, b: JSONValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.integer(let a), .number(let b)), (.number(let b), .integer(let a)):
      Int64(exactly: b) == a
    case (.string(let a), .string(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .number(let value):
      if let whole = Int64(exactly: value) { hasher.combine(whole) } else { hasher.combine(value) }
    case .string(let value): hasher.combine(value)
    case .array(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }
}

// Not ExpressibleByNilLiteral: comparing an optional `JSONValue` with nil must not compare it with `.null`.
extension JSONValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Makes a whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Makes a number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Makes a text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Makes an object; if a name comes twice, the last value counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}
