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
    attributes[name].map { text($0, writtenValues[name]) }
  }

  /// The values of all attributes with where they stand.
  var attributeTexts: [String: MarkupText] {
    let written = writtenValues
    return attributes.reduce(into: [:]) { $0[$1.key] = text($1.value, written[$1.key]) }
  }

  private func text(_ value: String, _ written: WrittenValue?) -> MarkupText {
    MarkupText(value, place: written?.place ?? place, written: written?.text ?? "")
  }

  /// Where an attribute's name stands; the tag's place for one that is not there.
  func place(of attribute: String) -> ConfigurationPlace {
    writtenValues[attribute]?.name ?? place
  }

  private typealias WrittenValue = (
    name: ConfigurationPlace, place: ConfigurationPlace, text: Substring
  )

  /// Reads the attributes of the tag: names, `=`, and a value in quotes of one kind.
  private var writtenValues: [String: WrittenValue] {
    var values: [String: WrittenValue] = [:]
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
      let found = String(take { !$0.isWhitespace && $0 != "=" })
      _ = take { $0.isWhitespace || $0 == "=" }
      let quote = rest.first
      step()
      let valuePlace = place
      let value = take { $0 != quote }
      step()
      if values[found] == nil { values[found] = (namePlace, valuePlace, value) }
    }
    return values
  }
}

/// A text of a configuration with how it was written, so that a place in the one is known in the other.
struct MarkupText: Sendable {
  let text: String
  fileprivate let start: ConfigurationPlace
  /// With references such as `&lt;`, and with comments and marks of CDATA, which the text has not.
  fileprivate let written: Substring
  /// How many characters of what is written are cut off before the text.
  fileprivate let skipped: Int

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
    var walk = MarkupWalk(self)
    return walk.place(atByte: offset)
  }

  /// Where a character of the text stands.
  func place(atCharacter offset: Int) -> ConfigurationPlace {
    var walk = MarkupWalk(self)
    return walk.place(atCharacter: offset)
  }
}

/// Goes through a text as it is written, from place to place: one behind the last is found from there.
struct MarkupWalk {
  private let text: MarkupText
  /// What is still to be passed of what is written, and where that begins.
  private var rest: Substring
  private var place: ConfigurationPlace
  /// Whether it is within CDATA.
  private var isRaw = false
  /// How many characters of the text before its beginning was cut off are passed.
  private var passed = 0
  /// The byte that was asked for last, and how many characters stand before it.
  private var last = (byte: 0, character: 0)

  init(_ text: MarkupText) {
    self.text = text
    (rest, place) = (text.written, text.start)
  }

  /// Where a byte of the text's UTF-8 stands.
  mutating func place(atByte offset: Int) -> ConfigurationPlace {
    if offset < last.byte { self = MarkupWalk(text) }
    let behind = text.text.utf8.dropFirst(last.byte).prefix(offset - last.byte)
    last = (offset, last.character + String(decoding: behind, as: UTF8.self).count)
    return place(atCharacter: last.character)
  }

  /// Where a character of the text stands; none before the last that was asked for.
  fileprivate mutating func place(atCharacter offset: Int) -> ConfigurationPlace {
    let end = offset + text.skipped
    while let first = rest.first {
      if isRaw, first == "]", rest.hasPrefix("]]>") {
        take(3)
        isRaw = false
      } else if !isRaw, first == "<", rest.hasPrefix("<!--") {
        take(through: "-->")
      } else if !isRaw, first == "<", rest.hasPrefix("<![CDATA[") {
        take(9)
        isRaw = true
      } else if passed >= end {
        return place
      } else {
        passed += 1
        if !isRaw, first == "&" { take(through: ";") } else { take(1) }
      }
    }
    return place
  }

  private mutating func take(_ count: Int) {
    for _ in 0..<count {
      if let character = rest.popFirst() { place.pass(character) }
    }
  }

  private mutating func take(through end: String) {
    let range = rest.firstRange(of: end)
    take(rest[..<(range?.upperBound ?? rest.endIndex)].count)
  }
}
