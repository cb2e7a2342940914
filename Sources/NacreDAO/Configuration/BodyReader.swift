/// Reads the contents of a method or an upgrade.
struct BodyReader {
  let issues: ConfigurationIssues
  /// A reader at the beginning of a statement; each statement is read by a copy.
  let reader: StatementReader

  /// The statements of an element.
  func body(of element: MarkupElement, takesSteps: Bool, takesAttempt: Bool) -> MethodBody {
    let names = Set(element.elements.map(\.name))
    if names.contains("step") {
      if !takesSteps { refuse("step", in: element) }
      return .steps(steps(of: element))
    }
    if names.contains("try") {
      if !takesAttempt { refuse("try", in: element) }
      return attempt(of: element)
    }
    return .statement(statement(of: element))
  }

  private func refuse(_ name: String, in element: MarkupElement) {
    guard let child = element.elements.first(where: { $0.name == name }) else { return }
    AttributeReader(element, issues).refuse(child, allowing: StatementReader.blocks)
  }

  private func statement(of element: MarkupElement) -> [TemplateNode] {
    var reader = reader
    return reader.nodes(of: element)
  }

  private func steps(of element: MarkupElement) -> [MethodBody.Step] {
    element.contents.compactMap { content in
      switch content {
      case .text(let text):
        if !text.isBlank {
          issues.note("text can't stand beside <step> in <\(element.name)>", at: text.place)
        }
        return nil
      case .element(let child):
        guard child.name == "step" else {
          issues.note(
            "<\(child.name)> can't stand beside <step> in <\(element.name)>",
            at: child.place
          )
          return nil
        }
        let attributes = AttributeReader(child, issues)
        attributes.allow(["resumable"])
        return MethodBody.Step(
          nodes: statement(of: child),
          isResumable: attributes.flag("resumable")
        )
      }
    }
  }

  /// Reads `<try> SQL <except> SQL </except></try>`, beside which nothing can stand.
  private func attempt(of element: MarkupElement) -> MethodBody {
    for content in element.contents {
      switch content {
      case .text(let text):
        if !text.isBlank { issues.note("text can't stand beside <try>", at: text.place) }
      case .element(let child) where child.name != "try":
        issues.note("<\(child.name)> can't stand beside <try>", at: child.place)
      case .element: break
      }
    }
    let attempts = element.elements.filter { $0.name == "try" }
    for other in attempts.dropFirst() {
      issues.note("only one <try> can stand here", at: other.place)
    }
    guard let attempt = attempts.first else { return .statement([]) }
    AttributeReader(attempt, issues).allow([])
    let exceptions = attempt.elements.filter { $0.name == "except" }
    for other in exceptions.dropFirst() {
      issues.note("only one <except> can stand in <try>", at: other.place)
    }
    guard let exception = exceptions.first else {
      issues.note("<try> needs an <except> in it", at: attempt.place)
      return .statement([])
    }
    AttributeReader(exception, issues).allow([])
    var inside = attempt
    inside.contents.removeAll {
      if case .element(let child) = $0 { child.name == "except" } else { false }
    }
    return .attempt(statement(of: inside), except: statement(of: exception))
  }
}
