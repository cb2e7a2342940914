import SwiftDiagnostics
import SwiftSyntax

/// A protocol marked `@DAO`: its syntax and its errors.
struct DAODeclaration {
  /// The protocol's name as written.
  let identifier: TokenSyntax
  /// The modifier that the proxy and its members share with the protocol, with a space after it, or an empty text.
  let access: String
  /// The protocol's `@available` attributes.
  let availability: String
  private(set) var methods: [DAOMethodDeclaration] = []
  private(set) var diagnostics: [Diagnostic] = []

  init(parsing declaration: some DeclSyntaxProtocol, in lexicalContext: [Syntax]) {
    let type = declaration.as(ProtocolDeclSyntax.self)
    identifier = type?.name.trimmed ?? .identifier("")
    access = type?.modifiers.memberAccess ?? ""
    availability = type?.attributes.availability ?? ""
    guard let type else {
      diagnostics = [Self.notAProtocol(declaration)]
      return
    }
    diagnostics =
      Self.placeDiagnostics(of: type, in: lexicalContext) + Self.inheritanceDiagnostics(of: type)
    for member in type.memberBlock.members { parse(member.decl) }
  }

  private mutating func parse(_ member: DeclSyntax) {
    let kind: String
    switch member.as(DeclSyntaxEnum.self) {
    case .functionDecl(let function): return parse(function)
    case .ifConfigDecl: return diagnostics.append(MacroDiagnostic.conditionalMethod.at(member))
    case .variableDecl: kind = "a property"
    case .subscriptDecl: kind = "a subscript"
    case .initializerDecl: kind = "an initializer"
    case .associatedTypeDecl: kind = "an associated type"
    default: return
    }
    diagnostics.append(MacroDiagnostic.notAMethod(kind).at(member))
  }

  private mutating func parse(_ function: FunctionDeclSyntax) {
    if function.modifiers.isStatic {
      return diagnostics.append(MacroDiagnostic.notAMethod("a static method").at(function.name))
    }
    let method = DAOMethodDeclaration(parsing: function)
    diagnostics += method.diagnostics
    methods.append(method)
  }
}
