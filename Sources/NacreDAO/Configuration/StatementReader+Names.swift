// The names that the expressions of a statement can use.

extension StatementReader {
  /// The same reader, for a method whose arguments and item have these names.
  func naming(_ names: [String]) -> StatementReader {
    var reader = self
    for name in names { reader.hide(name) }
    return reader
  }

  /// Adds the name of an argument, an item or the like, if an expression reads that name as a value.
  mutating func hide(_ name: String?) {
    if let name, ExpressionParser.isLiteral(name) { hiddenNames.insert(name) }
  }

  /// Refuses words that are values for an expression, such as `no`, and also the names of arguments.
  func refuseHiddenNames(in text: MarkupText) {
    // A mistake in the expression is noted by the caller.
    guard !hiddenNames.isEmpty, let tokens = try? ExpressionLexer.tokens(of: text.text) else {
      return
    }
    for (index, token) in tokens.enumerated() {
      guard case .name(let name) = token.kind, hiddenNames.contains(name) else { continue }
      let isProperty = index > 0 && tokens[index - 1].kind == .sign(".")
      let next = index + 1 < tokens.count ? tokens[index + 1].kind : .end
      let isPath = next == .sign(".") || next == .sign("[")
      if isProperty || isPath { continue }
      issues.note(
        "“\(name)” is a value of its own in an expression, and hides the argument of that name; "
          + "give the argument another name",
        at: text.place(atCharacter: token.offset)
      )
    }
  }
}
