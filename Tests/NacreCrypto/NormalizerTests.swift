import Testing

@testable import NacreCrypto

@Suite struct NormalizerTests {
  private func index(_ normalizer: Normalizer) throws -> BlindIndex {
    let ring = try KeyRing.create(storeID: StoreID.random(), createdAt: 1)
    let plate = try FieldContext(storeID: ring.storeID, entity: "Car", property: "plate")
    return try BlindIndex(
      key: ring.primary(.index),
      context: plate,
      normalizer: normalizer,
      bits: 128
    )
  }

  /// Every code point that Unicode 17.0 has, but for private ones and the unified ideographs, which are many and
  /// all alike.
  private static let codePoints = (0..<0x110000 as Range<UInt32>)
    .compactMap(Unicode.Scalar.init)
    .filter { scalar in
      guard let age = scalar.properties.age, (age.major, age.minor) <= (17, 0) else { return false }
      return !scalar.properties.isUnifiedIdeograph
        && scalar.properties.generalCategory != .privateUse
    }

  @Test func `the names of normalizers in the file never change`() {
    #expect(Normalizer.allCases.map(\.rawValue) == ["exact", "nfc/1", "casefold/1", "digits/1"])
  }

  @Test(
    arguments: [
      (.exact, "Rene\u{301} 1", "Rene\u{301} 1"), (.nfc, "Rene\u{301} 1", "Ren\u{E9} 1"),
      (.casefold, "RENE\u{301} 1", "ren\u{E9} 1"), (.digits, "Rene\u{301} 1", "1"),
      (.casefold, "AB-123-C", "ab-123-c"), (.casefold, "Stra\u{DF}e", "strasse"),
      (.casefold, "STRA\u{1E9E}E", "strasse"),
      (.casefold, "\u{39F}\u{3A3}", "\u{3BF}\u{3C3}"), (.digits, "+49 (0)30/12:", "4903012"),
      (.nfc, "\u{1112}\u{1161}\u{11AB}", "\u{D55C}"), (.nfc, "q\u{307}\u{323}", "q\u{323}\u{307}"),
      (.nfc, "e\u{30A}\u{301}", "e\u{30A}\u{301}"), (.nfc, "\u{AC00}\u{11A7}", "\u{AC00}\u{11A7}"),
    ] as [(Normalizer, String, String)]
  )
  func `a text is made comparable`(_ normalizer: Normalizer, _ text: String, _ expected: String) {
    // Code points are compared: to Swift, canonically equivalent strings are equal already.
    let normalized = normalizer.normalized(text)
    #expect(Array(normalized.unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test func `every code point stays canonically equivalent, and a second time changes nothing`() {
    for scalar in Self.codePoints {
      let text = String(Character(scalar))
      if Normalizer.nfc.normalized(text) != text { Issue.record("\(scalar.value)") }
      for normalizer in Normalizer.allCases {
        let once = normalizer.normalized(text)
        if !normalizer.normalized(once).utf8.elementsEqual(once.utf8) {
          Issue.record("\(normalizer) of \(scalar.value)")
        }
      }
    }
  }

  @Test func `the parts of every composed code point compose again, unless they are excluded`() {
    var excluded = 0
    for scalar in Self.codePoints {
      let alone = Normalizer.nfc.normalized(String(Character(scalar))).unicodeScalars
      let isExcluded = scalar.properties.isFullCompositionExclusion
      if (Array(alone) != [scalar]) != isExcluded { Issue.record("\(scalar.value)") }
      if isExcluded { excluded += 1 }
    }
    #expect(excluded == 1120)
  }

  @Test func `a long run of marks is put in order`() {
    var text = "e"
    for _ in 0..<100_000 { text.unicodeScalars.append(contentsOf: ["\u{301}", "\u{323}"]) }
    let normalized = Normalizer.nfc.normalized(text).unicodeScalars
    #expect(normalized.count == 200_000)
    #expect(normalized.starts(with: ["\u{1EB9}", "\u{323}"]))
  }

  @Test func `texts that are equal to the normalizer have one token, others not`() throws {
    let casefold = try index(.casefold)
    #expect(try casefold.token(text: "AB-123-C") == casefold.token(text: "ab-123-c"))
    #expect(try casefold.token(text: "Ren\u{E9}") == casefold.token(text: "RENE\u{301}"))
    #expect(try casefold.token(text: "Rene") != casefold.token(text: "Ren\u{E9}"))
    let digits = try index(.digits)
    #expect(try digits.token(text: "+49 30") == digits.token(text: "4930"))
    #expect(try digits.token(text: "none") == digits.token(text: ""))
    let exact = try index(.exact)
    #expect(try exact.token(text: "A") != exact.token(text: "a"))
  }

  @Test(arguments: Normalizer.allCases)
  func `values of other types than text are taken as they are`(
    _ normalizer: Normalizer
  ) throws {
    let index = try index(normalizer)
    let text = Array("ÄB 12".utf8)
    let tokens = try text.withUnsafeBytes { text in
      try PayloadType.allCases.map { try index.token($0, text) }
    }
    #expect(Set(tokens).count == tokens.count)
    // The type byte and the bytes as they are: what `exact` hashes of them under the same key.
    let lower = try Array("äb 12".utf8).withUnsafeBytes { try index.token(.blob, $0) }
    #expect(lower != tokens[4])
  }

  @Test func `nil of a property that hides its nils has the token of one zero byte`() throws {
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    for normalizer in Normalizer.allCases {
      let ring = try KeyRing.create(storeID: StoreID.random(), createdAt: 1)
      let plate = try FieldContext(storeID: ring.storeID, entity: "Car", property: "plate")
      let key = try ring.primary(.index)
      let index = try BlindIndex(key: key, context: plate, normalizer: normalizer, bits: 256)
      var info = Array("nacre/index/1".utf8) + [0, 3] + Array("Car".utf8) + [0, 5]
      info += Array("plate".utf8)
      try info.append(lengthPrefixed: normalizer.rawValue)
      let derived = try HKDF.derive(key.secret, salt: ring.storeID.bytes, info: info)
      #expect(try index.token(.null, nothing) == HMAC(key: derived).authenticate([0]))
      #expect(try index.token(.null, nothing) != index.token(text: ""))
    }
  }
}
