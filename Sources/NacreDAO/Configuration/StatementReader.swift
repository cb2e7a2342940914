/// Reads one statement of a method or an upgrade.
struct StatementReader {
  let issues: ConfigurationIssues
  var expansion: TextExpansion
  /// The names of all sealed properties, of whatever class.
  let sealedProperties: Set<String>
  /// The quotes and comments at the reader's position.
  var quotes = QuoteTrack()
  /// The names of arguments and items that an expression can't say, because it reads them as values.
  var hiddenNames: Set<String> = []
  /// The `<sql>` elements by their ids, for `<include>`.
  var fragments: [String: MarkupElement] = [:]
  /// The texts of fragments that only an `<include>` with properties can name, as long as none is being read.
  var openTexts: [String: MarkupText] = [:]
  /// The ids of the `<sql>` elements that are being read, the outermost first.
  var includes: [String] = []
  /// How many elements are around the reader's position.
  var depth = 0

  /// The elements that can stand in a statement.
  static let blocks = [
    "if", "choose", "foreach", "where", "set", "trim", "format", "bind", "include",
  ]

  /// The nodes of an element's contents.
  mutating func nodes(of element: MarkupElement) -> [TemplateNode] {
    let outer = (depth, hiddenNames)
    quotes.seam()
    defer {
      (depth, hiddenNames) = outer
      quotes.seam()
    }
    depth += 1
    guard depth <= MarkupReader.depthLimit else {
      let limit = MarkupReader.depthLimit
      issues.note("elements are nested more than \(limit) levels deep", at: element.place)
      return []
    }
    return element.contents.flatMap { content in
      switch content {
      case .text(let text): nodes(of: text)
      case .element(let child): nodes(ofChild: child, in: element)
      }
    }
  }

  private mutating func nodes(
    ofChild child: MarkupElement,
    in element: MarkupElement
  ) -> [TemplateNode] {
    quotes.seam()
    defer { quotes.seam() }
    if child.name == "include" { return included(by: child) }
    return node(of: child, in: element).map { [$0] } ?? []
  }

  private mutating func nodes(of text: MarkupText) -> [TemplateNode] {
    guard let expanded = expansion.expanded(text) else { return [] }
    let keep = issues.keep(text)
    let source = { (byte: Int) in keep(expanded.source(of: byte)) }
    do throws(TemplateTextError) {
      var nodes: [TemplateNode] = []
      for piece in try TemplateText.pieces(of: expanded.text) {
        let node = placed(piece, in: expanded.text, behind: nodes.last, source)
        quotes.pass(node)
        nodes.append(node)
      }
      return nodes
    } catch {
      issues.note(error.message, at: source(error.offset))
      return []
    }
  }

  /// The node for a piece of a text; mistakes in it are noted.
  private func placed(
    _ piece: TemplateText.Piece,
    in text: String,
    behind last: TemplateNode?,
    _ source: (_ byte: Int) -> SourcePlace
  ) -> TemplateNode {
    switch piece.node {
    case .splice(var reference):
      reference.number = issues.number(of: source(piece.offset))
      refuseSealed(reference)
      return .splice(reference)
    case .bind(var reference):
      reference.number = issues.number(of: source(piece.offset))
      refuseQuoted(reference)
      return .bind(reference)
    case .tableName:
      let isAlone = quotes.state == .plain && text.isName(at: piece.offset)
      return isAlone ? .tableName : .tablePart
    case .text(let sql):
      if case .bind(let reference) = last, sql.utf8.first?.isDigit == true {
        issues.note("a blank is missing after #{\(reference.path)}", at: source(piece.offset))
      }
      refuseParameters(in: sql) { source(piece.offset + $0) }
      return piece.node
    default: return piece.node
    }
  }

  /// Refuses to splice a property that any class seals, because the class of an argument is not known before a call.
  private func refuseSealed(_ reference: TemplateReference) {
    guard let name = reference.path.names.last, sealedProperties.contains(name) else { return }
    issues.note(
      "@{\(reference.path)} would put a sealed property into the SQL; write #{\(reference.path)}",
      atReference: reference.number
    )
  }

  private func refuseQuoted(_ reference: TemplateReference) {
    let kind: String
    switch quotes.state {
    case nil, .plain: return
    case .lineComment, .blockComment: kind = "a comment"
    case .quoted, .bracketed: kind = "quotes"
    }
    issues.note(
      "#{\(reference.path)} stands in \(kind), where SQL has no parameters; "
        + "write it outside, as in '%' || #{\(reference.path)}",
      atReference: reference.number
    )
  }

