import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

extension FixIt {
  /// Makes an edit that replaces one node with another.
  static func replacing(
    _ old: some SyntaxProtocol,
    with new: some SyntaxProtocol,
    _ message: MacroFixIt
  ) -> FixIt {
    FixIt(
      message: message,
      changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))]
    )
  }

  /// Makes an edit that replaces the text of a token.
  static func rewording(_ token: TokenSyntax, as text: String, _ message: MacroFixIt) -> FixIt {
    replacing(token, with: token.with(\.tokenKind, .identifier(text)), message)
  }

  /// Marks a property as transient.
  static func addTransient(to variable: VariableDeclSyntax) -> FixIt {
    var bare = variable
    bare.leadingTrivia = []
    let attribute = AttributeSyntax(
      leadingTrivia: variable.leadingTrivia,
      attributeName: TypeSyntax("Transient"),
      trailingTrivia: .space
    )
    bare.attributes.insert(.attribute(attribute), at: bare.attributes.startIndex)
    return replacing(
      variable,
      with: bare,
      MacroFixIt("addTransient", "mark it '@Transient', which is not stored")
    )
  }

  /// Removes an attribute from a property.
  static func remove(_ attribute: AttributeSyntax, from variable: VariableDeclSyntax) -> FixIt {
    var bare = variable
    bare.attributes = variable.attributes.filter { $0.as(AttributeSyntax.self) != attribute }
    bare.leadingTrivia = variable.leadingTrivia
    return replacing(
      variable,
      with: bare,
      MacroFixIt("removeAttribute", "remove '@\(attribute.simpleName)'")
    )
  }

  /// Replaces the type of a property.
  static func changeType(_ old: TypeSyntax, to new: String) -> FixIt {
    let type = TypeSyntax("\(raw: new)")
      .with(\.leadingTrivia, old.leadingTrivia).with(\.trailingTrivia, old.trailingTrivia)
    return replacing(old, with: type, MacroFixIt("changeType", "change the type to '\(new)'"))
  }
}
