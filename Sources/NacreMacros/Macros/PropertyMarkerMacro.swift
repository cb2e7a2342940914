package import SwiftSyntax
package import SwiftSyntaxMacros

/// `@Encrypted`, `@Column`, `@Relationship` and `@Transient`, which only `@Entity` reads.
///
/// By themselves they only check that they are at a place where `@Entity` reads them.
package enum PropertyMarkerMacro: PeerMacro {
  package static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    if let diagnostic = diagnostic(of: node, on: declaration, in: context.lexicalContext) {
      context.diagnose(diagnostic.at(node))
    }
    return []
  }

  private static func diagnostic(
    of node: AttributeSyntax,
    on declaration: some DeclSyntaxProtocol,
    in lexicalContext: [Syntax]
  ) -> MacroDiagnostic? {
    let name = node.simpleName
    guard let variable = declaration.as(VariableDeclSyntax.self) else { return .notAProperty(name) }
    if variable.isStatic { return .notInstance(name) }
    guard variable.bindings.contains(where: \.isStored) else { return .computed(name) }
    guard let type = lexicalContext.first?.asProtocol((any DeclGroupSyntax).self),
      type.attributes.contains(where: { $0.as(AttributeSyntax.self)?.simpleName == "Entity" })
    else { return .outsideEntity(name) }
    return nil
  }
}
