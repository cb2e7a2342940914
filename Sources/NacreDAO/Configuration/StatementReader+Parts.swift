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
        TemplateNode.Trim(
          prefix: "SET",
          prefixOverrides: [","],
          suffixOverrides: [","],
          onVoid: onVoid
        )
      default:
        TemplateNode.Trim(
          prefix: sql(of: "prefix", in: element)?.trimmed ?? "",
          suffix: sql(of: "suffix", in: element)?.trimmed ?? "",
          prefixOverrides: words(sql(of: "prefixOverrides", in: element)),
          suffixOverrides: words(sql(of: "suffixOverrides", in: element)),
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
    let join = sql(of: "join", in: element)?.trimmed ?? ""
    let node = TemplateNode.pairs(
      .init(
        prefix: sql(of: "prefix", in: element)?.trimmed ?? "",
        path: path,
        join: join.isEmpty ? "," : join,
        empty: sql(of: "empty", in: element)
      )
    )
    quotes.pass(node)
    return node
  }
}
