package import SwiftSyntax
package import SwiftSyntaxMacros

/// `@DAO`: writes the proxy of a protocol as its peer.
package enum DAOMacro: PeerMacro {
  package static var formatMode: FormatMode { .disabled }

  package static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let dao = DAODeclaration(parsing: declaration, in: context.lexicalContext)
    dao.diagnostics.forEach(context.diagnose)
    guard dao.diagnostics.isEmpty else { return [] }
    let expansion = DAOExpansion(dao: dao) { token in
      guard let location = context.location(of: token) else { return "@DAO" }
      let file = location.file.literalText?.split(separator: "/").last ?? ""
      return "\(file):\(location.line.trimmed)"
    }
    return [expansion.proxy]
  }
}
