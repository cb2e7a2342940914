/// Unicode's Normalization Form C (Unicode Standard Annex 15), with a table of our own.
///
/// An index value stays in the file for years. It must not depend on the system, or on the version of a library, that
/// computed it. Foundation's form C on Linux is wrong for Hangul (U+AC00 U+11B2), and the standard library's for
/// U+0F73.
enum NFC {
  /// Whether UTF-8 is certainly in this form; false if a quick look does not show it.
  ///
  /// No code point below U+0300 composes with the one before it.
  static func isSurelyComposed(_ utf8: UnsafeRawBufferPointer) -> Bool {
    // 0xCC is the first byte of U+0300.
    utf8.allSatisfy { $0 < 0xCC }
  }

  /// The form C of code points.
  static func composed(_ text: [UInt32]) -> [UInt32] {
    var marked = decomposed(text)
    defer { marked.cleanse() }
    order(&marked)
    var out: [UInt32] = []
    out.reserveCapacity(marked.count)
    var starter: Int?
    var lastClass: UInt8 = 0
    for next in marked {
      // The pair is blocked if a mark of the same class, or a starter, stands between the two (UAX 15, D115).
      if let starter, lastClass == 0 || lastClass < next.combiningClass,
        let composite = Composites.shared.composite(out[starter], next.scalar)
      {
        out[starter] = composite
        continue
      }
      if next.combiningClass == 0 { starter = out.count }
      lastClass = next.combiningClass
      out.append(next.scalar)
    }
    return out
  }

  private struct Marked {
    let scalar: UInt32
    let combiningClass: UInt8
  }

  private static func decomposed(_ text: [UInt32]) -> [Marked] {
    var out: [Marked] = []
    // No decomposition has more than four code points.
    out.reserveCapacity(text.count * 4)
    for scalar in text { decompose(scalar, into: &out) }
    return out
  }

  private static func decompose(_ scalar: UInt32, into out: inout [Marked]) {
    if let (first, second) = Hangul.decomposition(scalar) ?? Composites.shared[scalar] {
      decompose(first, into: &out)
      if second != 0 { decompose(second, into: &out) }
      return
    }
    let properties = Unicode.Scalar(scalar)?.properties
    let combiningClass = properties?.canonicalCombiningClass.rawValue ?? 0
    out.append(Marked(scalar: scalar, combiningClass: combiningClass))
  }

  /// Sorts each run of marks by class; marks of one class keep their order.
  private static func order(_ text: inout [Marked]) {
    var at = 0
    while at < text.count {
      guard text[at].combiningClass != 0 else {
        at += 1
        continue
      }
      let end = text[at...].firstIndex { $0.combiningClass == 0 } ?? text.count
      if end - at > 1 {
        // The position makes the order total, because Swift does not promise a stable sort.
        let sorted = text[at..<end].enumerated().sorted {
          ($0.element.combiningClass, $0.offset) < ($1.element.combiningClass, $1.offset)
        }
        for (offset, entry) in sorted.enumerated() { text[at + offset] = entry.element }
      }
      at = end
    }
  }
}

/// The table of the pairs that compose and of the decompositions.
private struct Composites {
  static let shared = Composites(DecompositionTable.text)

  private var steps: [UInt32: (UInt32, UInt32)] = [:]
  private var composites: [UInt64: UInt32] = [:]

  private init(_ table: StaticString) {
    let text = UnsafeBufferPointer(start: table.utf8Start, count: table.utf8CodeUnitCount)
    var composite: UInt32 = 0
    for entry in text.split(separator: UInt8(ascii: " ")) {
      var (first, number, composes): (UInt32?, UInt32, Bool) = (nil, 0, false)
      for byte in entry {
        switch byte {
        case UInt8(ascii: ":"): (composite, number) = (number, 0)
        case UInt8(ascii: "+"): (first, number, composes) = (number, 0, true)
        case UInt8(ascii: "-"): (first, number) = (number, 0)
        default: number = number << 4 | (UInt32(byte & 15) + (byte > 0x40 ? 9 : 0))
        }
      }
      steps[composite] = first.map { ($0, number) } ?? (number, 0)
      if let first, composes { composites[UInt64(first) << 32 | UInt64(number)] = composite }
      composite += 1
    }
  }

  /// One step of a code point's decomposition, or nil if it has none; the second number is 0 if it decomposes into one
  /// code point.
  subscript(scalar: UInt32) -> (UInt32, UInt32)? { scalar < 0xC0 ? nil : steps[scalar] }

  /// The code point into which two code points compose, or nil if they do not compose.
  func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
    Hangul.composite(first, second) ?? composites[UInt64(first) << 32 | UInt64(second)]
  }
}

/// Hangul syllables, which arithmetic composes (The Unicode Standard, section 3.12).
private enum Hangul {
  private static let (syllable, leading, vowel, trailing) =
    (0xAC00, 0x1100, 0x1161, 0x11A7) as (UInt32, UInt32, UInt32, UInt32)
  private static let (vowelCount, trailingCount): (UInt32, UInt32) = (21, 28)
  private static let syllables = syllable..<syllable + 19 * vowelCount * trailingCount

  static func decomposition(_ scalar: UInt32) -> (UInt32, UInt32)? {
    guard syllables.contains(scalar) else { return nil }
    let index = scalar - syllable
    let last = index % trailingCount
    if last != 0 { return (scalar - last, trailing + last) }
    let pair = index / trailingCount
    return (leading + pair / vowelCount, vowel + pair % vowelCount)
  }

  static func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
    if (leading..<leading + 19).contains(first), (vowel..<vowel + vowelCount).contains(second) {
      return syllable + ((first - leading) * vowelCount + second - vowel) * trailingCount
    }
    guard syllables.contains(first), (first - syllable).isMultiple(of: trailingCount),
      (trailing + 1..<trailing + trailingCount).contains(second)
    else { return nil }
    return first + second - trailing
  }
}
