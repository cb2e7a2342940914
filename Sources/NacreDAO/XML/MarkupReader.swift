import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Reads XML strictly, because Foundation's parser alone accepts malformed XML and loses the contents of entities.
///
/// It allows no DOCTYPE, and so no entities but the five of XML, and exactly one root, which is closed. Everything that
/// the parser notes as an error is an error, whatever `parse()` returns. The place of an element is the `<` of its tag.
/// The place of a text is its first character that is not a blank. The place of a mistake in XML is where the parser
/// stopped, which is behind the mistake.
final class MarkupReader: NSObject, XMLParserDelegate {
  /// The largest size of a configuration, in bytes.
  static let byteLimit = 1 << 22
  /// How deep elements may be nested: each level takes a call to read.
  static let depthLimit = 100

  private let issues: ConfigurationIssues
  private let source: String
  private let marks: [MarkupScanner.Mark]
  /// How many of the marks the parser has reported.
  private var passed = 0
  private var open: [MarkupElement] = []
  private var roots: [MarkupElement] = []
  private var text = ""
  private var hasFailed = false

  private init(_ source: String, _ marks: [MarkupScanner.Mark], _ issues: ConfigurationIssues) {
    self.source = source
    self.marks = marks
    self.issues = issues
  }

  /// The root element; nil, with an issue noted, if the text is not XML.
  static func read(_ data: Data, _ issues: ConfigurationIssues) -> MarkupElement? {
    guard let source = source(of: data, issues) else { return nil }
    let marks = MarkupScanner.marks(of: Array(source.utf8), issues)
    guard issues.isEmpty else { return nil }
    let reader = MarkupReader(source, marks, issues)
    let parser = XMLParser(data: Data(source.utf8))
    parser.shouldProcessNamespaces = false
    parser.shouldResolveExternalEntities = false
    parser.delegate = reader
    let isParsed = parser.parse()
    return reader.root(parser, isParsed: isParsed)
  }

  private static func source(of data: Data, _ issues: ConfigurationIssues) -> String? {
    guard data.count <= byteLimit else {
      issues.note("the configuration is larger than \(byteLimit) bytes", at: .start)
      return nil
    }
    let bytes = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      issues.note("the configuration is UTF-16; save it as UTF-8", at: .start)
      return nil
    }
    // The parser stops at a NUL without an error.
    if let end = bytes.firstIndex(of: 0) {
      let place = ConfigurationPlace(behind: bytes[..<end])
      issues.note("there is a NUL byte; the configuration has to be UTF-8", at: place)
      return nil
    }
    // The parser also accepts some bytes that are not UTF-8.
    guard let source = String(validating: bytes, as: UTF8.self) else {
      let place = ConfigurationPlace(behind: bytes.prefix(validCount(of: bytes)))
      issues.note("the configuration is not UTF-8 from here on", at: place)
      return nil
    }
    return source
  }

  /// How many bytes are valid UTF-8 before the first invalid one.
  private static func validCount(of bytes: Data) -> Int {
    var (iterator, decoder, count) = (bytes.makeIterator(), UTF8(), 0)
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      count += UTF8.width(scalar)
    }
    return count
  }

  private func root(_ parser: XMLParser, isParsed: Bool) -> MarkupElement? {
    if let error = parser.parserError { fail(error, parser) }
    if hasFailed { return nil }
    guard isParsed, open.isEmpty, roots.count == 1 else {
      noteEnd()
      return nil
    }
    return roots.first
  }

  private func noteEnd() {
    if let element = open.last {
      issues.note("<\(element.name)> is not closed", at: element.place)
    } else {
      issues.note("the configuration contains no element", at: .start)
    }
  }

  private func fail(_ error: any Error, _ parser: XMLParser) {
    guard !hasFailed else { return }
    hasFailed = true
    let code = (error as NSError).code
    if open.isEmpty && !roots.isEmpty {
      note("something stands after the root", parser)
    } else if MarkupMistake.ends.contains(code) {
      noteEnd()
    } else {
      note("the XML is not well-formed: \(MarkupMistake.words(of: code))", parser)
    }
  }

  private func note(_ message: String, _ parser: XMLParser) {
    let place = ConfigurationPlace(
      line: max(parser.lineNumber, 1),
      column: max(parser.columnNumber, 1)
    )
    issues.note(message, at: place)
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
    let mark = nextMark()
    guard open.count < Self.depthLimit else {
      if !hasFailed {
        hasFailed = true
        let place = mark?.place ?? .start
        issues.note("elements are nested more than \(Self.depthLimit) levels deep", at: place)
      }
      parser.abortParsing()
      return
    }
    open.append(
      MarkupElement(
        name: name,
        attributes: attributes,
        place: mark?.place ?? .start,
        tag: mark.map { written($0.range) } ?? ""
      )
    )
  }

  func parser(
    _ parser: XMLParser,
    didEndElement name: String,
    namespaceURI: String?,
    qualifiedName: String?
  ) {
    endText()
    _ = nextMark()
    guard let element = open.popLast() else { return }
    if open.isEmpty {
      roots.append(element)
    } else {
      open[open.count - 1].contents.append(.element(element))
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    text += String(decoding: block, as: UTF8.self)
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) { fail(error, parser) }

  private func nextMark() -> MarkupScanner.Mark? {
    defer { passed += 1 }
    return passed < marks.count ? marks[passed] : nil
  }

  private func endText() {
    defer { text = "" }
    guard !text.isEmpty, !open.isEmpty, passed > 0, passed <= marks.count else { return }
    let before = marks[passed - 1]
    let start = min(before.range.upperBound + 1, source.utf8.count)
    let end = passed < marks.count ? marks[passed].range.lowerBound : source.utf8.count
    let written = start <= end ? written(start..<end) : ""
    let content = MarkupText(text, place: before.end, written: written)
    open[open.count - 1].contents.append(.text(content))
  }

  private func written(_ range: Range<Int>) -> Substring {
    let start = source.utf8.index(source.startIndex, offsetBy: range.lowerBound)
    return source[start..<source.utf8.index(start, offsetBy: range.count)]
  }
}

/// Puts the parser's error codes into words; the codes are libxml2's on every system.
enum MarkupMistake {
  /// The codes for a text that ends too early, and for an end tag that is not the open element's.
  static let ends: Set<Int> = [4, 5, 76, 77]

  static func words(of code: Int) -> String {
    switch code {
    case 73: "a tag is not closed"
    case 22, 23: "write a & as &amp;, or as “and” in an expression"
    case 9: "a character is not allowed in XML"
    case 26, 27, 28: "only &lt; &gt; &amp; &quot; &apos; and numbers are entities"
    case 38: "write a < in an attribute as &lt;"
    case 39, 40, 41: "an attribute's value has to stand in quotes"
    case 42: "an attribute is given twice"
    case 62: "write ]]> in a text as ]]&gt;"
    case 65: "a blank is missing between attributes"
    case 68: "write a < in a text as &lt; and a & as &amp;, or as “and” in an expression"
    case 80: "-- can't stand in a comment"
    case 201: "a namespace is not declared"
    default: "code \(code)"
    }
  }
}

extension ConfigurationPlace {
  /// Makes the place behind these bytes.
  fileprivate init(behind bytes: Data) {
    self = .start
    for character in String(decoding: bytes, as: UTF8.self) { pass(character) }
  }
}
