import SwiftSyntax

extension AttributeSyntax {
  /// The attribute's name without its module.
  var simpleName: String {
    if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
    return attributeName.trimmedDescription
  }

  /// The arguments, none where there is no list.
  var argumentList: [LabeledExprSyntax] {
    guard case .argumentList(let list) = arguments else { return [] }
    return Array(list)
  }

  /// The argument with that label; nil is the unlabelled one.
  func argument(_ label: String?) -> LabeledExprSyntax? {
    argumentList.first { $0.label?.text == label }
  }
}

extension ExprSyntax {
  var isNilLiteral: Bool { `is`(NilLiteralExprSyntax.self) }

  /// The text of a string literal without interpolation and escapes; nil for any other expression.
  var literalText: String? {
    guard let literal = self.as(StringLiteralExprSyntax.self), literal.segments.count == 1,
      let segment = literal.segments.first?.as(StringSegmentSyntax.self)
    else { return nil }
    return segment.content.text.contains("\\") ? nil : segment.content.text
  }
}

extension TokenSyntax {
  /// The name without backticks.
  var plainName: String { identifier?.name ?? text }
}
