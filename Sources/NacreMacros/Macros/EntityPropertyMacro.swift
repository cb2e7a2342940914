package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// `@EntityProperty`, which `@Entity` puts on every stored property: notes that the property was
/// set.
package enum EntityPropertyMacro: AccessorMacro {
  package static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let binding = declaration.as(VariableDeclSyntax.self)?.bindings.first,
      let index = node.argument(nil)?.expression.trimmed
    else { return [] }
    // The user's own observer stays as it is; the other one serves as well.
    let observer = binding.hasObserver(.didSet) ? "willSet" : "didSet"
    return [
      """
      \(raw: observer) {
        entityState.markChanged(\(index))
      }
      """
    ]
  }
}
