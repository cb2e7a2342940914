package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// `@EntityProperty`: turns a stored property of an entity into a computed one over a stored one.
///
/// `@Entity` puts it on every stored property. The stored one has the same name with an underscore. The accessors tell
/// the object's state and its observers of changes.
package enum EntityPropertyMacro {
  package static var formatMode: FormatMode { .disabled }
}

extension EntityPropertyMacro: AccessorMacro {
  package static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    PropertyExpansion(of: node, on: declaration)?.accessors ?? []
  }
}

extension EntityPropertyMacro: PeerMacro {
  package static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    PropertyExpansion(of: node, on: declaration).map { [$0.storage] } ?? []
  }
}

extension PropertyExpansion {
  /// Parses the property that has the attribute; nil if there is none.
  fileprivate init?(of node: AttributeSyntax, on declaration: some DeclSyntaxProtocol) {
    guard let variable = declaration.as(VariableDeclSyntax.self),
      let property = variable.property(PropertyAttributes(parsing: variable.attributes)),
      let index = node.argument(nil)?.expression.trimmed
    else { return nil }
    self.init(property: property, index: "\(index)")
  }
}
