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
      if !takesSteps { refuse("step", in: element) }
      return .steps(steps(of: element))
    }
    if names.contains("try") {
      if !takesAttempt { refuse("try", in: element) }
      return attempt(of: element)
    }
    return .statement(nodes(of: element))
  }

  private func refuse(_ name: String, in element: MarkupElement) {
    guard let child = element.elements.first(where: { $0.name == name }) else { return }
    AttributeReader(element, issues).refuse(child, allowing: Self.blocks)
  }

  private func steps(of element: MarkupElement) -> [MethodBody.Step] {
    element.contents.compactMap { content in
      switch content {
      case .text(let text):
        if !text.isBlank {
          issues.note("beside <step> no text can stand in <\(element.name)>", at: text.place)
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
          nodes: nodes(of: child),
          isResumable: attributes.flag("resumable")
        )
      }
    }
  }

  /// `<try> SQL <except> SQL </except></try>`, and nothing beside.
  private func attempt(of element: MarkupElement) -> MethodBody {
    for content in element.contents {
      switch content {
      case .text(let text):
        if !text.isBlank { issues.note("beside <try> no text can stand", at: text.place) }
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
    var inside = attempt
    inside.contents.removeAll {
      if case .element(let child) = $0 { child.name == "except" } else { false }
    }
    return .attempt(nodes(of: inside), except: nodes(of: exception))
  }

  // MARK: - Nodes

  private static let blocks = ["if", "choose", "foreach", "where", "set", "trim", "format"]

  private func nodes(of element: MarkupElement) -> [TemplateNode] {
    element.contents.flatMap { content in
      switch content {
      case .text(let text): nodes(of: text)
      case .element(let child): node(of: child, in: element).map { [$0] } ?? []
      }
    }
  }

  private func nodes(of text: MarkupText) -> [TemplateNode] {
    guard let expanded = expansion.expanded(text) else { return [] }
    do throws(TemplateTextError) {
      return try TemplateText.pieces(of: expanded.text).map { piece in
        if case .splice(let reference) = piece.node {
          refuseSealed(reference, at: text.place(atByte: expanded.source(of: piece.offset)))
        }
        return piece.node
      }
    } catch {
      issues.note(error.message, at: text.place(atByte: expanded.source(of: error.offset)))
      return []
    }
  }

  /// The class of an argument is not known before it is called with.
  private func refuseSealed(_ reference: TemplateReference, at place: ConfigurationPlace) {
    guard let name = reference.path.names.last, sealedProperties.contains(name) else { return }
    issues.note(
      "@{\(reference.path)} would put a sealed property into the SQL; write #{\(reference.path)}",
      at: place
    )
  }

  private func node(of element: MarkupElement, in parent: MarkupElement) -> TemplateNode? {
    let attributes = AttributeReader(element, issues)
    switch element.name {
    case "if":
      attributes.allow(["true", "false"])
      // Read in any case, for what is wrong in them.
      let nodes = nodes(of: element)
      return condition(of: element).map { .conditional($0, nodes) }
    case "choose": return choice(of: element)
    case "foreach": return loop(of: element)
    case "where", "set", "trim": return trim(of: element)
    case "format": return pairs(of: element)
    default:
      AttributeReader(parent, issues).refuse(element, allowing: Self.blocks)
      return nil
    }
  }

  /// The expression of `true` or `false`; exactly one of them.
  private func condition(of element: MarkupElement) -> TemplateNode.Condition? {
    let attributes = AttributeReader(element, issues)
    let given = ["true", "false"].filter { element.attributes[$0] != nil }
    guard given.count == 1, let name = given.first, let text = element.attribute(name) else {
      attributes.note("<\(element.name)> needs one of the attributes “true” and “false”")
      return nil
    }
    do throws(ExpressionError) {
      return .init(expression: try ExpressionParser.parse(text.text), wanted: name == "true")
    } catch {
      issues.note(error.message, at: text.place(atCharacter: error.offset))
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
        let nodes = nodes(of: child)
        if let condition = condition(of: child) {
          branches.append(.init(condition: condition, nodes: nodes))
        }
      case "otherwise":
        AttributeReader(child, issues).allow([])
        if otherwise != nil { issues.note("there is another <otherwise>", at: child.place) }
        otherwise = nodes(of: child)
      default: attributes.refuse(child, allowing: ["when", "otherwise"])
      }
    }
    if !element.elements.contains(where: { $0.name == "when" }) {
      attributes.note("<choose> needs a <when>")
    }
    return .choice(branches, otherwise: otherwise ?? [])
  }

  private func loop(of element: MarkupElement) -> TemplateNode? {
    let attributes = AttributeReader(element, issues)
    attributes.allow(["item", "collection", "open", "separator", "close", "reverse"])
    let isReversed = attributes.flag("reverse")
    let nodes = nodes(of: element)
    guard let item = attributes.required("item"),
      let collection = attributes.required("collection")
    else { return nil }
    guard ReferencePath.isName(item) else {
      attributes.note("“\(item)” can't be the name of an item", "item")
      return nil
    }
    guard let path = ReferencePath(collection) else {
      attributes.note("“\(collection)” is no name", "collection")
      return nil
    }
    if let name = path.names.last, sealedProperties.contains(name) {
      attributes.note("a loop over the sealed property “\(path)” would take it apart", "collection")
    }
    return .loop(
      .init(
        item: item,
        collection: path,
        open: element.attributes["open"] ?? "",
        separator: element.attributes["separator"] ?? "",
        close: element.attributes["close"] ?? "",
        isReversed: isReversed,
        nodes: nodes
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
      attributes.note("“onVoid” is ignoreAfter or quit", "onVoid")
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
    return .trim(trim, nodes(of: element))
  }

  /// Words between bars; the longest first, for one may begin with another.
  private func words(_ text: String?) -> [String] {
    (text ?? "").split(separator: "|").map { String($0).trimmed }.filter { !$0.isEmpty }
      .sorted { $0.utf8.count > $1.utf8.count }
  }

  private func pairs(of element: MarkupElement) -> TemplateNode? {
    let attributes = AttributeReader(element, issues)
    attributes.allow(["prefix", "pairs", "join"])
    attributes.refuseContents()
    guard let text = attributes.required("pairs") else { return nil }
    guard let path = ReferencePath(text) else {
      attributes.note("“\(text)” is no name", "pairs")
      return nil
    }
    return .pairs(
      prefix: attributes.text("prefix") ?? "",
      of: path,
      join: attributes.text("join") ?? ","
    )
  }
}
