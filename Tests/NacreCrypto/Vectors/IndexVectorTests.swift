import Testing

@testable import NacreCrypto

/// Runs Vectors/blind-index.json.
@Suite struct IndexVectorTests {
  @Test func `blind indexes`() throws {
    try VectorFolder.run("blind-index.json", accumulated: accumulated) { one in
      let expect = try one.text("expect")
      let key = try indexKey(one)
      let type = try payloadType(one.text("type"))
      let value = try valueBytes(of: one, type)
      let bits = Int(try one.number("bits"))
      let context = try FieldContext(
        storeID: key.storeID,
        entity: one.text("entity"),
        property: one.text("property")
      )
      guard let normalizer = try Normalizer(rawValue: one.text("normalizer")) else {
        #expect(expect == "badParameters", one.comment)
        return
      }
      func token(_ bits: Int) throws -> [UInt8] {
        let index = try BlindIndex(key: key, context: context, normalizer: normalizer, bits: bits)
        return try value.withUnsafeBytes { try index.token(type, $0) }
      }
      guard expect == "matches" else {
        let thrown = code { _ = try token(bits) }
        #expect(thrown.map { "\($0)" } == expect, one.comment)
        return
      }
      let mac = try one.bytes("mac")
      #expect(try token(bits) == one.bytes("index"), one.comment)
      #expect(try token(256) == mac, one.comment)
      let normalized = try one.bytes("normalized")
      #expect(
        try HMAC(key: SecretBytes(one.bytes("K"))).authenticate([type.rawValue] + normalized) == mac
      )
      guard type == .text else {
        #expect(normalized == value, one.comment)
        return
      }
      let text = String(decoding: value, as: UTF8.self)
      #expect(Array(normalizer.normalized(text).utf8) == normalized, one.comment)
      let index = try BlindIndex(key: key, context: context, normalizer: normalizer, bits: 256)
      #expect(try index.token(text: text) == mac, one.comment)
    }
  }

  private func indexKey(_ one: VectorCase) throws -> DataKey {
    DataKey(
      id: KeyID(rawValue: 1),
      storeID: try #require(StoreID(one.bytes("storeID"))),
      purpose: .index,
      suite: .xaes256GCM,
      secret: try SecretBytes(one.bytes("indexKey"))
    )
  }

  /// Every code point that Unicode 3.2 had assigned, each on its own.
  private func accumulated(_ digests: VectorCase) throws {
    let early = (0..<0x110000 as Range<UInt32>).compactMap(Unicode.Scalar.init).filter(isEarly)
    for normalizer in [Normalizer.nfc, .casefold] {
      let lines = early.map { Array(normalizer.normalized(String(Character($0))).utf8) }
      let digest = try SHA256.digest(Array(lines.joined(separator: [0x0A])))
      #expect(try digests.bytes(normalizer.rawValue) == digest)
    }
  }

  private func isEarly(_ scalar: Unicode.Scalar) -> Bool {
    guard let age = scalar.properties.age, (age.major, age.minor) <= (3, 2) else { return false }
    switch scalar.properties.generalCategory {
    case .unassigned, .privateUse, .surrogate: return false
    default: return true
    }
  }
}
