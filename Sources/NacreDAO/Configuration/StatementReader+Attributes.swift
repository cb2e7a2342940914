extension StatementReader {
  /// The SQL in an attribute, with the constants that it names put in; nil if there is no such attribute.
  ///
  /// References to values are refused: such an attribute is the same SQL at every call.
  func sql(of name: String, in element: MarkupElement) -> String? {
    guard let written = element.attributes[name] else { return nil }
    // Most attributes name nothing, and the place of one is found by reading its tag.
    guard written.contains("{"), let text = element.attribute(name) else { return written }
    guard let expanded = expansion.expanded(text) else { return "" }
    let bytes = Array(expanded.text.utf8)
    let isReference = { (position: Int) in bytes.opensReference(at: position, of: "#@$") }
    if let start = bytes.indices.first(where: isReference) {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "}")) ?? bytes.count - 1
      let reference = String(decoding: bytes[start...end], as: UTF8.self)
      issues.note(
        "“\(reference)” can't stand in “\(name)”, which takes SQL and constants; write it in the "
          + "text of <\(element.name)>, or beside it",
        at: text.place(atByte: expanded.source(of: start))
      )
    }
    return expanded.text
  }
}
