extension StatementReader {
  /// Takes the fragments that statements can include, and notes the mistakes in them, also where nobody includes them.
  mutating func takeFragments(_ fragments: Fragments) {
    self.fragments = fragments.elements
    openTexts = fragments.openTexts
    for id in fragments.closedElements {
      guard let element = fragments.elements[id] else { continue }
      var reader = self
      reader.includes = [id]
      _ = reader.nodes(of: element)
    }
  }

  /// The nodes that an `<include>` stands for.
  mutating func included(by element: MarkupElement) -> [TemplateNode] {
    let attributes = AttributeReader(element, issues)
    attributes.allow(["refid"])
    attributes.refuseText()
    let properties = properties(of: element)
    guard attributes.required("refid") != nil,
      let id = sql(of: "refid", in: element)?.trimmed
    else { return [] }
    guard let fragment = fragments[id] else {
      attributes.note("there is no <sql> “\(id)”", "refid")
      return []
    }
    guard !includes.contains(id) else {
      let way = (includes + [id]).joined(separator: " → ")
      attributes.note("the fragments refer to each other in a circle: \(way)", "refid")
      return []
    }
    do throws(TextExpansion.Failure) { try expansion.charge(fragment.size) } catch {
      attributes.note(error.message, "refid")
      return []
    }
    let outer = (expansion, includes, openTexts)
    defer { (expansion, includes, openTexts) = outer }
    includes.append(id)
    if !properties.isEmpty {
      if !openTexts.isEmpty { expansion = TextExpansion(openTexts, in: expansion) }
      // The expansion knows them from here on.
      openTexts = [:]
      expansion = TextExpansion(properties, in: expansion)
    }
    return joined(fragment)
  }

  /// A fragment's nodes, kept apart from what stands beside them.
  private mutating func joined(_ fragment: MarkupElement) -> [TemplateNode] {
    let before = quotes
    let nodes = nodes(of: fragment)
    if before.state == .plain, nodes.allSatisfy(\.isFlat) {
      quotes.pass("\n")
      return [.text(" ")] + nodes + [.text("\n")]
    }
    quotes.endPart(begun: before)
    return [.trim(TemplateNode.Trim(prefix: "", onVoid: .goOn), nodes)]
  }

  /// The properties that an `<include>` gives its fragment, with the constants in them put in.
  private func properties(of element: MarkupElement) -> [String: MarkupText] {
    var properties: [String: MarkupText] = [:]
    for child in element.elements {
      guard child.name == "property" else {
        AttributeReader(element, issues).refuse(child, allowing: ["property"])
        continue
      }
      let attributes = AttributeReader(child, issues)
      attributes.allow(["name", "value"])
      attributes.refuseContents()
      guard let name = attributes.required("name") else { continue }
      guard let value = child.attribute("value") else {
        attributes.note("<property> needs the attribute “value”")
        continue
      }
      guard ReferencePath.isName(name), name != "T", name != "t" else {
        attributes.note("“\(name)” can't be the name of a property", "name")
        continue
      }
      guard let text = expansion.expanded(value)?.text else { continue }
      let place = child.place(of: "value")
      properties[name] = MarkupText(text, place: place, written: "")
    }
    return properties
  }
}

extension TemplateNode {
  /// Whether the node is a piece of text, the same at every call but for its values.
  fileprivate var isFlat: Bool {
    switch self {
    case .text, .tableName, .tablePart, .bind, .splice: true
    default: false
    }
  }
}
