import SwiftSyntax

/// Lets a property's own observers refer to the stored property, to which they are moved.
///
/// An observer that assigns the property it observes is not called again by that. So it stays, for the stored property is
/// then the one that it observes.
final class StorageReferences: SyntaxRewriter {
  private let name: String
  private let storage: TokenSyntax
  /// Whether the name is another's where the rewriter is; the property is then known by `self` alone.
  private var isHidden = false

  /// - Parameters:
  ///   - name: the property's.
  ///   - storage: the stored property's.
  init(name: String, storage: String) {
    self.name = name
    self.storage = .identifier(storage)
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> ExprSyntax {
    ExprSyntax(isHidden ? node : stored(node))
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

  // MARK: - Scopes in which the name is another's

  override func visit(_ node: AccessorDeclSyntax) -> DeclSyntax {
    hiding(declares(node.parameters)) { super.visit(node) }
  }

  override func visit(_ node: ClosureExprSyntax) -> ExprSyntax {
    hiding(declares(node.signature)) { super.visit(node) }
  }

  override func visit(_ node: FunctionDeclSyntax) -> DeclSyntax {
    hiding(declares(node.signature)) { super.visit(node) }
  }

  override func visit(_ node: ForStmtSyntax) -> StmtSyntax {
    let rewritten = super.visit(node)
    guard declares(node.pattern) else { return rewritten }
    return rewritten.as(ForStmtSyntax.self).map {
      StmtSyntax($0.with(\.body, hiding { visit(node.body) }))
    }
      ?? rewritten
  }

  override func visit(_ node: WhileStmtSyntax) -> StmtSyntax {
    let rewritten = super.visit(node)
    guard declares(node.conditions) else { return rewritten }
    return rewritten.as(WhileStmtSyntax.self).map {
      StmtSyntax($0.with(\.body, hiding { visit(node.body) }))
    }
      ?? rewritten
  }

  override func visit(_ node: IfExprSyntax) -> ExprSyntax {
    let rewritten = super.visit(node)
    guard declares(node.conditions) else { return rewritten }
    return rewritten.as(IfExprSyntax.self).map {
      ExprSyntax($0.with(\.body, hiding { visit(node.body) }))
    }
      ?? rewritten
  }

  override func visit(_ node: SwitchCaseSyntax) -> SwitchCaseSyntax {
    let rewritten = super.visit(node)
    return declares(node.label)
      ? rewritten.with(\.statements, hiding { visit(node.statements) }) : rewritten
  }

  override func visit(_ node: CatchClauseSyntax) -> CatchClauseSyntax {
    let rewritten = super.visit(node)
    return declares(node.catchItems)
      ? rewritten.with(\.body, hiding { visit(node.body) }) : rewritten
  }

  /// Behind a declaration of the name, the rest of the block is about that.
  override func visit(_ node: CodeBlockItemListSyntax) -> CodeBlockItemListSyntax {
    var isDeclared = false
    return CodeBlockItemListSyntax(
      node.map { item in
        defer { isDeclared = isDeclared || declaresForTheRest(item.item) }
        return hiding(isDeclared) { visit(item) }
      }
    )
  }

  private func declaresForTheRest(_ item: CodeBlockItemSyntax.Item) -> Bool {
    if let variable = item.as(VariableDeclSyntax.self) {
      return variable.bindings.contains { declares($0.pattern) }
    }
    return declares(item.as(GuardStmtSyntax.self)?.conditions)
  }

  private func hiding<T>(_ hides: Bool = true, _ body: () -> T) -> T {
    let outer = isHidden
    isHidden = outer || hides
    defer { isHidden = outer }
    return body()
  }

  private func declares(_ part: (some SyntaxProtocol)?) -> Bool {
    guard let part else { return false }
    let names = LocalNames(viewMode: .sourceAccurate)
    names.walk(part)
    return names.found.contains(name)
  }
}

/// The names that a part of a block declares.
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
