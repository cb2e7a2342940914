/// Reads the constants and SQL fragments of a configuration.
enum FragmentReader {
  /// Their texts by their names.
  static func fragments(
    of root: MarkupElement,
    _ issues: ConfigurationIssues
  ) -> [String: String] {
    var fragments: [String: String] = [:]
    func define(_ name: String, _ text: String, _ element: MarkupElement) {
      if name == "T" || name == "t" {
        issues.note("${\(name)} is the table's name already", at: element.place)
      } else if !ReferencePath.isName(name) {
        issues.note("“\(name)” can't be the name of a fragment", at: element.place)
      } else if fragments.updateValue(text, forKey: name) != nil {
        issues.note("“\(name)” is defined twice", at: element.place)
      }
    }
    for element in root.elements where element.name == "const" || element.name == "sql" {
      let attributes = AttributeReader(element, issues)
      if element.name == "const" {
        attributes.refuseContents()
        if element.attributes.isEmpty { attributes.note("<const> needs a name and a value") }
        for (name, text) in element.attributes.sorted(by: { $0.key < $1.key }) {
          define(name, text, element)
        }
      } else {
        attributes.allow(["id"])
        for child in element.elements {
          issues.note("<\(child.name)> can't stand in <sql>", at: child.place)
        }
        if let name = attributes.required("id") { define(name, element.text.trimmed, element) }
      }
    }
    return fragments
  }
}
