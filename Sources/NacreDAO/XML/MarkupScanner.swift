/// Finds where the tags of a text begin and end, and refuses XML that a configuration does not allow.
///
/// Foundation's parser reports a tag when it is behind it, at places that differ between systems, and does not report a
/// DTD. The parser alone decides whether the XML is well-formed. In malformed XML the scanner may find any tags, but it
/// never reads beyond the end.
struct MarkupScanner {
  /// The beginning or end of an element; marks come in the order in which the parser reports them.
  struct Mark {
    let place: ConfigurationPlace
    let range: Range<Int>
    /// The place directly behind it.
    let end: ConfigurationPlace
  }

  private let bytes: [UInt8]
  private var position = 0
  private var place = ConfigurationPlace.start
  private(set) var marks: [Mark] = []
  private let issues: ConfigurationIssues

  /// Scans a text, and notes a DOCTYPE, a processing instruction, and a declared encoding other than UTF-8.
  static func marks(of bytes: [UInt8], _ issues: ConfigurationIssues) -> [Mark] {
    var scanner = MarkupScanner(bytes, issues)
    scanner.scan()
    return scanner.marks
  }

  private init(_ bytes: [UInt8], _ issues: ConfigurationIssues) {
    self.bytes = bytes
    self.issues = issues
  }

  private mutating func scan() {
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<") else {
        pass()
        continue
      }
      if continues("<!--") {
        pass(through: "-->")
      } else if continues("<![CDATA[") {
        pass(through: "]]>")
      } else if continues("<?") {
        instruction()
      } else if continues("<!DOCTYPE") {
        issues.note("a DOCTYPE is not allowed: write what its entities stand for", at: place)
        return
      } else {
        tag()
      }
    }
  }

  private mutating func tag() {
    let (start, startPlace) = (position, place)
    var quote: UInt8?
    while position < bytes.count {
      let byte = bytes[position]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        break
      }
      pass()
    }
    let isEmpty = position < bytes.count && bytes[position - 1] == UInt8(ascii: "/")
    let end = position
    pass()
    marks.append(Mark(place: startPlace, range: start..<end, end: place))
    // The parser reports both the beginning and the end of `<a/>`.
    if isEmpty { marks.append(Mark(place: startPlace, range: end..<end, end: place)) }
  }

  private mutating func instruction() {
    let (start, startPlace) = (position, place)
    pass(through: "?>")
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard start == 0, text.hasPrefix("<?xml"), text.dropFirst(5).first?.isWhitespace == true else {
      issues.note("a processing instruction has no meaning here", at: startPlace)
      return
    }
    guard let name = text.firstRange(of: "encoding") else { return }
    let encoding = text[name.upperBound...].split { "\"'=".contains($0) || $0.isWhitespace }.first
    if encoding?.lowercased() != "utf-8" {
      issues.note("the encoding has to be UTF-8, because the text is read as UTF-8", at: startPlace)
    }
  }

  /// Whether the text here begins with a mark, in any case of its letters.
  private func continues(_ mark: StaticString) -> Bool {
    let count = mark.utf8CodeUnitCount
    guard bytes.count - position >= count else { return false }
    return mark.withUTF8Buffer { mark in
      mark.indices.allSatisfy { bytes[position + $0].uppercased == mark[$0] }
    }
  }

  private mutating func pass(through end: StaticString) {
    while position < bytes.count && !continues(end) { pass() }
    for _ in 0..<end.utf8CodeUnitCount { pass() }
  }

  private mutating func pass() {
    guard position < bytes.count else { return }
    let byte = bytes[position]
    position += 1
    if byte == UInt8(ascii: "\n") {
      place.line += 1
      place.column = 1
    } else if byte == UInt8(ascii: "\r") {
      // CR and LF together end one line.
      if position < bytes.count, bytes[position] == UInt8(ascii: "\n") { return }
      place.line += 1
      place.column = 1
    } else if byte & 0xC0 != 0x80 {
      place.column += 1
    }
  }
}

extension UInt8 {
  /// The capital of an ASCII letter; any other byte unchanged.
  fileprivate var uppercased: UInt8 {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) ? self & 0xDF : self
  }
}
