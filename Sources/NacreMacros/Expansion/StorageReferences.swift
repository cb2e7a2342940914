import SwiftSyntax

/// Lets a property's own observers refer to the stored property, to which they are moved.
///
/// An observer that assigns the property it observes is not called again by that. So it stays, for the stored property is
/// then the one that it observes.
final class StorageReferences: SyntaxRewriter {
  private let name: String
  private let storage: TokenSyntax
  private var isShadowed = false

  init(_ property: PropertyDeclaration) {
    name = property.name
    storage = .identifier(property.storage)
    super.init()
    if let block = property.binding.accessorBlock {
      let names = LocalNames(viewMode: .sourceAccurate)
      names.walk(block)
      isShadowed = names.found.contains(name)
    }
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> ExprSyntax {
    ExprSyntax(isShadowed ? node : stored(node))
  }

  override func visit(_ node: MemberAccessExprSyntax) -> ExprSyntax {
    // The name of another object's member is none of ours.
    guard let base = node.base else { return ExprSyntax(node) }
    if base.trimmedDescription == "self" {
      return ExprSyntax(node.with(\.declName, stored(node.declName)))
    }
    return ExprSyntax(node.with(\.base, visit(base)))
  }

  override func visit(_ node: KeyPathExprSyntax) -> ExprSyntax { ExprSyntax(node) }

  private func stored(_ reference: DeclReferenceExprSyntax) -> DeclReferenceExprSyntax {
    let token = reference.baseName
    guard token.plainName == name, reference.argumentNames == nil else { return reference }
    return reference.with(
      \.baseName,
      storage.with(\.leadingTrivia, token.leadingTrivia).with(
        \.trailingTrivia,
        token.trailingTrivia
      )
    )
  }
}

/// The names that a block declares for itself.
private final class LocalNames: SyntaxVisitor {
  var found: Set<String> = []

  override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
    found.insert(node.identifier.plainName)
    return .visitChildren
  }

  override func visit(_ node: AccessorParametersSyntax) -> SyntaxVisitorContinueKind {
    found.insert(node.name.plainName)
    return .visitChildren
  }

  override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind {
    found.insert(node.name.plainName)
    return .visitChildren
  }

  override func visit(_ node: ClosureParameterSyntax) -> SyntaxVisitorContinueKind {
    found.insert((node.secondName ?? node.firstName).plainName)
    return .visitChildren
  }

  override func visit(_ node: ClosureCaptureSyntax) -> SyntaxVisitorContinueKind {
    found.insert(node.name.plainName)
    return .visitChildren
  }

  override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
    found.insert((node.secondName ?? node.firstName).plainName)
    return .visitChildren
  }
}
