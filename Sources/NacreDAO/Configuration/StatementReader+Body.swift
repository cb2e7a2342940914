extension StatementReader {
  /// The statements of a method or an upgrade, each read by a copy of this reader.
  func body(of element: MarkupElement, takesSteps: Bool, takesAttempt: Bool) -> MethodBody {
    if let step = element.elements.first(where: { $0.name == "step" }) {
      if !takesSteps { AttributeReader(element, issues).refuse(step, allowing: Self.blocks) }
      return .steps(steps(of: element))
    }
    if let child = element.elements.first(where: { $0.name == "try" }) {
      if !takesAttempt { AttributeReader(element, issues).refuse(child, allowing: Self.blocks) }
      return attempt(of: element)
    }
    return .statement(statement(of: element))
  }

  private func statement(of element: MarkupElement) -> [TemplateNode] {
    var reader = self
    return reader.nodes(of: element)
  }

  private func steps(of element: MarkupElement) -> [MethodBody.Step] {
    refuseOthers(than: "step", in: element, "beside <step> in <\(element.name)>")
    return element.elements.filter { $0.name == "step" }.map { step in
      let attributes = AttributeReader(step, issues)
      attributes.allow(["resumable"])
      return MethodBody.Step(
        nodes: statement(of: step),
        isResumable: attributes.flag("resumable")
      )
    }
  }

  /// Reads `<try> SQL <except> SQL </except></try>`, beside which nothing can stand.
  private func attempt(of element: MarkupElement) -> MethodBody {
    refuseOthers(than: "try", in: element, "beside <try>")
    guard let attempt = only("try", of: element, "here") else { return .statement([]) }
    guard let exception = only("except", of: attempt, "in <try>") else {
      issues.note("<try> needs an <except> in it", at: attempt.place)
      return .statement([])
    }
    var inside = attempt
    inside.contents.removeAll {
      if case .element(let child) = $0 { child.name == "except" } else { false }
    }
    return .attempt(statement(of: inside), except: statement(of: exception))
  }

  /// The first child with a name, which takes no attributes; any further one is refused.
  private func only(
    _ name: String,
    of element: MarkupElement,
    _ place: String
  ) -> MarkupElement? {
    let found = element.elements.filter { $0.name == name }
    for other in found.dropFirst() {
      issues.note("only one <\(name)> can stand \(place)", at: other.place)
    }
    guard let first = found.first else { return nil }
    AttributeReader(first, issues).allow([])
    return first
  }

  /// Refuses texts, and children with other names.
  private func refuseOthers(than name: String, in element: MarkupElement, _ place: String) {
    for text in element.texts where !text.isBlank {
      issues.note("text can't stand \(place)", at: text.place)
    }
    for child in element.elements where child.name != name {
      issues.note("<\(child.name)> can't stand \(place)", at: child.place)
    }
  }
}
