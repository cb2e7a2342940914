/// The constants and fragments of a configuration, by what can name them.
struct Fragments {
  /// The texts that `${name}` stands for.
  private(set) var texts: [String: MarkupText]
  /// The `<sql>` elements that an `<include>` can name, by their ids.
  private(set) var elements: [String: MarkupElement] = [:]
  /// The texts that name properties of an `<include>`, and so can be read only in one.
  private(set) var openTexts: [String: MarkupText] = [:]
  /// The names that `${name}` can't say, each with what to write.
  private(set) var refusals: [String: String] = [:]
  /// The ids of the `<sql>` elements with tags that can be read without an `<include>`.
  private(set) var closedElements: [String] = []

  /// Sorts the fragments of a module, whose texts have been read.
  init(_ texts: [String: MarkupText], of root: MarkupElement) {
    self.texts = texts
    for element in root.elements where element.name == "sql" {
      guard let id = element.attributes["id"]?.trimmed, elements[id] == nil else { continue }
      elements[id] = element
    }
    let open = OpenFragments.names(texts, elements, properties: root.includeProperties)
    for (id, element) in elements where !element.elements.isEmpty {
      self.texts[id] = nil
      refusals[id] = "“\(id)” has tags in it; write <include refid=\"\(id)\"/>"
      if !open.contains(id) { closedElements.append(id) }
    }
    closedElements.sort()
    for name in open {
      openTexts[name] = self.texts.removeValue(forKey: name)
      refusals[name] =
        "“\(name)” needs a <property>; write <include refid=\"\(name)\"><property name=\"…\" "
        + "value=\"…\"/></include>"
    }
  }
}

/// Finds the fragments that name properties of an `<include>`, themselves or through others.
private enum OpenFragments {
  static func names(
    _ texts: [String: MarkupText],
    _ elements: [String: MarkupElement],
    properties: Set<String>
  ) -> Set<String> {
    let properties = properties.subtracting(texts.keys).subtracting(["T", "t"])
    if properties.isEmpty { return [] }
    // The fragments that name another name.
    var users: [String: [String]] = [:]
    var waiting: [String] = []
    for (name, text) in texts {
      let named = elements[name]?.namedFragments ?? Self.named(in: text.text)
      for other in named { users[other, default: []].append(name) }
      if !properties.isDisjoint(with: named) { waiting.append(name) }
    }
    var open = Set(waiting)
    while let name = waiting.popLast() {
      for user in users[name] ?? [] where open.insert(user).inserted { waiting.append(user) }
    }
    return open
  }

  /// The names in `${name}` in a text.
  static func named(in text: String) -> Set<String> {
    var names: Set<String> = []
    var rest = text[...]
    while let start = rest.firstRange(of: "${") {
      rest = rest[start.upperBound...]
      names.insert(String(rest.prefix { $0 != "}" }).trimmed)
    }
    return names
  }
}

extension MarkupElement {
  /// The names of the properties that the `<include>` elements inside give.
  fileprivate var includeProperties: Set<String> {
    var names: Set<String> = []
    for element in elements {
      if name == "include", element.name == "property", let name = element.attributes["name"] {
        names.insert(name.trimmed)
      }
      names.formUnion(element.includeProperties)
    }
    return names
  }

  /// The fragments and properties that the element names, without those to which it gives properties of their own.
  fileprivate var namedFragments: Set<String> {
    var names = attributes.values.reduce(into: Set<String>()) {
      $0.formUnion(OpenFragments.named(in: $1))
    }
    for content in contents {
      switch content {
      case .text(let text): names.formUnion(OpenFragments.named(in: text.text))
      case .element(let child):
        names.formUnion(child.namedFragments)
        if child.name == "include", child.elements.isEmpty, let id = child.attributes["refid"] {
          names.insert(id.trimmed)
        }
      }
    }
    return names
  }

  /// About how much work it is to read the element, in bytes.
  var size: Int {
    let own = 64 + attributes.values.reduce(0) { $0 + $1.utf8.count }
    return contents.reduce(own) { sum, content in
      switch content {
      case .text(let text): sum + text.text.utf8.count
      case .element(let child): sum + child.size
      }
    }
  }
}
