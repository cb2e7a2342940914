/// Reads what stands inside of a method or an upgrade.
struct BodyReader {
  private let issues: ConfigurationIssues
  private let expansion: TextExpansion
  /// The properties of any class that are sealed.
  private let sealedProperties: Set<String>

  init(
    _ issues: ConfigurationIssues,
    _ expansion: TextExpansion,
    sealedProperties: Set<String>
  ) {
    self.issues = issues
    self.expansion = expansion
    self.sealedProperties = sealedProperties
  }

  /// The statements of an element.
  func body(of element: MarkupElement, takesSteps: Bool, takesAttempt: Bool) -> MethodBody {
    let names = Set(element.elements.map(\.name))
    if names.contains("step") {
      if !takesSteps { issues.note("<step> can't stand in <\(element.name)>", at: element.place) }
      return .steps(steps(of: element))
    }
    if names.contains("try") {
      if !takesAttempt { issues.note("<try> can't stand in <\(element.name)>", at: element.place) }
      return attempt(of: element)
    }
    return .statement(nodes(of: element.contents))
  }

  private func steps(of element: MarkupElement) -> [MethodBody.Step] {
    element.contents.compactMap { content in
      switch content {
      case .text(let text, let place):
        if !text.trimmed.isEmpty {
          issues.note("beside <step> no text can stand in <\(element.name)>", at: place)
        }
        return nil
      case .element(let child):
        guard child.name == "step" else {
          issues.note(
            "beside <step> no <\(child.name)> can stand in <\(element.name)>",
            at: child.place
          )
          return nil
        }
        let attributes = AttributeReader(child, issues)
        attributes.allow(["resumable"])
        return MethodBody.Step(
          nodes: nodes(of: child.contents),
          isResumable: attributes.flag("resumable")
        )
      }
    }
  }

  /// `<try> SQL <except> SQL </except></try>`, and nothing beside.
  private func attempt(of element: MarkupElement) -> MethodBody {
    for content in element.contents {
      switch content {
      case .text(let text, let place):
        if !text.trimmed.isEmpty { issues.note("beside <try> no text can stand", at: place) }
      case .element(let child) where child.name != "try":
        issues.note("beside <try> no <\(child.name)> can stand", at: child.place)
      case .element: break
      }
    }
    let attempts = element.elements.filter { $0.name == "try" }
    for other in attempts.dropFirst() {
      issues.note("there is another <try>", at: other.place)
    }
    guard let attempt = attempts.first else { return .statement([]) }
    AttributeReader(attempt, issues).allow([])
    let exceptions = attempt.elements.filter { $0.name == "except" }
    for other in exceptions.dropFirst() {
      issues.note("there is another <except>", at: other.place)
    }
    guard let exception = exceptions.first else {
      issues.note("<try> needs an <except> in it", at: attempt.place)
      return .statement([])
    }
    AttributeReader(exception, issues).allow([])
    let inside = attempt.contents.filter {
      if case .element(let child) = $0 { child.name != "except" } else { true }
    }
    return .attempt(nodes(of: inside), except: nodes(of: exception.contents))
  }

  // MARK: - Nodes

  func nodes(of contents: [MarkupElement.Content]) -> [TemplateNode] {
    contents.flatMap { content in
      switch content {
      case .text(let text, let place): nodes(of: text, at: place)
      case .element(let element): node(of: element).map { [$0] } ?? []
      }
    }
  }

  private func nodes(of text: String, at place: ConfigurationPlace) -> [TemplateNode] {
    let expanded: String
    do throws(TemplateTextError) {
      expanded = try expansion.expanded(text)
    } catch {
      issues.note(error.message, at: place.behind(error.offset, of: text))
      return []
    }
    do throws(TemplateTextError) {
      let nodes = try TemplateText.nodes(of: expanded)
      for case .splice(let reference) in nodes { refuseSealed(reference, at: place) }
      return nodes
    } catch {
      // Within a fragment the offset is none of this text.
      let offset = expanded == text ? error.offset : 0
      issues.note(error.message, at: place.behind(offset, of: text))
      return []
    }
  }

  private func refuseSealed(_ reference: TemplateReference, at place: ConfigurationPlace) {
    guard let name = reference.path.names.last, sealedProperties.contains(name) else { return }
    issues.note(
      "@{\(reference.path)} would put a sealed property into the SQL; write #{\(reference.path)}",
      at: place
    )
  }

  private func node(of element: MarkupElement) -> TemplateNode? {
    let attributes = AttributeReader(element, issues)
    switch element.name {
    case "if":
      attributes.allow(["true", "false"])
      guard let condition = condition(of: element) else { return nil }
      return .conditional(condition, nodes(of: element.contents))
    case "choose": return choice(of: element)
    case "foreach": return loop(of: element)
    case "where", "set", "trim": return trim(of: element)
    case "format": return pairs(of: element)
    default:
      issues.note("<\(element.name)> can't stand here", at: element.place)
      return nil
    }
  }

