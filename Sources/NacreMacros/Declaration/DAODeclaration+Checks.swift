import SwiftDiagnostics
import SwiftSyntax

extension DAODeclaration {
  static func notAProtocol(_ declaration: some DeclSyntaxProtocol) -> Diagnostic {
    guard let group = declaration.asProtocol((any DeclGroupSyntax).self) else {
      return MacroDiagnostic.notAProtocol("this declaration").at(declaration)
    }
    return MacroDiagnostic.notAProtocol(group.kind).at(group.introducer)
  }

  /// The errors for a place in which Nacre can't find the proxy by its name.
  static func placeDiagnostics(
    of type: ProtocolDeclSyntax,
    in lexicalContext: [Syntax]
  ) -> [Diagnostic] {
    let name = type.name.plainName
    if let modifier = type.modifiers.first(where: \.isPrivate) {
      let message = MacroFixIt("makeInternal", "make it 'internal'")
      let fixIt = FixIt.rewording(modifier.name, as: "internal", message)
      return [MacroDiagnostic.privateProtocol(name).at(modifier, fixIts: [fixIt])]
    }
    for outer in lexicalContext {
      guard let group = outer.asProtocol((any DeclGroupSyntax).self) else {
        return [MacroDiagnostic.localProtocol(name).at(type.name)]
      }
      if group.modifiers.contains(where: \.isPrivate) {
        return [MacroDiagnostic.privateProtocol(name).at(type.name)]
      }
    }
    return []
  }

  static func inheritanceDiagnostics(of type: ProtocolDeclSyntax) -> [Diagnostic] {
    let name = type.name.plainName
    // If the protocol inherits from anything, only the compiler knows whether that is a `DAOProtocol`.
    guard let inherited = type.inheritanceClause?.inheritedTypes else {
      let message = MacroFixIt("inherit", "inherit from 'DAOProtocol'")
      let fixIt = FixIt.rewording(type.name, as: "\(type.name.text): DAOProtocol", message)
      return [MacroDiagnostic.noDAOProtocol(name).at(type.name, fixIts: [fixIt])]
    }
    return inherited.map(\.type)
      .filter { ["Actor", "DistributedActor"].contains($0.trimmedDescription) }
      .map { MacroDiagnostic.actorProtocol(name).at($0) }
  }
}

extension DeclModifierSyntax {
  fileprivate var isPrivate: Bool {
    [.keyword(.private), .keyword(.fileprivate)].contains(name.tokenKind)
  }
}
