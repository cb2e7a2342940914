import SwiftDiagnostics
import SwiftSyntax

/// One method of a protocol marked `@DAO`.
struct DAOMethodDeclaration {
  /// The result of a call for its caller.
  enum Result {
    case nothing
    /// The `DAOResult` itself.
    case outcome
    case value
  }

  let function: FunctionDeclSyntax
  let result: Result

  init(parsing function: FunctionDeclSyntax) {
    self.function = function
    switch function.signature.returnClause?.type.bare.trimmedDescription {
    case nil, "Void", "()", "Swift.Void": result = .nothing
    case "DAOResult", "NacreDAO.DAOResult": result = .outcome
    default: result = .value
    }
  }

  /// The id of the method in the configuration.
  var id: String { function.name.plainName }

  var isAsync: Bool { function.signature.effectSpecifiers?.asyncSpecifier != nil }

  var throwsClause: ThrowsClauseSyntax? { function.signature.effectSpecifiers?.throwsClause }

  var parameters: [FunctionParameterSyntax] {
    Array(function.signature.parameterClause.parameters)
  }

  // MARK: - Checks

  var diagnostics: [Diagnostic] {
    var found: [Diagnostic] = []
    if id == "dao" { found.append(MacroDiagnostic.reservedMethod(id).at(function.name)) }
    if let clause = function.genericParameterClause {
      found.append(MacroDiagnostic.genericMethod(id).at(clause))
    }
    return found + parameters.compactMap(Self.diagnostic) + effectDiagnostics
  }

  private static func diagnostic(of parameter: FunctionParameterSyntax) -> Diagnostic? {
    guard let kind = kindOfUnusable(parameter) else { return nil }
    let name = parameter.secondName ?? parameter.firstName
    return MacroDiagnostic.unusableArgument(name.plainName, kind).at(parameter)
  }

  private static func kindOfUnusable(_ parameter: FunctionParameterSyntax) -> String? {
    if parameter.ellipsis != nil { return "variadic" }
    let specifiers = parameter.type.as(AttributedTypeSyntax.self)?.specifiers ?? []
    if let other = specifiers.map(\.trimmedDescription).first(where: { $0 != "sending" }) {
      return "'\(other)'"
    }
    var type = parameter.type.bare
    while let optional = type.as(OptionalTypeSyntax.self) { type = optional.wrappedType.bare }
    if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1,
      let only = tuple.elements.first
    {
      type = only.type.bare
    }
    if type.is(FunctionTypeSyntax.self) { return "a function" }
    let some = type.as(SomeOrAnyTypeSyntax.self)?.someOrAnySpecifier
    return some?.tokenKind == .keyword(.some) ? "generic" : nil
  }

  private var effectDiagnostics: [Diagnostic] {
    guard let clause = throwsClause else {
      if result != .value { return [] }
      let added = ThrowsClauseSyntax(throwsSpecifier: .keyword(.throws, trailingTrivia: .space))
      let fixIt = changingThrows(to: added, MacroFixIt("addThrows", "add 'throws'"))
      return [MacroDiagnostic.valueWithoutThrows(id).at(function.name, fixIts: [fixIt])]
    }
    if result == .outcome {
      let fixIt = changingThrows(to: nil, MacroFixIt("removeThrows", "remove 'throws'"))
      return [MacroDiagnostic.throwingResult(id).at(clause, fixIts: [fixIt])]
    }
    if let type = clause.type, !["any Error", "Error"].contains(type.trimmedDescription) {
      let untyped = clause.with(\.leftParen, nil).with(\.type, nil).with(\.rightParen, nil)
        .with(\.trailingTrivia, clause.trailingTrivia)
      let fixIt = changingThrows(to: untyped, MacroFixIt("untypedThrows", "throw any error"))
      return [MacroDiagnostic.typedThrows(id).at(clause, fixIts: [fixIt])]
    }
    return []
  }

  private func changingThrows(to clause: ThrowsClauseSyntax?, _ message: MacroFixIt) -> FixIt {
    let signature = function.signature
    var effects = signature.effectSpecifiers ?? FunctionEffectSpecifiersSyntax()
    effects.throwsClause = clause
    let isEmpty = effects.asyncSpecifier == nil && effects.throwsClause == nil
    return .replacing(
      signature,
      with: signature.with(\.effectSpecifiers, isEmpty ? nil : effects),
      message
    )
  }
}

extension TypeSyntax {
  /// The type without specifiers for a parameter or result, such as `sending`.
  var bare: TypeSyntax {
    if let attributed = self.as(AttributedTypeSyntax.self) { return attributed.baseType.bare }
    if let unwrapped = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return TypeSyntax(OptionalTypeSyntax(wrappedType: unwrapped.wrappedType.trimmed))
    }
    return trimmed
  }
}
