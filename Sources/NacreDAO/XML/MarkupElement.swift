/// An element of a configuration, as it was read: nothing of what it means is known yet.
struct MarkupElement: Sendable {
  enum Content: Sendable {
    case text(MarkupText)
    case element(MarkupElement)
  }

  let name: String
  let attributes: [String: String]
  /// Where its tag begins.
  let place: ConfigurationPlace
  /// Its tag as it is written, for the places of its attributes.
  let tag: Substring
  var contents: [Content] = []

  var elements: [MarkupElement] {
    contents.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  var texts: [MarkupText] {
    contents.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  /// The value of an attribute with where it stands; nil where there is none.
  func attribute(_ name: String) -> MarkupText? {
    guard let text = attributes[name] else { return nil }
    let value = writtenValue(of: name)
    return MarkupText(text, place: value?.place ?? place, written: value?.text ?? "")
  }

  /// Where an attribute's name stands; the tag's place for one that is not there.
  func place(of attribute: String) -> ConfigurationPlace {
    writtenValue(of: attribute)?.name ?? place
  }

  private typealias WrittenValue = (
    name: ConfigurationPlace, place: ConfigurationPlace, text: Substring
  )

  /// Looks the attribute up in the tag: names, `=`, and a value in quotes of one kind.
  private func writtenValue(of name: String) -> WrittenValue? {
    var (rest, place) = (tag, place)
    func step() {
      if let character = rest.popFirst() { place.pass(character) }
    }
    func take(while holds: (Character) -> Bool) -> Substring {
      let start = rest
      while let character = rest.first, holds(character) { step() }
      return start[..<rest.startIndex]
    }
    _ = take { !$0.isWhitespace }
    while !rest.isEmpty {
      _ = take(while: \.isWhitespace)
      let namePlace = place
      let found = take { !$0.isWhitespace && $0 != "=" }
      _ = take { $0.isWhitespace || $0 == "=" }
      let quote = rest.first
      step()
      let valuePlace = place
      let value = take { $0 != quote }
      step()
      if found == name { return (namePlace, valuePlace, value) }
    }
    return nil
  }
}

/// A text of a configuration with how it was written, so that a place in the one is known in the other.
struct MarkupText: Sendable {
  let text: String
  private let start: ConfigurationPlace
  /// With references such as `&lt;`, and with comments and marks of CDATA, which the text has not.
  private let written: Substring
  /// How many characters of what is written are cut off before the text.
  private let skipped: Int

  init(_ text: String, place: ConfigurationPlace, written: Substring, skipped: Int = 0) {
    self.text = text
    start = place
    self.written = written
    self.skipped = skipped
  }

  /// Whether there is nothing but blanks.
  var isBlank: Bool { text.allSatisfy(\.isWhitespace) }

  /// The text without blanks at its ends.
  var trimmed: MarkupText {
    let blanks = text.prefix(while: \.isWhitespace).count
    return MarkupText(text.trimmed, place: start, written: written, skipped: skipped + blanks)
  }

  /// Where the first character stands that is no blank.
  var place: ConfigurationPlace {
    place(atCharacter: text.prefix(while: \.isWhitespace).count)
  }

  /// Where a byte of the text's UTF-8 stands.
  func place(atByte offset: Int) -> ConfigurationPlace {
    place(atCharacter: String(decoding: text.utf8.prefix(offset), as: UTF8.self).count)
  }

  /// Where a character of the text stands.
  func place(atCharacter offset: Int) -> ConfigurationPlace {
    var (place, rest, left) = (start, written, offset + skipped)
    var isRaw = false
    func take(_ count: Int) {
      for _ in 0..<count {
        if let character = rest.popFirst() { place.pass(character) }
      }
    }
    func take(through end: String) {
      let range = rest.firstRange(of: end)
      take(rest[..<(range?.upperBound ?? rest.endIndex)].count)
    }
    while !rest.isEmpty {
      if isRaw, rest.hasPrefix("]]>") {
        take(3)
        isRaw = false
      } else if !isRaw, rest.hasPrefix("<!--") {
        take(through: "-->")
      } else if !isRaw, rest.hasPrefix("<![CDATA[") {
        take(9)
        isRaw = true
      } else if left == 0 {
        return place
      } else {
        left -= 1
        if !isRaw, rest.first == "&" { take(through: ";") } else { take(1) }
      }
    }
    return place
  }
}
