package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// `@EntityProperty`: turns a stored property of an entity into a computed one over a stored one.
///
/// `@Entity` puts it on every stored property. The stored one has the same name with an underscore. The accessors tell
/// the object's state and its observers of changes.
package enum EntityPropertyMacro {}

extension EntityPropertyMacro: AccessorMacro {
  package static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let property = declaration.as(VariableDeclSyntax.self)?.property,
      let index = node.argument(nil)?.expression.trimmed
    else { return [] }
    return PropertyExpansion(property: property, index: "\(index)").accessors
  }
}

extension EntityPropertyMacro: PeerMacro {
  package static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let property = declaration.as(VariableDeclSyntax.self)?.property,
      let index = node.argument(nil)?.expression.trimmed
    else { return [] }
    return [PropertyExpansion(property: property, index: "\(index)").storage]
  }
}

extension VariableDeclSyntax {
  /// The property that the variable declares, or nil if it does not declare one by its name.
  fileprivate var property: PropertyDeclaration? {
    guard let binding = bindings.first, let identifier = binding.identifier else { return nil }
    return PropertyDeclaration(
      parsing: self,
      binding: binding,
      identifier: identifier,
      attributes: PropertyAttributes(parsing: attributes)
    )
  }
}