  private mutating func node(of element: MarkupElement, in parent: MarkupElement) -> TemplateNode? {
    let attributes = AttributeReader(element, issues)
    switch element.name {
    case "if":
      attributes.allow(["true", "false"])
      // Read in any case, to note the mistakes in them.
      let before = quotes
      let nodes = nodes(of: element)
      quotes.join([quotes, before])
      return condition(of: element).map { .conditional($0, nodes) }
    case "choose": return choice(of: element)
    case "foreach": return loop(of: element)
    case "where", "set", "trim": return trim(of: element)
    case "format": return pairs(of: element)
    case "bind": return definition(of: element)
    default:
      AttributeReader(parent, issues).refuse(element, allowing: Self.blocks)
      return nil
    }
  }

  /// The condition in the attribute `true` or `false`; an element needs exactly one of them.
  private func condition(of element: MarkupElement) -> TemplateNode.Condition? {
    let attributes = AttributeReader(element, issues)
    let given = ["true", "false"].filter { element.attributes[$0] != nil }
    guard given.count == 1, let name = given.first, let text = element.attribute(name) else {
      attributes.note("<\(element.name)> needs one of the attributes “true” and “false”")
      return nil
    }
    refuseHiddenNames(in: text)
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
        if otherwise != nil {
          issues.note("<when> has to stand before <otherwise>", at: child.place)
        }
        let nodes = nodes(of: child)
        ways.append(quotes)
        if let condition = condition(of: child) {
          branches.append(.init(condition: condition, nodes: nodes))
        }
      case "otherwise":
        AttributeReader(child, issues).allow([])
        if otherwise != nil {
          issues.note("only one <otherwise> can stand in <choose>", at: child.place)
        }
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
    quotes.endTag(begun: before)
    return .choice(branches, otherwise: otherwise ?? [])
  }

  private mutating func loop(of element: MarkupElement) -> TemplateNode? {
    let attributes = AttributeReader(element, issues)
    attributes.allow([
      "item", "index", "collection", "open", "separator", "close", "reverse", "empty",
    ])
    let isReversed = attributes.flag("reverse")
    let outer = hiddenNames
    hide(attributes.text("item"))
    hide(attributes.text("index"))
    let nodes = elementNodes(of: element)
    hiddenNames = outer
    guard let item = attributes.required("item"),
      let collection = attributes.required("collection")
    else { return nil }
    guard ReferencePath.isName(item) else {
      attributes.note("“\(item)” can't be the name of an item", "item")
      return nil
    }
    let index = attributes.text("index")
    if let index, !ReferencePath.isName(index) || index == item {
      attributes.note("“\(index)” can't be the name of an index beside “\(item)”", "index")
    }
    guard let path = ReferencePath(collection) else {
      attributes.note("“\(collection)” is not a name", "collection")
      return nil
    }
    if let name = path.names.last, sealedProperties.contains(name) {
      attributes.note("a loop over the sealed property “\(path)” would take it apart", "collection")
    }
    return .loop(
      .init(
        item: item,
        collection: path,
        open: sql(of: "open", in: element) ?? "",
        separator: sql(of: "separator", in: element) ?? "",
        close: sql(of: "close", in: element) ?? "",
        isReversed: isReversed,
        empty: sql(of: "empty", in: element),
        nodes: nodes,
        index: index
      )
    )
  }

  /// Reads the nodes that are rendered for each element of a loop.
  ///
  /// The quotes that are open after one element are open before the next.
  private mutating func elementNodes(of loop: MarkupElement) -> [TemplateNode] {
    var without = quotes
    pass("open", of: loop)
    quotes.seam()
    quotes.beginPart()
    let before = quotes
    let nodes = nodes(of: loop)
    quotes.endPart(begun: before)
    var next = quotes
    refuseParameters(of: "separator", in: loop)
    next.pass(sql(of: "separator", in: loop) ?? "")
    next.seam()
    quotes.join([quotes, before, next])
    pass("close", of: loop)
    guard let empty = sql(of: "empty", in: loop) else { return nodes }
    swap(&without, &quotes)
    refuseParameters(of: "empty", in: loop)
    quotes.pass(empty)
    quotes.join([without, quotes])
    return nodes
  }

  /// Moves past an attribute whose value becomes a part of the statement.
  private mutating func pass(_ attribute: String, of element: MarkupElement) {
    refuseParameters(of: attribute, in: element)
    quotes.pass(sql(of: attribute, in: element) ?? "")
  }
}
