/// Reads the attributes of an element, and notes what is wrong with them.
struct AttributeReader {
  private let element: MarkupElement
  private let issues: ConfigurationIssues

  init(_ element: MarkupElement, _ issues: ConfigurationIssues) {
    self.element = element
    self.issues = issues
  }

  func note(_ message: String) { issues.note(message, at: element.place) }

  /// Refuses attributes of other names.
  func allow(_ names: [String]) {
    for name in element.attributes.keys.sorted() where !names.contains(name) {
      let known = names.isEmpty ? "takes none" : "takes \(names.joined(separator: ", "))"
      note("<\(element.name)> has no attribute “\(name)”; it \(known)")
    }
  }

  /// Refuses anything inside the element.
  func refuseContents() {
    refuseText()
    for child in element.elements {
      issues.note("<\(child.name)> can't stand in <\(element.name)>", at: child.place)
    }
  }

  func refuseText() {
    if !element.text.trimmed.isEmpty { note("text can't stand in <\(element.name)>") }
  }

  /// The value without blanks at its ends; nil where there is none, or only blanks.
  func text(_ name: String) -> String? {
    guard let text = element.attributes[name]?.trimmed, !text.isEmpty else { return nil }
    return text
  }

  /// The same, noted where it is missing.
  func required(_ name: String) -> String? {
    if let text = text(name) { return text }
    note("<\(element.name)> needs the attribute “\(name)”")
    return nil
  }

  /// `true` and `YES` in any case; absent is false.
  func flag(_ name: String) -> Bool {
    guard let text = text(name)?.lowercased() else { return false }
    if ["true", "yes"].contains(text) { return true }
    if !["false", "no"].contains(text) { note("“\(name)” is true or false") }
    return false
  }

  /// A version; nil where there is none, or, noted, where it is malformed.
  func version(_ name: String) -> DAOVersion? {
    guard let text = text(name) else { return nil }
    guard let version = DAOVersion(text) else {
      note("“\(text)” is no version: write numbers with dots, such as 1.10")
      return nil
    }
    return version
  }
}
