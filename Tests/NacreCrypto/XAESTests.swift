import Testing

@testable import NacreCrypto

/// A case of the C2SP specification (c2sp.org/XAES-256-GCM), with its intermediates.
struct XAESCase: Sendable {
  let key: [UInt8]
  let aad: [UInt8]
  let k1: [UInt8]
  let subkey: [UInt8]
  let sealed: [UInt8]
  let nonce = Array("ABCDEFGHIJKLMNOPQRSTUVWX".utf8)
  let plaintext = Array("XAES-256-GCM".utf8)

  static let published = [
    XAESCase(
      key: [UInt8](repeating: 1, count: 32),
      aad: [],
      k1: bytes("e531954aca063d5b8d9c47a47d4cc6f0"),
      subkey: bytes("c8612c9ed53fe43e8e005b828a1631a0bbcb6ab2f46514ec4f439fcfd0fa969b"),
      sealed: bytes("ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271")
    ),
    XAESCase(
      key: [UInt8](repeating: 3, count: 32),
      aad: Array("c2sp.org/XAES-256-GCM".utf8),
      k1: bytes("23810ec50edb99f374409466ed1f4b7b"),
      subkey: bytes("e9c621d4cdd9b11b00a6427ad7e559aeedd66b3857646677748f8ca796cb3fd8"),
      sealed: bytes("986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d")
    ),
  ]
}

@Suite struct XAESTests {
  @Test(arguments: XAESCase.published)
  func `the published cases seal to the published bytes`(_ published: XAESCase) throws {
    let sealed = try published.plaintext.withUnsafeBytes {
      try XAES.seal($0, key: SecretBytes(published.key), nonce: published.nonce, aad: published.aad)
    }
    #expect(sealed == published.sealed)
  }

  @Test(arguments: XAESCase.published)
  func `the published cases open`(_ published: XAESCase) throws {
    let opened = try XAES.open(
      published.nonce + published.sealed,
      key: SecretBytes(published.key),
      aad: published.aad
    )
    #expect(opened?.array == published.plaintext)
    let moved = try XAES.open(
      published.nonce + published.sealed,
      key: SecretBytes(published.key),
      aad: [9]
    )
    #expect(moved == nil)
  }

  @Test(arguments: XAESCase.published)
  func `K1 and the subkey are the published ones`(_ published: XAESCase) throws {
    let key = try XAESKey(SecretBytes(published.key))
    #expect(key.cmacSubkey.array == published.k1)
    let subkey = try published.nonce.withUnsafeBytes {
      try key.subkey(for: #require($0.baseAddress))
    }
    #expect(subkey.array == published.subkey)
  }

  @Test func `each seal draws its own nonce`() throws {
    let key = try SecretBytes(random: 32)
    let sealed = try (0..<100).map { _ in try XAES.seal(key, key: key, aad: []) }
    #expect(Set(sealed.map { Array($0.prefix(12)) }).count == 100)
    #expect(Set(sealed.map { Array($0[12..<24]) }).count == 100)
  }

  @Test(arguments: [0, 12, 23, 25])
  func `a nonce that has not 24 bytes is refused`(_ count: Int) throws {
    let key = try SecretBytes(random: 32)
    let nonce = [UInt8](repeating: 1, count: count)
    let thrown = try key.withUnsafeBytes { bytes throws in
      code { _ = try XAES.seal(bytes, key: key, nonce: nonce, aad: []) }
    }
    #expect(thrown == .badParameters)
  }

  @Test(arguments: [0, 16, 24, 39])
  func `a ciphertext that is too short does not open`(_ count: Int) throws {
    let sealed = [UInt8](repeating: 1, count: count)
    let opened = try XAES.open(sealed, key: SecretBytes(random: 32), aad: [])
    #expect(opened == nil)
  }

  @Test(arguments: [0, 16, 31, 33])
  func `a key that has not 32 bytes is refused`(_ count: Int) throws {
    let key = try SecretBytes(random: count)
    #expect(code { _ = try XAESKey(key) } == .malformedKey)
    #expect(code { try GCMSealing().setKey(key) } == .malformedKey)
    #expect(code { try GCMOpening().setKey(key) } == .malformedKey)
  }
}
