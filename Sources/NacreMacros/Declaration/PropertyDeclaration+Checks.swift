import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

extension PropertyDeclaration {
  /// The errors that keep the property from being stored, at the nodes at fault.
  var diagnostics: [Diagnostic] {
    let whole = modifierDiagnostics
    // A lazy or weak property has to change anyway, so its type and default are not checked as well.
    if !whole.isEmpty { return whole }
    let own = [
      letDiagnostic, typeDiagnostic ?? shapeDiagnostic, observerDiagnostic, defaultDiagnostic,
    ]
    return own.compactMap(\.self) + attributeDiagnostics
  }

  private var transientFixIt: FixIt { .addTransient(to: variable) }

  private var modifierDiagnostics: [Diagnostic] {
    variable.modifiers.compactMap { modifier in
      switch modifier.name.tokenKind {
      case .keyword(.lazy):
        MacroDiagnostic.lazy(name).at(modifier, fixIts: [transientFixIt])
      case .keyword(.weak), .keyword(.unowned):
        MacroDiagnostic.unretained(name, modifier.name.text)
          .at(modifier, fixIts: [linkFixIt(instead: modifier), transientFixIt].compactMap(\.self))
      default: nil
      }
    }
  }

  /// Changes `weak var car: Car?` to a link.
  private func linkFixIt(instead modifier: DeclModifierSyntax) -> FixIt? {
    guard let annotation = binding.typeAnnotation else { return nil }
    let target = annotation.type.as(OptionalTypeSyntax.self)?.wrappedType ?? annotation.type
    let link = TypeSyntax("Link<\(target.trimmed)>?").with(
      \.trailingTrivia,
      annotation.type.trailingTrivia
    )
    var changed = variable
    changed.modifiers = variable.modifiers.filter { $0 != modifier }
    changed.bindings = [binding.with(\.typeAnnotation, annotation.with(\.type, link))]
    changed.leadingTrivia = variable.leadingTrivia
    return .replacing(
      variable,
      with: changed,
      MacroFixIt("useLink", "use a '\(link.trimmed)'")
    )
  }

  private var letDiagnostic: Diagnostic? {
    let keyword = variable.bindingSpecifier
    guard keyword.tokenKind == .keyword(.let) else { return nil }
    let message = MacroFixIt("useVar", "change 'let' to 'var'")
    return MacroDiagnostic.immutable(name).at(
      keyword,
      fixIts: [.rewording(keyword, as: "var", message), transientFixIt]
    )
  }

  private var typeDiagnostic: Diagnostic? {
    guard let type = binding.typeAnnotation?.type else { return nil }
    if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return MacroDiagnostic.implicitlyUnwrapped(name).at(
        type,
        fixIts: [.changeType(type, to: "\(unwrapped.wrappedType.trimmed)?"), transientFixIt]
      )
    }
    guard let kind = type.unstorableKind else { return nil }
    return MacroDiagnostic.unstorable(name, kind).at(type, fixIts: [transientFixIt])
  }

  /// The error of links in a form that has no column.
  private var shapeDiagnostic: Diagnostic? {
    guard !isSealed else { return nil }
    let written = binding.typeAnnotation?.type
    let place = written.map { Syntax($0) } ?? Syntax(binding.pattern)
    switch type {
    case .link:
      let fixIts = written.map { [FixIt.changeType($0, to: "\($0.trimmed)?")] }
      return MacroDiagnostic.linkNotOptional(name).at(place, fixIts: fixIts ?? [])
    case .optional(.links):
      return MacroDiagnostic.linksOptional(name).at(place)
    case .array(let element) where element.isReference,
      .optional(.array(let element)) where element.isReference:
      return MacroDiagnostic.arrayOfLinks(name).at(place)
    default: return nil
    }
  }

  private var observerDiagnostic: Diagnostic? {
    guard let block = binding.accessorBlock else { return nil }
    guard binding.hasObserver(.willSet), binding.hasObserver(.didSet) else { return nil }
    return MacroDiagnostic.twoObservers(name).at(block, fixIts: [transientFixIt])
  }

  /// The error of a property without a value when the object is made; transient properties need one as well.
  var defaultDiagnostic: Diagnostic? {
    guard binding.initializer == nil, let annotation = binding.typeAnnotation else { return nil }
    let written = annotation.type
    if written.is(OptionalTypeSyntax.self) && variable.bindingSpecifier.tokenKind == .keyword(.var)
    {
      return nil
    }
    if written.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) || type == .link { return nil }
    let value = InitializerClauseSyntax(
      equal: .equalToken(leadingTrivia: .space, trailingTrivia: .space),
      value: ExprSyntax("\(raw: placeholder)")
    )
    let initialized = binding.with(
      \.initializer,
      value.with(\.trailingTrivia, written.trailingTrivia)
    )
    .with(\.typeAnnotation, annotation.with(\.trailingTrivia, []))
    let message = MacroFixIt("addDefault", "add a default value")
    let fixIt = FixIt.replacing(binding, with: initialized, message)
    return MacroDiagnostic.noDefault(name).at(binding.pattern, fixIts: [fixIt])
  }

  private var placeholder: String {
    switch type {
    case .optional: "nil"
    case .links: "Links()"
    case .array: "[]"
    case .dictionary: "[:]"
    case .value, .link, .other: "<#default#>"
    }
  }
}
