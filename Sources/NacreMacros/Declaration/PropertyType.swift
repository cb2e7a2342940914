import SwiftSyntax
import SwiftSyntaxBuilder

/// What can be told of a property's type from its spelling alone.
///
/// Whether `Engine?` is a child or an enum is beyond syntax: that is `other`, and the compiler
/// chooses among NacreCore's overloads.
indirect enum PropertyType: Equatable {
  /// A type of the standard library or Foundation that is a value for certain.
  case value
  /// `Link<…>`, not optional.
  case link
  /// `Links<…>`.
  case links
  case optional(PropertyType)
  case array(PropertyType)
  case dictionary(PropertyType, PropertyType)
  case other

  private static let values: Set<String> = [
    "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    "Float", "Double", "String", "Data", "Date", "UUID", "URL", "Decimal",
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
      if case .type(let type) = argument.argument { PropertyType(type) } else { .other }
    }
    switch (name, arguments.count) {
    case (_, 0) where Self.values.contains(name): self = .value
    case ("Link", _): self = .link
    case ("Links", _): self = .links
    case ("Optional", 1): self = .optional(arguments[0])
    case ("Array", 1): self = .array(arguments[0])
    case ("Dictionary", 2): self = .dictionary(arguments[0], arguments[1])
    default: self = .other
    }
  }

  /// Whether the property holds a value for certain and so is neither child nor link.
  var isKnownValue: Bool {
    switch self {
    case .value: true
    case .optional(let type), .array(let type): type.isKnownValue
    case .dictionary(let key, let value): key.isKnownValue && value.isKnownValue
    case .link, .links, .other: false
    }
  }

  /// Whether the property refers to objects for certain.
  var isReference: Bool {
    switch self {
    case .link, .links: true
    case .optional(let type), .array(let type): type.isReference
    case .dictionary(_, let value): value.isReference
    case .value, .other: false
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
