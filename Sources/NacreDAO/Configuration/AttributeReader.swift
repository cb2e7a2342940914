/// Reads the attributes of an element, and notes mistakes in them.
struct AttributeReader {
  private let element: MarkupElement
  private let issues: ConfigurationIssues

  init(_ element: MarkupElement, _ issues: ConfigurationIssues) {
    self.element = element
    self.issues = issues
  }

  /// Notes a mistake in the element, or in one of its attributes.
  func note(_ message: String, _ attribute: String? = nil) {
    issues.note(message, at: attribute.map(element.place(of:)) ?? element.place)
  }

  /// Notes that a child can't stand in this element, and which elements can.
  func refuse(_ child: MarkupElement, allowing names: [String]) {
    let known =
      names.isEmpty
      ? "no element can" : names.map { "<\($0)>" }.joined(separator: ", ") + " can"
    let advice = ForeignName.advice(insteadOf: child.name)
    issues.note(
      "<\(child.name)> can't stand in <\(element.name)>; \(known)\(advice)",
      at: child.place
    )
  }

  /// Refuses attributes with other names.
  func allow(_ names: [String]) {
    for name in element.attributes.keys.sorted() where !names.contains(name) {
      let known = names.isEmpty ? "takes none" : "takes \(names.joined(separator: ", "))"
      let advice = ForeignName.advice(insteadOf: name)
      note("<\(element.name)> has no attribute “\(name)”; it \(known)\(advice)", name)
    }
  }

  /// Refuses anything inside the element.
  func refuseContents() {
    refuseText()
    for child in element.elements { refuse(child, allowing: []) }
  }

  func refuseText() {
    for text in element.texts where !text.isBlank {
      issues.note("text can't stand in <\(element.name)>", at: text.place)
    }
  }

  /// The value without blanks at its ends; nil if there is none, or only blanks.
  func text(_ name: String) -> String? {
    guard let text = element.attributes[name]?.trimmed, !text.isEmpty else { return nil }
    return text
  }

  /// The value without blanks at its ends; nil, and noted, if it is missing.
  func required(_ name: String) -> String? {
    if let text = text(name) { return text }
    note("<\(element.name)> needs the attribute “\(name)”")
    return nil
  }

  /// Whether the value is `true` or `yes`, in any case; false if the attribute is missing.
  func flag(_ name: String) -> Bool {
    guard let text = text(name)?.lowercased() else { return false }
    if ["true", "yes"].contains(text) { return true }
    if !["false", "no"].contains(text) {
      note("the value of “\(name)” must be true or false", name)
    }
    return false
  }

  /// The version; nil if there is none, and nil with a note if it is malformed.
  func version(_ name: String) -> DAOVersion? {
    guard let text = text(name) else { return nil }
    guard let version = DAOVersion(text) else {
      note("“\(text)” is not a version: write numbers with dots, such as 1.10", name)
      return nil
    }
    return version
  }
}