  /// The expression of `true` or `false`; exactly one of them.
  private func condition(of element: MarkupElement) -> TemplateNode.Condition? {
    let attributes = AttributeReader(element, issues)
    let given = ["true", "false"].filter { element.attributes[$0] != nil }
    guard given.count == 1, let name = given.first, let text = element.attributes[name] else {
      attributes.note("<\(element.name)> needs one of the attributes “true” and “false”")
      return nil
    }
    do throws(ExpressionError) {
      return .init(expression: try ExpressionParser.parse(text), wanted: name == "true")
    } catch {
      attributes.note("\(error.message), at character \(error.offset + 1) of “\(text.shortened)”")
      return nil
    }
  }

  private func choice(of element: MarkupElement) -> TemplateNode {
    let attributes = AttributeReader(element, issues)
    attributes.allow([])
    attributes.refuseText()
    var branches: [TemplateNode.Branch] = []
    var otherwise: [TemplateNode]?
    for child in element.elements {
      switch child.name {
      case "when":
        AttributeReader(child, issues).allow(["true", "false"])
        if otherwise != nil { issues.note("<when> stands behind <otherwise>", at: child.place) }
        if let condition = condition(of: child) {
          branches.append(.init(condition: condition, nodes: nodes(of: child.contents)))
        }
      case "otherwise":
        AttributeReader(child, issues).allow([])
        if otherwise != nil { issues.note("there is another <otherwise>", at: child.place) }
        otherwise = nodes(of: child.contents)
      default: issues.note("<\(child.name)> can't stand in <choose>", at: child.place)
      }
    }
    if branches.isEmpty { attributes.note("<choose> needs a <when>") }
    return .choice(branches, otherwise: otherwise ?? [])
  }

  private func loop(of element: MarkupElement) -> TemplateNode? {
    let attributes = AttributeReader(element, issues)
    attributes.allow(["item", "collection", "open", "separator", "close", "reverse"])
    guard let item = attributes.required("item"),
      let collection = attributes.required("collection")
    else { return nil }
    guard ReferencePath.isName(item), let path = ReferencePath(collection) else {
      attributes.note("<foreach> needs names in “item” and “collection”")
      return nil
    }
    return .loop(
      .init(
        item: item,
        collection: path,
        open: element.attributes["open"] ?? "",
        separator: element.attributes["separator"] ?? "",
        close: element.attributes["close"] ?? "",
        isReversed: attributes.flag("reverse"),
        nodes: nodes(of: element.contents)
      )
    )
  }

  private func trim(of element: MarkupElement) -> TemplateNode {
    let attributes = AttributeReader(element, issues)
    let own = ["prefix", "suffix", "prefixOverrides", "suffixOverrides"]
    attributes.allow((element.name == "trim" ? own : []) + ["onVoid"])
    let onVoid: TemplateNode.OnVoid
    switch attributes.text("onVoid") {
    case nil: onVoid = .goOn
    case "ignoreAfter": onVoid = .ignoreAfter
    case "quit": onVoid = .quit
    default:
      attributes.note("“onVoid” is ignoreAfter or quit")
      onVoid = .goOn
    }
    let trim =
      switch element.name {
      case "where":
        TemplateNode.Trim(
          prefix: "WHERE",
          suffix: "",
          prefixOverrides: ["AND", "OR"],
          suffixOverrides: [],
          onVoid: onVoid
        )
      case "set":
        TemplateNode.Trim(
          prefix: "SET",
          suffix: "",
          prefixOverrides: [],
          suffixOverrides: [","],
          onVoid: onVoid
        )
      default:
        TemplateNode.Trim(
          prefix: attributes.text("prefix") ?? "",
          suffix: attributes.text("suffix") ?? "",
          prefixOverrides: words(attributes.text("prefixOverrides")),
          suffixOverrides: words(attributes.text("suffixOverrides")),
          onVoid: onVoid
        )
      }
    return .trim(trim, nodes(of: element.contents))
  }

  private func words(_ text: String?) -> [String] {
    (text ?? "").split(separator: "|").map { String($0).trimmed }.filter { !$0.isEmpty }
  }

  private func pairs(of element: MarkupElement) -> TemplateNode? {
    let attributes = AttributeReader(element, issues)
    attributes.allow(["prefix", "pairs", "join"])
    attributes.refuseContents()
    guard let text = attributes.required("pairs") else { return nil }
    guard let path = ReferencePath(text) else {
      attributes.note("“\(text)” is no name")
      return nil
    }
    return .pairs(
      prefix: attributes.text("prefix") ?? "",
      of: path,
      join: attributes.text("join") ?? ","
    )
  }
}

extension ConfigurationPlace {
  /// The place so many characters behind this one.
  fileprivate func behind(_ offset: Int, of text: String) -> ConfigurationPlace {
    var place = self
    for character in text.prefix(offset) { place.pass(character) }
    return place
  }
}

extension String {
  /// The beginning of a text that may be long.
  fileprivate var shortened: String { count <= 80 ? self : prefix(80) + "…" }
}
