/// Reads the constants and SQL fragments of a configuration.
enum FragmentReader {
  /// The texts of the constants and fragments, by their names.
  static func fragments(
    of root: MarkupElement,
    _ issues: ConfigurationIssues
  ) -> [String: MarkupText] {
    var fragments: [String: MarkupText] = [:]
    func define(
      _ name: String,
      _ text: MarkupText,
      at place: @autoclosure () -> ConfigurationPlace
    ) {
      if name == "T" || name == "t" {
        issues.note("${\(name)} already stands for the table's name", at: place())
      } else if !ReferencePath.isName(name) {
        issues.note("“\(name)” can't be the name of a fragment", at: place())
      } else if fragments.updateValue(text, forKey: name) != nil {
        issues.note("“\(name)” is defined twice", at: place())
      }
    }
    for element in root.elements where element.name == "const" || element.name == "sql" {
      let attributes = AttributeReader(element, issues)
      if element.name == "const" {
        attributes.refuseContents()
        if element.attributes.isEmpty { attributes.note("<const> needs a name and a value") }
        for (name, text) in element.attributeTexts.sorted(by: { $0.key < $1.key }) {
          define(name, text, at: element.place(of: name))
        }
      } else {
        attributes.allow(["id"])
        guard let name = attributes.required("id") else { continue }
        let nothing = MarkupText("", place: element.place, written: "")
        define(name, element.texts.first?.trimmed ?? nothing, at: element.place(of: "id"))
      }
    }
    return fragments
  }
}
