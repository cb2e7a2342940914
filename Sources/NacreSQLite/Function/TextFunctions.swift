import Foundation
import NacreEngine

/// The text functions of predicates, with Swift's results: they compare characters by canonical equivalence, not bytes.
enum TextFunctions {
  static let contains = ofTwoTexts("nacre_contains") { text, part in
    if isPlain(text) && isPlain(part) { return find(part, in: text) ? 1 : 0 }
    return hasCharacters(string(part), string(text)) ? 1 : 0
  }

  static let starts = ofTwoTexts("nacre_starts") { text, part in
    if isPlain(text) && isPlain(part) { return text.starts(with: part) ? 1 : 0 }
    return string(text).starts(with: string(part)) ? 1 : 0
  }

  static let compareIgnoringCase = ofTwoTexts("nacre_compare_case") { text, other in
    string(text).caseInsensitiveCompare(string(other)).rawValue
  }

  static let compareLocalized = ofTwoTexts("nacre_compare_localized") { text, other in
    string(text).localizedCompare(string(other)).rawValue
  }

  /// A text without case and accents, folded by the rules of the locale.
  static let fold = ScalarFunction("nacre_fold", argumentCount: 1) { arguments in
    if arguments.hasNull { return .null }
    return .string(string(arguments.utf8(at: 0)).foldedForSearch)
  }

  /// How many characters a text has.
  static let count = ScalarFunction("nacre_count", argumentCount: 1) { arguments in
    if arguments.hasNull { return .null }
    let text = arguments.utf8(at: 0)
    return .integer(Int64(isPlain(text) ? text.count : string(text).count))
  }

  /// A function of two texts whose result is a number; it is NULL if one of them is.
  private static func ofTwoTexts(
    _ name: String,
    _ body: @escaping @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int
  ) -> ScalarFunction {
    ScalarFunction(name, argumentCount: 2) { arguments in
      if arguments.hasNull { return .null }
      return .integer(Int64(body(arguments.utf8(at: 0), arguments.utf8(at: 1))))
    }
  }

  private static func string(_ utf8: UnsafeRawBufferPointer) -> String {
    String(decoding: utf8, as: UTF8.self)
  }

  /// Generic like the evaluation of a predicate in memory, because Foundation's own `contains` of texts has other
  /// rules.
  private static func hasCharacters<C: Collection>(_ part: C, _ text: C) -> Bool
  where C.Element: Equatable { text.contains(part) }

  /// Whether every byte is one character: ASCII without a carriage return, which forms one character with a line feed.
  private static func isPlain(_ utf8: UnsafeRawBufferPointer) -> Bool {
    utf8.allSatisfy { $0 < 0x80 && $0 != 0x0D }
  }

  private static func find(
    _ part: UnsafeRawBufferPointer,
    in text: UnsafeRawBufferPointer
  ) -> Bool {
    guard let first = part.first else { return true }
    guard part.count <= text.count else { return false }
    return (0...(text.count - part.count)).contains { start in
      text[start] == first
        && UnsafeRawBufferPointer(rebasing: text[start..<(start + part.count)]).elementsEqual(part)
    }
  }
}
