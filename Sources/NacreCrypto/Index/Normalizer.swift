/// How a text is normalized before its blind index is computed; named and versioned (Vectors/FORMAT.md).
///
/// Values of other types are used unchanged.
public enum Normalizer: String, Sendable, CaseIterable {
  /// Leaves the text unchanged; only the identical value matches.
  case exact
  /// Uses Unicode's canonical composition, Normalization Form C.
  case nfc = "nfc/1"
  /// Uses the same form and ignores the case of letters: `ß`, `SS` and `ss` are equal, as are `ς` and `σ`.
  case casefold = "casefold/1"
  /// Keeps only the ASCII digits, as for a telephone number.
  case digits = "digits/1"

  /// The text to compare and hash; normalizing it again changes nothing.
  package func normalized(_ text: String) -> String {
    var text = text
    let changed = text.withUTF8 { utf8 -> [UInt8]? in
      let bytes = UnsafeRawBufferPointer(utf8)
      return leaves(bytes) ? nil : normalized(bytes)
    }
    guard var changed else { return text }
    defer { changed.cleanse() }
    return String(decoding: changed, as: UTF8.self)
  }

  /// Whether UTF-8 is normalized already; false if a quick look does not show it.
  func leaves(_ utf8: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .exact: true
    case .nfc: NFC.isSurelyComposed(utf8)
    case .casefold: utf8.allSatisfy { $0 < 0x80 && !Normalizer.capitals.contains($0) }
    case .digits: utf8.allSatisfy(Normalizer.numerals.contains)
    }
  }

  /// The normalized UTF-8; the caller should cleanse it.
  func normalized(_ utf8: UnsafeRawBufferPointer) -> [UInt8] {
    switch self {
    case .exact: return Array(utf8)
    case .digits: return Normalizer.digits(utf8)
    case .nfc: return Normalizer.encoded(utf8) { NFC.composed($0) }
    case .casefold:
      if utf8.allSatisfy({ $0 < 0x80 }) {
        return utf8.map { Normalizer.capitals.contains($0) ? $0 | 0x20 : $0 }
      }
      return Normalizer.encoded(utf8) { Normalizer.folded($0) }
    }
  }

  private static let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
  private static let numerals = UInt8(ascii: "0")...UInt8(ascii: "9")

  /// Lower-cases first, because `ẞ` is a capital of its own: upper and then lower case would separate it from `ß`.
  private static func folded(_ text: [UInt32]) -> [UInt32] {
    var text = NFC.composed(text)
    for step in [
      \Unicode.Scalar.Properties.lowercaseMapping, \.uppercaseMapping, \.lowercaseMapping,
    ] {
      var mapped: [UInt32] = []
      // No full case mapping has more than three code points.
      mapped.reserveCapacity(text.count * 3)
      for number in text {
        guard let scalar = Unicode.Scalar(number) else { continue }
        mapped.append(contentsOf: scalar.properties[keyPath: step].unicodeScalars.lazy.map(\.value))
      }
      text.cleanse()
      text = mapped
    }
    defer { text.cleanse() }
    return NFC.composed(text)
  }

  private static func digits(_ utf8: UnsafeRawBufferPointer) -> [UInt8] {
    var digits: [UInt8] = []
    // Reserve the whole capacity at once, because an array that grows leaves its former bytes behind.
    digits.reserveCapacity(utf8.count)
    digits.append(contentsOf: utf8.lazy.filter(numerals.contains))
    return digits
  }

  /// Decodes UTF-8, lets `body` change the code points, and encodes them; leaves no copy behind.
  private static func encoded(
    _ utf8: UnsafeRawBufferPointer,
    _ body: ([UInt32]) -> [UInt32]
  ) -> [UInt8] {
    var scalars: [UInt32] = []
    scalars.reserveCapacity(utf8.count)
    _ = transcode(utf8.makeIterator(), from: UTF8.self, to: UTF32.self, stoppingOnError: false) {
      scalars.append($0)
    }
    var changed = body(scalars)
    scalars.cleanse()
    defer { changed.cleanse() }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(changed.count * 4)
    for scalar in changed.lazy.compactMap(Unicode.Scalar.init) {
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
    return bytes
  }
}
