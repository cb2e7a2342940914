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
  }

  override func visitPost(_ node: Syntax) {
    if hiding.contains(node.id) { depth -= 1 }
  }

  override func visit(_ node: AccessorDeclSyntax) -> DeclSyntax {
    if declares(node.parameters) { hide(node.body) }
    return super.visit(node)
  }

  override func visit(_ node: ClosureExprSyntax) -> ExprSyntax {
    if declares(node.signature) { hide(node.statements) }
    return super.visit(node)
  }

  override func visit(_ node: FunctionDeclSyntax) -> DeclSyntax {
    if declares(node.signature) { hide(node.body) }
    return super.visit(node)
  }

  override func visit(_ node: ForStmtSyntax) -> StmtSyntax {
    if declares(node.pattern) {
      hide(node.whereClause)
      hide(node.body)
    }
    return super.visit(node)
  }

  override func visit(_ node: WhileStmtSyntax) -> StmtSyntax {
    if declares(node.conditions) { hide(node.body) }
    return super.visit(node)
  }

  override func visit(_ node: IfExprSyntax) -> ExprSyntax {
    if declares(node.conditions) { hide(node.body) }
    return super.visit(node)
  }

  override func visit(_ node: SwitchCaseSyntax) -> SwitchCaseSyntax {
    if declares(node.label) { hide(node.statements) }
    return super.visit(node)
  }

  override func visit(_ node: SwitchCaseItemSyntax) -> SwitchCaseItemSyntax {
    if declares(node.pattern) { hide(node.whereClause) }
    return super.visit(node)
  }

  override func visit(_ node: CatchClauseSyntax) -> CatchClauseSyntax {
    if declares(node.catchItems) { hide(node.body) }
    return super.visit(node)
  }

  override func visit(_ node: CatchItemSyntax) -> CatchItemSyntax {
    if declares(node.pattern) { hide(node.whereClause) }
    return super.visit(node)
  }

  /// After a condition that declares the name, the other conditions refer to the new one.
  override func visit(_ node: ConditionElementListSyntax) -> ConditionElementListSyntax {
    hideRest(of: node) { declares($0) }
    return super.visit(node)
  }

  /// After a declaration of the name, the rest of the block refers to the new one.
  override func visit(_ node: CodeBlockItemListSyntax) -> CodeBlockItemListSyntax {
    hideRest(of: node) { declaresForTheRest($0.item) }
    return super.visit(node)
  }

  private func declaresForTheRest(_ item: CodeBlockItemSyntax.Item) -> Bool {
    if let variable = item.as(VariableDeclSyntax.self) {
      return variable.bindings.contains { declares($0.pattern) }
    }
    return declares(item.as(GuardStmtSyntax.self)?.conditions)
  }

  private func hide(_ part: (some SyntaxProtocol)?) {
    if let part { hiding.insert(part.id) }
  }

  private func hideRest<List: SyntaxCollection>(
    of list: List,
    behind declares: (List.Element) -> Bool
  ) {
    for element in list.drop(while: { !declares($0) }).dropFirst() { hide(element) }
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

  // A closure inside the part keeps its declarations to itself.
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

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
