extension StatementReader {
  /// Reads `<where>`, `<set>` and `<trim>`.
  mutating func trim(of element: MarkupElement) -> TemplateNode {
    let attributes = AttributeReader(element, issues)
    let own = ["prefix", "suffix", "prefixOverrides", "suffixOverrides"]
    attributes.allow((element.name == "trim" ? own : []) + ["onVoid"])
    let onVoid: TemplateNode.OnVoid
    switch attributes.text("onVoid") {
    case nil: onVoid = .goOn
    case "ignoreAfter": onVoid = .ignoreAfter
    case "quit": onVoid = .quit
    default:
      attributes.note("the value of “onVoid” must be ignoreAfter or quit", "onVoid")
      onVoid = .goOn
    }
    let trim =
      switch element.name {
      case "where":
        TemplateNode.Trim(prefix: "WHERE", prefixOverrides: ["AND", "OR"], onVoid: onVoid)
      case "set":
        TemplateNode.Trim(prefix: "SET", suffixOverrides: [","], onVoid: onVoid)
      default:
        TemplateNode.Trim(
          prefix: attributes.text("prefix") ?? "",
          suffix: attributes.text("suffix") ?? "",
          prefixOverrides: words(attributes.text("prefixOverrides")),
          suffixOverrides: words(attributes.text("suffixOverrides")),
          onVoid: onVoid
        )
      }
    return .trim(trim, nodes(of: element, within: trim))
  }

  private mutating func nodes(
    of element: MarkupElement,
    within trim: TemplateNode.Trim
  ) -> [TemplateNode] {
    quotes.beginPart()
    let before = quotes
    refuseParameters(of: "prefix", in: element)
    quotes.pass(trim.prefix)
    let nodes = nodes(of: element)
    quotes.endPart(begun: before, dropping: trim.prefixOverrides + trim.suffixOverrides)
    refuseParameters(of: "suffix", in: element)
    quotes.pass(trim.suffix)
    quotes.join([quotes, before])
    return nodes
  }

  /// The words between bars; the longest first, because one may begin with another.
  private func words(_ text: String?) -> [String] {
    (text ?? "").split(separator: "|").map { String($0).trimmed }.filter { !$0.isEmpty }
      .sorted { $0.utf8.count > $1.utf8.count }
  }

  /// Reads `<format>`.
  mutating func pairs(of element: MarkupElement) -> TemplateNode? {
    let attributes = AttributeReader(element, issues)
    attributes.allow(["prefix", "pairs", "join", "empty"])
    attributes.refuseContents()
    guard let text = attributes.required("pairs") else { return nil }
    guard let path = ReferencePath(text) else {
      attributes.note("“\(text)” is not a name", "pairs")
      return nil
    }
    if let name = path.names.last, sealedProperties.contains(name) {
      attributes.note(
        "the pairs of the sealed property “\(path)” would be stored unsealed",
        "pairs"
      )
    }
    for name in ["prefix", "join", "empty"] { refuseParameters(of: name, in: element) }
    let node = TemplateNode.pairs(
      .init(
        prefix: attributes.text("prefix") ?? "",
        path: path,
        join: attributes.text("join") ?? ",",
        empty: element.attributes["empty"]
      )
    )
    quotes.pass(node)
    return node
  }
}
