import SwiftSyntax
import SwiftSyntaxBuilder

extension PropertyType {
  /// Infers a property's type from its default value if no type is written.
  init(inferredFrom value: ExprSyntax) {
    switch value.as(ExprSyntaxEnum.self) {
    case .booleanLiteralExpr: self = .value(.flag)
    case .stringLiteralExpr: self = .value(.text)
    case .integerLiteralExpr, .floatLiteralExpr: self = .value(.other)
    case .prefixOperatorExpr(let prefixed): self.init(inferredFrom: prefixed.expression)
    case .arrayExpr(let array):
      self = .array(Self.common(array.elements.map(\.expression)))
    case .dictionaryExpr(let dictionary):
      self = .dictionary(Self.common(dictionary.keys), Self.common(dictionary.values))
    case .functionCallExpr(let call): self.init(called: call.calledExpression)
    default: self = .other
    }
  }

  private static func common(_ elements: [ExprSyntax]) -> PropertyType {
    let types = elements.map { PropertyType(inferredFrom: $0) }
    guard let first = types.first, types.allSatisfy({ $0 == first }) else { return .other }
    return first
  }

  /// The type of the called expression in `Date()`, `[Int]()` or `Data.init()`.
  ///
  /// A function's name looks like a type's name, but no function has the name of a known type.
  private init(called expression: ExprSyntax) {
    switch expression.as(ExprSyntaxEnum.self) {
    case .memberAccessExpr(let member) where member.declName.baseName.text == "init":
      self = member.base.map { PropertyType(called: $0) } ?? .other
    case .declReferenceExpr, .genericSpecializationExpr, .arrayExpr, .dictionaryExpr,
      .memberAccessExpr:
      self.init(TypeSyntax("\(raw: expression.trimmedDescription)"))
    default: self = .other
    }
  }
}

extension DictionaryExprSyntax {
  private var elements: [DictionaryElementSyntax] {
    guard case .elements(let elements) = content else { return [] }
    return Array(elements)
  }

  fileprivate var keys: [ExprSyntax] { elements.map(\.key) }
  fileprivate var values: [ExprSyntax] { elements.map(\.value) }
}
