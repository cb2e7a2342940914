/// An element of a configuration, as it was read; its meaning is not known yet.
struct MarkupElement: Sendable {
  enum Content: Sendable {
    case text(MarkupText)
    case element(MarkupElement)
  }

  let name: String
  let attributes: [String: String]
  /// The place where its tag begins.
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

  /// The value of an attribute with its place; nil if there is none.
  func attribute(_ name: String) -> MarkupText? {
    attributes[name].map { text($0, writtenValues[name]) }
  }

  /// The values of all attributes with their places.
  var attributeTexts: [String: MarkupText] {
    let written = writtenValues
    return attributes.reduce(into: [:]) { $0[$1.key] = text($1.value, written[$1.key]) }
  }

  private func text(_ value: String, _ written: WrittenValue?) -> MarkupText {
    MarkupText(value, place: written?.place ?? place, written: written?.text ?? "")
  }

  /// The place of an attribute's name; that of the tag if there is no such attribute.
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

/// A text of a configuration and its source, so that a place in the text can be found in the source.
struct MarkupText: Sendable {
  let text: String
  fileprivate let start: ConfigurationPlace
  /// The source, with references such as `&lt;`, comments and marks of CDATA, which the text does not have.
  fileprivate let written: Substring
  /// How many characters of the source are cut off before the text.
  fileprivate let skipped: Int

  init(_ text: String, place: ConfigurationPlace, written: Substring, skipped: Int = 0) {
    self.text = text
    start = place
    self.written = written
    self.skipped = skipped
  }

  /// Whether the text is empty or only blanks.
  var isBlank: Bool { text.allSatisfy(\.isWhitespace) }

  /// The text without blanks at its ends.
  var trimmed: MarkupText {
    let blanks = text.prefix(while: \.isWhitespace).count
    return MarkupText(text.trimmed, place: start, written: written, skipped: skipped + blanks)
  }

  /// The place of the first character that is not a blank.
  var place: ConfigurationPlace {
    place(atCharacter: text.prefix(while: \.isWhitespace).count)
  }

  /// The place of a byte of the text's UTF-8.
  func place(atByte offset: Int) -> ConfigurationPlace {
    var walk = MarkupWalk(self)
    return walk.place(atByte: offset)
  }

  /// The place of a character of the text.
  func place(atCharacter offset: Int) -> ConfigurationPlace {
    var walk = MarkupWalk(self)
    return walk.place(atCharacter: offset)
  }
}

/// Goes through a text's source from place to place; a later place is found from the last one.
struct MarkupWalk {
  private let text: MarkupText
  /// The rest of the source, and the place where it begins.
  private var rest: Substring
  private var place: ConfigurationPlace
  /// Whether the walk is inside of CDATA.
  private var isRaw = false
  /// How many characters have been passed, including those cut off before the text.
  private var passed = 0
  /// The byte that was asked for last, and the number of characters before it.
  private var last = (byte: 0, character: 0)

  init(_ text: MarkupText) {
    self.text = text
    (rest, place) = (text.written, text.start)
  }

  /// The place of a byte of the text's UTF-8.
  mutating func place(atByte offset: Int) -> ConfigurationPlace {
    if offset < last.byte { self = MarkupWalk(text) }
    let behind = text.text.utf8.dropFirst(last.byte).prefix(offset - last.byte)
    last = (offset, last.character + String(decoding: behind, as: UTF8.self).count)
    return place(atCharacter: last.character)
  }

  /// The place of a character of the text; it must not come before the last one that was asked for.
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
