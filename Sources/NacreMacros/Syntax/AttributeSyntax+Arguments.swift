import SwiftSyntax

extension AttributeSyntax {
  /// The attribute's name without its module.
  var simpleName: String {
    if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
    return attributeName.trimmedDescription
  }

  /// The arguments, or an empty array if there is no list.
  var argumentList: [LabeledExprSyntax] {
    guard case .argumentList(let list) = arguments else { return [] }
    return Array(list)
  }

  /// The argument with that label, or the unlabelled one for nil.
  func argument(_ label: String?) -> LabeledExprSyntax? {
    argumentList.first { $0.label?.text == label }
  }

  /// The argument with that label, or the unlabelled one for nil; `nil` counts as no argument.
  func given(_ label: String?) -> LabeledExprSyntax? {
    argument(label).flatMap { $0.expression.isNilLiteral ? nil : $0 }
  }
}

extension ExprSyntax {
  var isNilLiteral: Bool { `is`(NilLiteralExprSyntax.self) }

  var isBooleanLiteral: Bool { `is`(BooleanLiteralExprSyntax.self) }

  var isTrue: Bool { self.as(BooleanLiteralExprSyntax.self)?.literal.text == "true" }

  /// Whether this is a member with that name, such as `.cascade` or `DeleteRule.cascade`.
  func isMember(_ name: String) -> Bool {
    self.as(MemberAccessExprSyntax.self)?.declName.baseName.text == name
  }

  /// Whether this is an integer literal, with or without a sign, outside the range.
  func isLiteral(outside range: ClosedRange<Int>) -> Bool {
    if let signed = self.as(PrefixOperatorExprSyntax.self), signed.operator.text == "-" {
      return signed.expression.is(IntegerLiteralExprSyntax.self)
    }
    guard let literal = self.as(IntegerLiteralExprSyntax.self) else { return false }
    // A literal has no value if it is too large for an Int.
    return literal.value.map { !range.contains($0) } ?? true
  }

  /// Whether this is an integer literal of 1 or more.
  var isPositiveLiteral: Bool {
    `is`(IntegerLiteralExprSyntax.self) && !isLiteral(outside: 1...Int.max)
  }

  /// The text of a string literal without interpolation and escapes, or nil for any other expression.
  var literalText: String? {
    guard let literal = self.as(StringLiteralExprSyntax.self), literal.segments.count == 1,
      let segment = literal.segments.first?.as(StringSegmentSyntax.self)
    else { return nil }
    return segment.content.text.contains("\\") ? nil : segment.content.text
  }
}

extension IntegerLiteralExprSyntax {
  /// The value, or nil if it is too large for an Int; swift-syntax 600 does not have it.
  fileprivate var value: Int? {
    let text = literal.text.filter { $0 != "_" }
    return switch text.prefix(2) {
    case "0x": Int(text.dropFirst(2), radix: 16)
    case "0o": Int(text.dropFirst(2), radix: 8)
    case "0b": Int(text.dropFirst(2), radix: 2)
    default: Int(text)
    }
  }
}

extension TokenSyntax {
  /// The name without backticks.
  var plainName: String { identifier?.name ?? text }
}
