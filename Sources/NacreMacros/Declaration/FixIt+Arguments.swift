import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

// Edits of the arguments of a property's attributes.

extension FixIt {
  /// Removes arguments from a property's attribute, and the attribute itself if it has no effect without them.
  static func remove(
    _ arguments: [LabeledExprSyntax],
    of attribute: AttributeSyntax,
    from variable: VariableDeclSyntax
  ) -> FixIt {
    guard let bare = attribute.removing(arguments) else {
      return remove(attribute, from: variable)
    }
    let labels = arguments.map { "'\($0.label?.text ?? "")'" }.formatted
    return replacing(attribute, with: bare, MacroFixIt("removeArgument", "remove \(labels)"))
  }

  /// Sets an argument of `@Encrypted` to true.
  static func turnOn(_ label: String, of sealing: AttributeSyntax) -> FixIt {
    replacing(
      sealing,
      with: sealing.turningOn(label),
      MacroFixIt("turnOnArgument", "set '\(label): true'")
    )
  }

  /// Moves an argument of `@Column` with the value true to `@Encrypted`.
  static func move(
    _ argument: LabeledExprSyntax,
    of column: AttributeSyntax,
    to sealing: AttributeSyntax,
    as label: String,
    in variable: VariableDeclSyntax
  ) -> FixIt {
    var changed = variable
    changed.attributes = AttributeListSyntax(
      variable.attributes.compactMap { element in
        switch element.as(AttributeSyntax.self) {
        case column: column.removing([argument]).map { .attribute($0) }
        case sealing: .attribute(sealing.turningOn(label))
        default: element
        }
      }
    )
    changed.leadingTrivia = variable.leadingTrivia
    return replacing(
      variable,
      with: changed,
      MacroFixIt("moveArgument", "use '@Encrypted(\(label): true)' instead")
    )
  }
}

extension AttributeSyntax {
  /// The attribute without those arguments, or nil if it has no effect without them.
  fileprivate func removing(_ arguments: [LabeledExprSyntax]) -> AttributeSyntax? {
    let kept = argumentList.filter { !arguments.contains($0) }
    if let last = kept.last {
      let list = kept.dropLast() + [last.with(\.trailingComma, nil).with(\.trailingTrivia, [])]
      return with(\.arguments, .argumentList(LabeledExprListSyntax(list)))
    }
    // `@Encrypted` seals without arguments, too, so removing it would leave the property unsealed.
    guard simpleName == "Encrypted" else { return nil }
    return with(\.leftParen, nil).with(\.arguments, nil).with(\.rightParen, nil)
      .with(\.trailingTrivia, trailingTrivia)
  }

  /// The attribute `@Encrypted` with that argument set to true, in its place among the others.
  fileprivate func turningOn(_ label: String) -> AttributeSyntax {
    var list = argumentList
    let literal = ExprSyntax(BooleanLiteralExprSyntax(true))
    if let index = list.firstIndex(where: { $0.label?.text == label }) {
      list[index].expression = literal
    } else {
      let later = SealingAttribute.labels.drop { $0 != label }
      let index = list.firstIndex { later.contains($0.label?.text ?? "") } ?? list.endIndex
      list.insert(LabeledExprSyntax(label: label, expression: literal), at: index)
    }
    for index in list.indices.dropLast() where list[index].trailingComma == nil {
      list[index].trailingComma = .commaToken(trailingTrivia: .space)
    }
    if let last = list.indices.last { list[last].trailingComma = nil }
    return with(\.attributeName, attributeName.trimmed)
      .with(\.leftParen, leftParen ?? .leftParenToken())
      .with(\.arguments, .argumentList(LabeledExprListSyntax(list)))
      .with(\.rightParen, rightParen ?? .rightParenToken())
      .with(\.trailingTrivia, trailingTrivia)
  }
}

extension [String] {
  /// The words as a list: `a`, `a and b`, `a, b and c`.
  fileprivate var formatted: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}
