/// Reads one statement of a method or an upgrade.
struct StatementReader {
  private let issues: ConfigurationIssues
  private let expansion: TextExpansion
  /// The properties of any class that are sealed.
  private let sealedProperties: Set<String>
  /// What is open where the reader is.
  private var quotes = QuoteTrack()

  init(
    _ issues: ConfigurationIssues,
    _ expansion: TextExpansion,
    sealedProperties: Set<String>
  ) {
    self.issues = issues
    self.expansion = expansion
    self.sealedProperties = sealedProperties
  }

  /// The elements that can stand in a statement.
  static let blocks = ["if", "choose", "foreach", "where", "set", "trim", "format"]

  /// The nodes of an element's contents.
  mutating func nodes(of element: MarkupElement) -> [TemplateNode] {
    element.contents.flatMap { content in
      switch content {
      case .text(let text): nodes(of: text)
      case .element(let child): node(of: child, in: element).map { [$0] } ?? []
      }
    }
  }

  private mutating func nodes(of text: MarkupText) -> [TemplateNode] {
    guard let expanded = expansion.expanded(text) else { return [] }
    let source = issues.keep(text)
    do throws(TemplateTextError) {
      return try TemplateText.pieces(of: expanded.text).map { piece in
        let place = { text.place(atByte: expanded.source(of: piece.offset)) }
        var node = piece.node
        switch node {
        case .splice(var reference):
          refuseSealed(reference, at: place())
          reference.source = source(expanded.source(of: piece.offset))
          node = .splice(reference)
        case .bind(var reference):
          refuseQuoted(reference, at: place())
          reference.source = source(expanded.source(of: piece.offset))
          node = .bind(reference)
        case .tableName:
          let isAlone = quotes.state == .plain && expanded.text.isName(at: piece.offset)
          if !isAlone { node = .tablePart }
        default: break
        }
        quotes.pass(node)
        return node
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

  private func refuseQuoted(_ reference: TemplateReference, at place: ConfigurationPlace) {
    let kind: String
    switch quotes.state {
    case nil, .plain: return
    case .lineComment, .blockComment: kind = "a comment"
    case .quoted, .bracketed: kind = "quotes"
    }
    issues.note(
      "#{\(reference.path)} stands in \(kind), where SQL has no parameters; "
        + "write it outside, as in '%' || #{\(reference.path)}",
      at: place
    )
  }

  private mutating func node(of element: MarkupElement, in parent: MarkupElement) -> TemplateNode? {
    let attributes = AttributeReader(element, issues)
    switch element.name {
    case "if":
      attributes.allow(["true", "false"])
      // Read in any case, for what is wrong in them.
      let before = quotes
      let nodes = nodes(of: element)
      quotes.join([quotes, before])
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

  private mutating func choice(of element: MarkupElement) -> TemplateNode {
    let attributes = AttributeReader(element, issues)
    attributes.allow([])
    attributes.refuseText()
    var branches: [TemplateNode.Branch] = []
    var otherwise: [TemplateNode]?
    let before = quotes
    var ways: [QuoteTrack] = []
    for child in element.elements {
      quotes = before
      switch child.name {
      case "when":
        AttributeReader(child, issues).allow(["true", "false"])
        if otherwise != nil { issues.note("<when> stands behind <otherwise>", at: child.place) }
        let nodes = nodes(of: child)
        ways.append(quotes)
        if let condition = condition(of: child) {
          branches.append(.init(condition: condition, nodes: nodes))
        }
      case "otherwise":
        AttributeReader(child, issues).allow([])
        if otherwise != nil { issues.note("there is another <otherwise>", at: child.place) }
        otherwise = nodes(of: child)
        ways.append(quotes)
      default: attributes.refuse(child, allowing: ["when", "otherwise"])
      }
    }
    if !element.elements.contains(where: { $0.name == "when" }) {
      attributes.note("<choose> needs a <when>")
    }
    quotes = before
    quotes.join(otherwise == nil ? ways + [before] : ways)
    return .choice(branches, otherwise: otherwise ?? [])
  }

  private mutating func loop(of element: MarkupElement) -> TemplateNode? {
    let attributes = AttributeReader(element, issues)
    attributes.allow(["item", "collection", "open", "separator", "close", "reverse"])
    let isReversed = attributes.flag("reverse")
    let nodes = elementNodes(of: element)
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

  /// What is rendered for each element of a loop: the state behind one is that before the next.
  private mutating func elementNodes(of loop: MarkupElement) -> [TemplateNode] {
    quotes.pass(loop.attributes["open"] ?? "")
    quotes.beginPart()
    let before = quotes
    let nodes = nodes(of: loop)
    quotes.endPart(begun: before)
    var next = quotes
    next.pass(loop.attributes["separator"] ?? "")
    quotes.join([quotes, before, next])
    quotes.pass(loop.attributes["close"] ?? "")
    return nodes
  }

  private mutating func trim(of element: MarkupElement) -> TemplateNode {
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
    return .trim(trim, nodes(of: element, within: trim))
  }

  private mutating func nodes(
    of element: MarkupElement,
    within trim: TemplateNode.Trim
  ) -> [TemplateNode] {
    quotes.beginPart()
    let before = quotes
    quotes.pass(trim.prefix)
    let nodes = nodes(of: element)
    quotes.endPart(begun: before, dropping: trim.prefixOverrides + trim.suffixOverrides)
    quotes.pass(trim.suffix)
    quotes.join([quotes, before])
    return nodes
  }

  /// Words between bars; the longest first, for one may begin with another.
  private func words(_ text: String?) -> [String] {
    (text ?? "").split(separator: "|").map { String($0).trimmed }.filter { !$0.isEmpty }
      .sorted { $0.utf8.count > $1.utf8.count }
  }

  private mutating func pairs(of element: MarkupElement) -> TemplateNode? {
    let attributes = AttributeReader(element, issues)
    attributes.allow(["prefix", "pairs", "join"])
    attributes.refuseContents()
    guard let text = attributes.required("pairs") else { return nil }
    guard let path = ReferencePath(text) else {
      attributes.note("“\(text)” is no name", "pairs")
      return nil
    }
    if let name = path.names.last, sealedProperties.contains(name) {
      attributes.note(
        "the pairs of the sealed property “\(path)” would be stored unsealed",
        "pairs"
      )
    }
    let node = TemplateNode.pairs(
      prefix: attributes.text("prefix") ?? "",
      of: path,
      join: attributes.text("join") ?? ","
    )
    quotes.pass(node)
    return node
  }
}
