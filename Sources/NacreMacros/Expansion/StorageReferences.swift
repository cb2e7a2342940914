import SwiftSyntax

/// Makes a property's own observers refer to the stored property, to which they are moved.
///
/// If an observer assigns the property that it observes, Swift does not call it again. The rewriting keeps this,
/// because the observer then observes and assigns the stored property.
final class StorageReferences: SyntaxRewriter {
  private let name: String
  private let storage: TokenSyntax
  /// The parts in which the name means something else; there only `self` leads to the property.
  private var hiding: Set<SyntaxIdentifier> = []
  /// The number of these parts around the node at hand.
  private var depth = 0

  /// - Parameters:
  ///   - name: The property's name.
  ///   - storage: The stored property's name.
  init(name: String, storage: String) {
    self.name = name
    self.storage = .identifier(storage)
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> ExprSyntax {
    ExprSyntax(depth > 0 ? node : stored(node))
  }

  override func visit(_ node: MemberAccessExprSyntax) -> ExprSyntax {
    // The name after another object is not our property.
    guard let base = node.base else { return ExprSyntax(node) }
    if base.trimmedDescription == "self" {
      return ExprSyntax(node.with(\.declName, stored(node.declName)))
    }
    return ExprSyntax(node.with(\.base, visit(base)))
  }

  override func visit(_ node: ClosureCaptureSyntax) -> ClosureCaptureSyntax {
    // A captured name alone is the closure's own; in swift-syntax 600 it is an expression, too.
    node.hasValue ? super.visit(node) : node
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

  // MARK: - Scopes in which the name means something else

  override func visitPre(_ node: Syntax) {
    if hiding.contains(node.id) { depth += 1 }
    hideParts(of: node)
  }

  override func visitPost(_ node: Syntax) {
    if hiding.contains(node.id) { depth -= 1 }
  }

  private func hideParts(of node: Syntax) {
    switch node.as(SyntaxEnum.self) {
    case .accessorDecl(let node): hide(node.body, if: node.parameters)
    case .closureExpr(let node): hide(node.statements, if: node.signature)
    case .functionDecl(let node): hide(node.body, if: node.signature)
    case .forStmt(let node):
      hide(node.whereClause, if: node.pattern)
      hide(node.body, if: node.pattern)
    case .whileStmt(let node): hide(node.body, if: node.conditions)
    case .ifExpr(let node): hide(node.body, if: node.conditions)
    case .switchCase(let node): hide(node.statements, if: node.label)
    case .switchCaseItem(let node): hide(node.whereClause, if: node.pattern)
    case .catchClause(let node): hide(node.body, if: node.catchItems)
    case .catchItem(let node): hide(node.whereClause, if: node.pattern)
    // After a condition that declares the name, the other conditions refer to the new one.
    case .conditionElementList(let node): hideRest(of: node) { declares($0) }
    // After a declaration of the name, the rest of the block refers to the new one.
    case .codeBlockItemList(let node): hideRest(of: node) { declaresForTheRest($0.item) }
    default: break
    }
  }

  private func declaresForTheRest(_ item: CodeBlockItemSyntax.Item) -> Bool {
    if let variable = item.as(VariableDeclSyntax.self) {
      return variable.bindings.contains { declares($0.pattern) }
    }
    return declares(item.as(GuardStmtSyntax.self)?.conditions)
  }

  /// Hides the property in a part if another part declares its name.
  private func hide(_ part: (some SyntaxProtocol)?, if other: (some SyntaxProtocol)?) {
    if let part, declares(other) { hiding.insert(part.id) }
  }

  private func hideRest<List: SyntaxCollection>(
    of list: List,
    behind declares: (List.Element) -> Bool
  ) {
    for element in list.drop(while: { !declares($0) }).dropFirst() { hiding.insert(element.id) }
  }

  private func declares(_ part: (some SyntaxProtocol)?) -> Bool {
    guard let part else { return false }
    let names = LocalNames(viewMode: .sourceAccurate)
    names.walk(part)
    return names.found.contains(name)
  }
}

/// The names that a part of a block declares.
private final class LocalNames: SyntaxAnyVisitor {
  var found: Set<String> = []

  override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
    switch node.as(SyntaxEnum.self) {
    // A closure inside the part keeps its declarations to itself.
    case .closureExpr: return .skipChildren
    case .identifierPattern(let node): found.insert(node.identifier.plainName)
    case .accessorParameters(let node): found.insert(node.name.plainName)
    case .closureShorthandParameter(let node): found.insert(node.name.plainName)
    case .closureParameter(let node): found.insert((node.secondName ?? node.firstName).plainName)
    case .closureCapture(let node):
      if let name = node.tokensFromName.first { found.insert(name.plainName) }
    case .functionParameter(let node): found.insert((node.secondName ?? node.firstName).plainName)
    default: break
    }
    return .visitChildren
  }
}

extension ClosureCaptureSyntax {
  /// The name, and what follows it: no property has the name in all versions of swift-syntax.
  fileprivate var tokensFromName: [TokenSyntax] {
    let specifier = specifier.map { Array($0.tokens(viewMode: .sourceAccurate)) } ?? []
    return Array(tokens(viewMode: .sourceAccurate).dropFirst(specifier.count))
  }

  fileprivate var hasValue: Bool {
    let tokens = tokensFromName
    return tokens.count > 1 && tokens[1].tokenKind == .equal
  }
}
