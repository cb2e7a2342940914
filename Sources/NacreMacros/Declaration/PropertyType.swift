import SwiftSyntax
import SwiftSyntaxBuilder

/// The parts of a property's type that its spelling shows.
///
/// Syntax can't tell whether `Engine?` is a child or an enum. Such a type is `other`, and the compiler chooses among
/// NacreCore's overloads.
indirect enum PropertyType: Equatable {
  /// The kinds of values that an index or a column's form distinguishes.
  enum ValueKind {
    /// A `Bool`, which has two values.
    case flag
    /// A `String` or `URL`, which is stored unchanged as text.
    case text
    /// A `Date`, whose column has a form.
    case date
    /// Any other kind.
    case other
  }

  /// A type of the standard library or Foundation that is certainly a value.
  case value(ValueKind)
  /// `Link<…>`, not optional.
  case link
  /// `Links<…>`.
  case links
  case optional(PropertyType)
  case array(PropertyType)
  case dictionary(PropertyType, PropertyType)
  case other

  private static let values: [String: ValueKind] = [
    "Bool": .flag, "String": .text, "URL": .text, "Int": .other, "Int8": .other, "Int16": .other,
    "Int32": .other, "Int64": .other, "UInt": .other, "UInt8": .other, "UInt16": .other,
    "UInt32": .other, "UInt64": .other, "Float": .other, "Double": .other, "Data": .other,
    "Date": .date, "UUID": .other, "Decimal": .other,
  ]

  private static let modules: Set<String> = ["Swift", "Foundation", "NacreCore", "Nacre"]

  init(_ type: TypeSyntax) {
    switch type.as(TypeSyntaxEnum.self) {
    case .optionalType(let optional): self = .optional(PropertyType(optional.wrappedType))
    case .arrayType(let array): self = .array(PropertyType(array.element))
    case .dictionaryType(let dictionary):
      self = .dictionary(PropertyType(dictionary.key), PropertyType(dictionary.value))
    case .identifierType(let named):
      self.init(named: named.name.plainName, named.genericArgumentClause)
    case .memberType(let member) where Self.modules.contains(member.baseType.trimmedDescription):
      self.init(named: member.name.plainName, member.genericArgumentClause)
    case .tupleType(let tuple) where tuple.elements.count == 1:
      self = tuple.elements.first.map { PropertyType($0.type) } ?? .other
    default: self = .other
    }
  }

  private init(named name: String, _ clause: GenericArgumentClauseSyntax?) {
    let arguments = (clause?.arguments ?? []).map { argument -> PropertyType in
      // A type in swift-syntax 600, and a choice of a type or an expression in later versions.
      Syntax(argument.argument).as(TypeSyntax.self).map { PropertyType($0) } ?? .other
    }
    if arguments.isEmpty, let kind = Self.values[name] {
      self = .value(kind)
      return
    }
    switch (name, arguments.count) {
    case ("Link", _): self = .link
    case ("Links", _): self = .links
    case ("Optional", 1): self = .optional(arguments[0])
    case ("Array", 1): self = .array(arguments[0])
    case ("Dictionary", 2): self = .dictionary(arguments[0], arguments[1])
    default: self = .other
    }
  }

  /// The type without its optionals.
  var wrapped: PropertyType {
    if case .optional(let type) = self { type.wrapped } else { self }
  }

  /// Whether the property certainly holds no text; a value stored as JSON is not text.
  var isKnownNotText: Bool {
    switch wrapped {
    case .value(let kind): kind != .text
    case .array, .dictionary: true
    case .link, .links, .optional, .other: false
    }
  }

  /// Whether the property certainly holds no date.
  var isKnownNotDate: Bool {
    switch wrapped {
    case .value(let kind): kind != .date
    case .array, .dictionary, .link, .links: true
    case .optional, .other: false
    }
  }

  /// Whether the property certainly holds a value, and so is neither a child nor a link.
  var isKnownValue: Bool {
    switch self {
    case .value: true
    case .optional(let type), .array(let type): type.isKnownValue
    case .dictionary(let key, let value): key.isKnownValue && value.isKnownValue
    case .link, .links, .other: false
    }
  }

  /// Whether the property certainly refers to objects.
  var isReference: Bool {
    switch self {
    case .link, .links: true
    case .optional(let type), .array(let type): type.isReference
    case .dictionary(_, let value): value.isReference
    case .value, .other: false
    }
  }

  /// Whether the property may hold several objects, because its type is an array or a name that can stand for one.
  var mayBeToMany: Bool {
    switch self {
    case .array, .other: true
    case .value, .link, .links, .optional, .dictionary: false
    }
  }

  /// Whether the property holds at most one object, if it holds objects at all.
  var isToOne: Bool {
    switch self {
    case .link, .optional(.link), .optional(.other): true
    default: false
    }
  }
}
