/// An element of a configuration, as it was read: nothing of what it means is known yet.
struct MarkupElement: Sendable {
  enum Content: Sendable {
    case text(String, ConfigurationPlace)
    case element(MarkupElement)
  }

  let name: String
  let attributes: [String: String]
  let place: ConfigurationPlace
  var contents: [Content] = []

  var elements: [MarkupElement] {
    contents.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// The text directly inside, without that of elements.
  var text: String {
    contents.map { if case .text(let text, _) = $0 { text } else { "" } }.joined()
  }
}
