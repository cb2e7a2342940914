package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// `@Entity`: parses the class and writes its conformance; only the member role reports diagnostics, so each comes
/// once.
package enum EntityMacro {
  // Expansions are for the compiler, and to format one took longer than to write it.
  package static var formatMode: FormatMode { .disabled }
}

extension EntityMacro: MemberMacro {
  package static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let entity = EntityDeclaration(parsing: declaration, attribute: node)
    entity.diagnostics.forEach(context.diagnose)
    return entity.isExpandable ? EntityExpansion(entity: entity).members : []
  }
}

extension EntityMacro: MemberAttributeMacro {
  package static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    guard let variable = member.as(VariableDeclSyntax.self) else { return [] }
    let entity = EntityDeclaration(parsing: declaration, attribute: node)
    guard entity.isExpandable, let index = entity.index(of: variable) else { return [] }
    return ["@Nacre.EntityProperty(\(raw: index))"]
  }
}

extension EntityMacro: ExtensionMacro {
  package static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    let entity = EntityDeclaration(parsing: declaration, attribute: node)
    // The list lacks the conformances that the class declares itself.
    guard entity.isExpandable, !protocols.isEmpty else { return [] }
    let conformances = protocols.map(\.trimmedDescription).joined(separator: ", ")
    // If the module is isolated to the main actor by default, the conformance would be, too; but the store makes
    // objects on threads of its own.
    return [
      try ExtensionDeclSyntax("nonisolated extension \(type.trimmed): \(raw: conformances) {}")
    ]
  }
}
