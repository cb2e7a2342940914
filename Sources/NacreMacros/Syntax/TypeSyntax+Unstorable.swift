import SwiftSyntax

extension TypeSyntax {
  /// The part of the type that no column can hold, in words, or nil if the spelling shows none.
  var unstorableKind: String? {
    switch self.as(TypeSyntaxEnum.self) {
    case .functionType: "a function"
    case .metatypeType: "a metatype"
    case .compositionType: "any type of a composition"
    case .implicitlyUnwrappedOptionalType: "an implicitly unwrapped optional"
    case .someOrAnyType(let type):
      type.someOrAnySpecifier.tokenKind == .keyword(.any)
        ? "any type of a protocol" : "an opaque type"
    case .tupleType(let tuple):
      tuple.elements.count == 1 ? tuple.elements.first?.type.unstorableKind : "a tuple"
    case .attributedType(let type): type.baseType.unstorableKind
    case .optionalType(let type): type.wrappedType.unstorableKind
    case .arrayType(let type): type.element.unstorableKind
    case .dictionaryType(let type): type.key.unstorableKind ?? type.value.unstorableKind
    case .identifierType(let type):
      switch type.name.text {
      case "Any", "AnyObject", "AnyHashable": "'\(type.name.text)'"
      case "Void": "a tuple"
      default: nil
      }
    default: nil
    }
  }
}
