import SwiftDiagnostics
import SwiftSyntax

extension PropertyDeclaration {
  /// The errors of `@Encrypted` arguments that are impossible, have no effect, or would reveal the sealed value.
  var sealingDiagnostics: [Diagnostic] {
    guard let sealing = attributes.sealing else { return [] }
    if type.isReference {
      let fixIt = FixIt.remove(sealing.attribute, from: variable)
      return [MacroDiagnostic.encryptedReference.at(sealing.attribute, fixIts: [fixIt])]
    }
    let unknown = sealing.flags.filter { !$0.expression.isBooleanLiteral }
    // Checks that depend on a flag need its value.
    if !unknown.isEmpty {
      return unknown.map {
        MacroDiagnostic.notABoolean($0.label?.text ?? "").at($0.expression)
      }
    }
    let index =
      sealing.indexing.isEmpty
      ? sealing.indexOptions.map { withoutIndex($0, sealing) }
      : [bitsDiagnostic(sealing), normalizerDiagnostic(sealing), leakageDiagnostic(sealing)]
        .compactMap(\.self)
    return index + [nilDiagnostic(sealing)].compactMap(\.self)
  }

  private func drop(_ arguments: [LabeledExprSyntax], of sealing: SealingAttribute) -> FixIt {
    .remove(arguments, of: sealing.attribute, from: variable)
  }

  private func withoutIndex(
    _ argument: LabeledExprSyntax,
    _ sealing: SealingAttribute
  ) -> Diagnostic {
    MacroDiagnostic.indexOption(argument.label?.text ?? "").at(
      argument,
      fixIts: [.turnOn("searchable", of: sealing.attribute), drop([argument], of: sealing)]
    )
  }

  private func bitsDiagnostic(_ sealing: SealingAttribute) -> Diagnostic? {
    guard let bits = sealing.bits else { return nil }
    let diagnostic: MacroDiagnostic
    if bits.expression.isLiteral(outside: 1...256) {
      diagnostic = .indexBits
    } else if sealing.isUnique, bits.expression.isLiteral(outside: 64...256) {
      diagnostic = .uniqueBits
    } else {
      return nil
    }
    return diagnostic.at(bits.expression, fixIts: [drop([bits], of: sealing)])
  }

  private func normalizerDiagnostic(_ sealing: SealingAttribute) -> Diagnostic? {
    guard let normalizer = sealing.normalizer, type.isKnownNotText else { return nil }
    return MacroDiagnostic.normalizedValue(name).at(
      normalizer,
      fixIts: [drop([normalizer], of: sealing)]
    )
  }

  private func leakageDiagnostic(_ sealing: SealingAttribute) -> Diagnostic? {
    guard type.wrapped == .value(.flag), sealing.acceptsLeakage?.expression.isTrue != true,
      let asked = sealing.indexing.first
    else { return nil }
    let written = sealing.indexing + [sealing.acceptsLeakage].compactMap(\.self)
    return MacroDiagnostic.indexedBoolean(name).at(
      asked,
      fixIts: [
        drop(written + sealing.indexOptions, of: sealing),
        .turnOn("acceptsLeakage", of: sealing.attribute),
      ]
    )
  }

  private func nilDiagnostic(_ sealing: SealingAttribute) -> Diagnostic? {
    guard let hidesNil = sealing.hidesNil, hidesNil.expression.isTrue else { return nil }
    let diagnostic: MacroDiagnostic
    if isNeverNil {
      diagnostic = .nothingHidden(name)
    } else if sealing.isUnique {
      diagnostic = .uniqueNil
    } else {
      return nil
    }
    return diagnostic.at(hidesNil, fixIts: [drop([hidesNil], of: sealing)])
  }

  /// Whether the type is certainly not optional, by its spelling or by what the default value implies.
  private var isNeverNil: Bool {
    if case .optional = type { return false }
    guard let written = binding.typeAnnotation?.type else { return type != .other }
    return !written.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
  }
}
