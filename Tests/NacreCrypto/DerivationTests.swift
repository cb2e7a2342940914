import Testing

@testable import NacreCrypto

@Suite struct DerivationTests {
  @Test func `HKDF gives the bytes of RFC 5869 A.1`() throws {
    let key = try SecretBytes([UInt8](repeating: 0x0B, count: 22))
    let prk = try HKDF.extract(key, salt: bytes("000102030405060708090a0b0c"))
    #expect(
      prk.array == bytes("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5")
    )
    let okm = try HKDF.expand(prk, info: bytes("f0f1f2f3f4f5f6f7f8f9"), count: 42)
    #expect(
      okm.array
        == bytes(
          "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        )
    )
  }

  @Test func `HKDF gives the bytes of RFC 5869 A.3, without salt and info`() throws {
    let key = try SecretBytes([UInt8](repeating: 0x0B, count: 22))
    let okm = try HKDF.derive(key, salt: [], info: [], count: 42)
    #expect(
      okm.array
        == bytes(
          "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        )
    )
  }

  @Test func `HKDF takes more info than libcrypto's own would`() throws {
    let key = try SecretBytes(random: 32)
    let info = [UInt8](repeating: 7, count: 200_000)
    #expect(try HKDF.derive(key, salt: [], info: info).count == 32)
    #expect(code { _ = try HKDF.expand(key, info: [], count: 255 * 32 + 1) } == .lengthTooLarge)
    #expect(try HKDF.expand(key, info: [], count: 255 * 32).count == 255 * 32)
  }

  @Test func `scrypt gives the bytes of RFC 7914`() throws {
    let key = try Scrypt.derive(
      SecretBytes(Array("pleaseletmein".utf8)),
      salt: Array("SodiumChloride".utf8),
      n: 16384,
      r: 8,
      p: 1,
      count: 64
    )
    #expect(
      key.array
        == bytes(
          "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
            + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
        )
    )
  }

  @Test func `a kept HMAC gives the same for the same message`() throws {
    // RFC 4231, case 2.
    let hmac = try HMAC(key: SecretBytes(Array("Jefe".utf8)))
    let expected = bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    for _ in 0..<3 {
      #expect(try hmac.authenticate(Array("what do ya want for nothing?".utf8)) == expected)
      #expect(try hmac.authenticate(Array("something else".utf8)) != expected)
    }
  }
}
