import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads XML strictly: Foundation's parser alone lets pass what is no XML, and loses what stands in entities.
///
/// No DOCTYPE and with it no entities but the five of XML; one root, closed; what the parser notes as an error is one,
/// whatever `parse()` returns.
final class MarkupReader: NSObject, XMLParserDelegate {
  /// How large a configuration may be, in bytes.
  static let byteLimit = 1 << 22
  /// How deep elements may be nested: reading one is a call for each level.
  static let depthLimit = 100

  private let issues: ConfigurationIssues
  private var open: [MarkupElement] = []
  private var roots: [MarkupElement] = []
  private var text = ""
  private var textPlace = ConfigurationPlace(line: 1, column: 1)
  private var hasFailed = false

  private init(_ issues: ConfigurationIssues) { self.issues = issues }

  /// The root element; nil, with an issue noted, where the text is no XML.
  static func read(_ data: Data, _ issues: ConfigurationIssues) -> MarkupElement? {
    let start = ConfigurationPlace(line: 1, column: 1)
    guard data.count <= byteLimit else {
      issues.note("the configuration has over \(byteLimit) bytes", at: start)
      return nil
    }
    // The parser finds no fault with bytes that are no text, and would tell nothing of what a DTD hides.
    guard let text = String(validating: data, as: UTF8.self), !text.utf8.contains(0) else {
      issues.note("the configuration is not UTF-8", at: start)
      return nil
    }
    if let place = doctype(in: text) {
      issues.note("a DOCTYPE is not allowed: there are no entities here", at: place)
      return nil
    }
    let reader = MarkupReader(issues)
    let parser = XMLParser(data: data)
    parser.shouldProcessNamespaces = false
    parser.shouldResolveExternalEntities = false
    parser.delegate = reader
    let isParsed = parser.parse()
    return reader.root(parser, isParsed: isParsed)
  }

  /// Where a DOCTYPE begins outside of comments and CDATA.
  private static func doctype(in text: String) -> ConfigurationPlace? {
    let bytes = Array(text.utf8)
    var position = 0
    func continues(_ mark: String) -> Bool { bytes[position...].starts(with: mark.utf8) }
    while position < bytes.count {
      defer { position += 1 }
      guard bytes[position] == UInt8(ascii: "<") else { continue }
      if continues("<!DOCTYPE") || continues("<!doctype") {
        return ConfigurationPlace(endOf: bytes[..<position])
      }
      let ends = [("<!--", "-->"), ("<![CDATA[", "]]>")]
      guard let end = ends.first(where: { continues($0.0) })?.1 else { continue }
      while position < bytes.count && !continues(end) { position += 1 }
    }
    return nil
  }

  private func root(_ parser: XMLParser, isParsed: Bool) -> MarkupElement? {
    if hasFailed { return nil }
    if let error = parser.parserError { fail(error, parser) }
    if hasFailed { return nil }
    guard isParsed, open.isEmpty, roots.count == 1 else {
      note(open.last.map { "<\($0.name)> is not closed" } ?? "there is no element", parser)
      return nil
    }
    return roots.first
  }

  private func fail(_ error: any Error, _ parser: XMLParser) {
    guard !hasFailed else { return }
    hasFailed = true
    let unclosed = open.last.map { "; <\($0.name)> of line \($0.place.line) is open" } ?? ""
    note("this is no well-formed XML (code \((error as NSError).code))\(unclosed)", parser)
  }

  private func note(_ message: String, _ parser: XMLParser) {
    issues.note(
      message,
      at: ConfigurationPlace(
        line: max(parser.lineNumber, 1),
        column: max(parser.columnNumber, 1)
      )
    )
  }

  // MARK: - Delegate

  func parser(
    _ parser: XMLParser,
    didStartElement name: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String]
  ) {
    endText()
    guard open.count < Self.depthLimit else {
      if !hasFailed {
        hasFailed = true
        note("elements are nested over \(Self.depthLimit) levels deep", parser)
      }
      parser.abortParsing()
      return
    }
    if open.isEmpty && !roots.isEmpty && !hasFailed {
      hasFailed = true
      note("<\(name)> is a second root", parser)
    }
    // The parser is behind the tag when it tells of it.
    let place = ConfigurationPlace(line: parser.lineNumber, column: parser.columnNumber)
    open.append(MarkupElement(name: name, attributes: attributes, place: place))
    textPlace = place
  }

  func parser(
    _ parser: XMLParser,
    didEndElement name: String,
    namespaceURI: String?,
    qualifiedName: String?
  ) {
    endText()
    guard let element = open.popLast() else { return }
    if open.isEmpty {
      roots.append(element)
    } else {
      open[open.count - 1].contents.append(.element(element))
    }
    textPlace = ConfigurationPlace(line: parser.lineNumber, column: parser.columnNumber)
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if text.isEmpty {
      textPlace = ConfigurationPlace(line: parser.lineNumber, column: parser.columnNumber)
    }
    text += string
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    text += String(decoding: block, as: UTF8.self)
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) { fail(error, parser) }

  private func endText() {
    defer { text = "" }
    guard !text.isEmpty, !open.isEmpty else { return }
    open[open.count - 1].contents.append(.text(text, textPlace))
  }
}

extension ConfigurationPlace {
  /// The place behind these bytes.
  fileprivate init(endOf bytes: ArraySlice<UInt8>) {
    let newline = UInt8(ascii: "\n")
    line = bytes.count { $0 == newline } + 1
    let lineBytes = bytes.lastIndex(of: newline).map { bytes[($0 + 1)...] } ?? bytes
    column = String(decoding: lineBytes, as: UTF8.self).count + 1
  }
}
