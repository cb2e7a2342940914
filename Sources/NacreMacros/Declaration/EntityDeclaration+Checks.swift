import SwiftDiagnostics
import SwiftSyntax

extension EntityDeclaration {
  /// The names of the members that the expansion and NacreCore's extension declare.
  private static let reservedNames: Set<String> = [
    "objectID", "entityState", "entityObservation", "entityChildren", "entityVersion",
    "entitySchema", "isMarkedForDeletion", "isStored", "hasChanges",
  ]

  /// The errors that keep the declaration from being an entity at all.
  static func classDiagnostics(
    of declaration: some DeclGroupSyntax,
    attribute: AttributeSyntax
  ) -> [Diagnostic] {
    guard let type = declaration.as(ClassDeclSyntax.self) else {
      return [notAClass(declaration, attribute)]
    }
    var found: [Diagnostic] = []
    if !type.modifiers.has(.final) {
      found.append(MacroDiagnostic.notFinal.at(type.classKeyword, fixIts: [addFinal(to: type)]))
    }
    if let parameters = type.genericParameterClause {
      found.append(MacroDiagnostic.generic.at(parameters))
    }
    return found
  }

  private static func notAClass(
    _ declaration: some DeclGroupSyntax,
    _ attribute: AttributeSyntax
  ) -> Diagnostic {
    let keyword = declaration.introducer
    let kind = keyword.text
    var fixIts: [FixIt] = []
    if ["struct", "actor"].contains(kind) {
      let message = MacroFixIt("useClass", "change '\(kind)' to 'final class'")
      fixIts = [.rewording(keyword, as: "final class", message)]
    }
    return MacroDiagnostic.notAClass(declaration.kind).at(keyword, fixIts: fixIts)
  }

  private static func addFinal(to type: ClassDeclSyntax) -> FixIt {
    let message = MacroFixIt("addFinal", "add 'final'")
    let open = type.modifiers.first { $0.name.tokenKind == .keyword(.open) }
    if let open {
      // `open` allows subclasses outside the module. The widest access of a final class is `public`.
      return .rewording(open.name, as: "public final", message)
    }
    return .rewording(type.classKeyword, as: "final class", message)
  }

  static func nameDiagnostics(of variable: VariableDeclSyntax) -> [Diagnostic] {
    variable.bindings.compactMap { binding in
      guard let identifier = binding.identifier, reservedNames.contains(identifier.plainName)
      else { return nil }
      return MacroDiagnostic.reservedName(identifier.plainName).at(identifier)
    }
  }

  /// The errors of a transient property; it may have any type, but needs a value without a row.
  static func transientDiagnostics(
    of variable: VariableDeclSyntax,
    _ attributes: PropertyAttributes
  ) -> [Diagnostic] {
    let contradictions = attributes.storing.map { attribute in
      MacroDiagnostic.transientWith(attribute.simpleName).at(
        attribute,
        fixIts: [.remove(attribute, from: variable)]
      )
    }
    let unset = variable.bindings.compactMap { binding -> Diagnostic? in
      guard binding.isStored else { return nil }
      return PropertyDeclaration(parsing: variable, binding: binding, attributes: attributes)?
        .defaultDiagnostic
    }
    return contradictions + unset
  }

  static func patternDiagnostic(of variable: VariableDeclSyntax) -> Diagnostic {
    guard variable.bindings.allSatisfy({ $0.identifier != nil }) else {
      return MacroDiagnostic.pattern.at(variable.bindings)
    }
    return MacroDiagnostic.severalBindings.at(
      variable.bindings,
      fixIts: [split(variable)].compactMap(\.self)
    )
  }

  /// Makes one declaration for each binding; in `var a, b: Int` both have the type.
  private static func split(_ variable: VariableDeclSyntax) -> FixIt? {
    guard let item = variable.parent?.as(MemberBlockItemSyntax.self),
      let list = item.parent?.as(MemberBlockItemListSyntax.self),
      let position = list.index(of: item)
    else { return nil }
    var type: TypeAnnotationSyntax?
    var items: [MemberBlockItemSyntax] = []
    for binding in variable.bindings.reversed() {
      type = binding.typeAnnotation ?? (binding.initializer == nil ? type : nil)
      var single = variable
      single.bindings = [
        binding.with(\.trailingComma, nil).with(\.typeAnnotation, type?.trimmed)
          .with(\.trailingTrivia, [])
      ]
      items.insert(MemberBlockItemSyntax(decl: single), at: 0)
    }
    for index in items.indices.dropFirst() {
      items[index].leadingTrivia = .newline + variable.leadingTrivia.indentation
    }
    var changed = list
    changed.replaceSubrange(position..<list.index(after: position), with: items)
    return .replacing(
      list,
      with: changed,
      MacroFixIt("split", "declare each property on its own")
    )
  }
}

extension Trivia {
  /// The blanks after the last line break.
  fileprivate var indentation: Trivia {
    let blanks = reversed().prefix { piece in
      switch piece {
      case .spaces, .tabs: true
      default: false
      }
    }
    return Trivia(pieces: blanks.reversed())
  }
}
