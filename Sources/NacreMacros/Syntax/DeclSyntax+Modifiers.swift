import SwiftSyntax

extension DeclModifierListSyntax {
  /// The access that generated members need if their type has these modifiers, with a space after
  /// it, or an empty text.
  var memberAccess: String { has(.public) ? "public " : has(.package) ? "package " : "" }

  var isStatic: Bool { has(.static) || has(.class) }

  func has(_ keyword: Keyword) -> Bool { contains { $0.name.tokenKind == .keyword(keyword) } }
}

extension AttributeListSyntax {
  /// The `@available` attributes, each on a line of its own.
  var availability: String {
    compactMap { $0.as(AttributeSyntax.self) }.filter { $0.simpleName == "available" }
      .map { "\($0.trimmed)\n" }.joined()
  }
}

extension DeclGroupSyntax {
  /// The kind of declaration, such as `a struct`.
  var kind: String {
    let word = introducer.text
    return "aeiou".contains(word.prefix(1)) ? "an \(word)" : "a \(word)"
  }
}
