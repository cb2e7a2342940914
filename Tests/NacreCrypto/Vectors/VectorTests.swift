import COpenSSL
import Testing

@testable import NacreCrypto

/// Runs the language-neutral cases of Vectors/ through this room.
@Suite struct VectorTests {
  @Test func `every vector file is run by a test here`() throws {
    #expect(
      try VectorFolder.files() == [
        "blind-index.json", "envelope.json", "hkdf-rfc5869.json", "ieee-aes-256-xts.json",
        "keys.json", "nist-aes-256-gcm.json", "scrypt-rfc7914.json", "sealed-header.json",
        "sealed-log.json", "sealed-page.json", "sealed-rekey.json", "xaes-256-gcm.json",
      ]
    )
  }

  @Test func `XAES-256-GCM`() throws {
    let accumulated = { (accumulated: VectorCase) in
      #expect(try Accumulated.digest(10_000) == accumulated.bytes("after10000"))
      // A million take a minute: `check.py` runs them.
      _ = try accumulated.bytes("after1000000")
    }
    try VectorFolder.run("xaes-256-gcm.json", accumulated: accumulated) { one in
      #expect(try one.text("expect") == "opens")
      let key = try one.bytes("key")
      let nonce = try one.bytes("nonce")
      let schedule = try XAESKey(SecretBytes(key))
      let prefix = Array(nonce.prefix(12))
      #expect(try one.bytes("L") == aesBlock([UInt8](repeating: 0, count: 16), key: key))
      #expect(try one.bytes("K1") == schedule.cmacSubkey.array)
      #expect(try one.bytes("M1") == [0, 1, 0x58, 0] + prefix)
      #expect(try one.bytes("M2") == [0, 2, 0x58, 0] + prefix)
      #expect(try one.bytes("Kx") == subkey(key, prefix))
      #expect(try one.bytes("Nx") == Array(nonce.suffix(12)))
      let aad = try one.bytes("aad")
      let plaintext = try one.bytes("plaintext")
      let sealed = try plaintext.withUnsafeBytes {
        try XAES.seal($0, key: SecretBytes(key), nonce: nonce, aad: aad)
      }
      #expect(try one.bytes("ciphertext") == sealed)
      #expect(try XAES.open(nonce + sealed, key: SecretBytes(key), aad: aad)?.array == plaintext)
    }
  }

  @Test func `NIST's AES-256-GCM`() throws {
    try VectorFolder.run("nist-aes-256-gcm.json") { one in
      let key = try one.bytes("key")
      let nonce = try one.bytes("nonce")
      let aad = try one.bytes("aad")
      let sealed = try one.bytes("ciphertext") + one.bytes("tag")
      let opened = try gcmOpen(sealed, key: key, nonce: nonce, aad: aad)
      switch try one.text("expect") {
      case "opens":
        let plaintext = try one.bytes("plaintext")
        #expect(opened == plaintext, one.comment)
        #expect(try gcmSeal(plaintext, key: key, nonce: nonce, aad: aad) == sealed, one.comment)
      case "authenticationFailed": #expect(opened == nil, one.comment)
      case let expect: Issue.record("unknown expectation \(expect)")
      }
    }
  }

  @Test func `IEEE's AES-256-XTS`() throws {
    try VectorFolder.run("ieee-aes-256-xts.json") { one in
      #expect(try one.text("expect") == "matches")
      let cipher = try XTSCipher(key: SecretBytes(one.bytes("key")))
      let number = UInt64(try one.number("number"))
      let plaintext = try one.bytes("plaintext")
      let ciphertext = try one.bytes("ciphertext")
      var block = plaintext
      try block.withUnsafeMutableBytes { try cipher.encrypt($0, number: number) }
      #expect(block == ciphertext, one.comment)
      try block.withUnsafeMutableBytes { try cipher.decrypt($0, number: number) }
      #expect(block == plaintext, one.comment)
    }
  }

  @Test func `HKDF of RFC 5869`() throws {
    try VectorFolder.run("hkdf-rfc5869.json") { one in
      #expect(try one.text("expect") == "matches")
      let prk = try HKDF.extract(SecretBytes(one.bytes("ikm")), salt: one.bytes("salt"))
      #expect(try prk.array == one.bytes("prk"))
      let okm = try HKDF.expand(prk, info: one.bytes("info"), count: Int(one.number("length")))
      #expect(try okm.array == one.bytes("okm"))
    }
  }

  @Test func `scrypt of RFC 7914`() throws {
    try VectorFolder.run("scrypt-rfc7914.json") { one in
      #expect(try one.text("expect") == "matches")
      let key = try Scrypt.derive(
        SecretBytes(Array(one.text("passphrase").utf8)),
        salt: one.bytes("salt"),
        n: UInt64(one.number("n")),
        r: UInt64(one.number("r")),
        p: UInt64(one.number("p")),
        count: Int(one.number("length"))
      )
      #expect(try key.array == one.bytes("key"), one.comment)
    }
  }
}

// MARK: - What the vector tests share

func payloadType(_ name: String) throws -> PayloadType {
  switch name {
  case "NULL": .null
  case "INTEGER": .integer
  case "REAL": .real
  case "TEXT": .text
  case "BLOB": .blob
  default: throw VectorCase.Malformed(member: name)
  }
}

/// `value` as a payload has it: INTEGER in decimal, REAL and BLOB in hex, TEXT as it is.
func valueBytes(of one: VectorCase, _ type: PayloadType) throws -> [UInt8] {
  guard let text = try one.optionalText("value") else { return [] }
  switch type {
  case .null: throw VectorCase.Malformed(member: "value")
  case .integer:
    let number = try #require(Int64(text))
    return withUnsafeBytes(of: number.bigEndian) { Array($0) }
  case .real, .blob: return bytes(text)
  case .text: return Array(text.utf8)
  }
}

func aesBlock(_ block: [UInt8], key: [UInt8]) throws -> [UInt8] {
  let context = EVP_CIPHER_CTX_new()
  defer { EVP_CIPHER_CTX_free(context) }
  var out = [UInt8](repeating: 0, count: 32)
  var count: Int32 = 0
  try #require(EVP_EncryptInit_ex2(context, EVP_aes_256_ecb(), key, nil, nil) == 1)
  try #require(EVP_EncryptUpdate(context, &out, &count, block, 16) == 1)
  return Array(out.prefix(16))
}

func subkey(_ key: [UInt8], _ prefix: [UInt8]) throws -> [UInt8] {
  try prefix.withUnsafeBytes {
    try XAESKey(SecretBytes(key)).subkey(for: #require($0.baseAddress)).array
  }
}

func gcmSeal(
  _ plaintext: [UInt8],
  key: [UInt8],
  nonce: [UInt8],
  aad: [UInt8]
) throws -> [UInt8] {
  let gcm = try GCMSealing()
  try gcm.setKey(SecretBytes(key))
  var out = [UInt8](repeating: 0, count: plaintext.count + 16)
  try out.withUnsafeMutableBytes { out in
    try plaintext.withUnsafeBytes { plaintext in
      try nonce.withUnsafeBytes { nonce in
        try aad.withUnsafeBytes { aad in
          try gcm.seal(
            plaintext,
            nonce: #require(nonce.baseAddress),
            aad: aad,
            into: #require(out.baseAddress)
          )
        }
      }
    }
  }
  return out
}

func gcmOpen(
  _ sealed: [UInt8],
  key: [UInt8],
  nonce: [UInt8],
  aad: [UInt8]
) throws -> [UInt8]? {
  let gcm = try GCMOpening()
  try gcm.setKey(SecretBytes(key))
  var out = [UInt8](repeating: 0, count: sealed.count)
  let isAuthentic = try out.withUnsafeMutableBytes { out in
    try sealed.withUnsafeBytes { sealed in
      try nonce.withUnsafeBytes { nonce in
        try aad.withUnsafeBytes { aad in
          try gcm.open(
            sealed,
            nonce: #require(nonce.baseAddress),
            aad: aad,
            into: #require(out.baseAddress)
          )
        }
      }
    }
  }
  return isAuthentic ? Array(out.dropLast(16)) : nil
}

/// C2SP's accumulated cases: SHAKE-128 of nothing gives the inputs, another digests the outputs.
enum Accumulated {
  static func digest(_ count: Int) throws -> [UInt8] {
    // Per case: key[32], nonce[24], two length bytes and at most 255 bytes each.
    let input = try shake([], count * (32 + 24 + 2 + 510))
    var at = 0
    func take(_ count: Int) -> [UInt8] {
      defer { at += count }
      return Array(input[at..<at + count])
    }
    var outputs: [UInt8] = []
    for _ in 0..<count {
      let key = take(32)
      let nonce = take(24)
      let plaintext = take(Int(take(1)[0]))
      let aad = take(Int(take(1)[0]))
      let sealed = try plaintext.withUnsafeBytes {
        try XAES.seal($0, key: SecretBytes(key), nonce: nonce, aad: aad)
      }
      let opened = try XAES.open(nonce + sealed, key: SecretBytes(key), aad: aad)
      guard opened?.array == plaintext else { throw VectorCase.Malformed(member: "accumulated") }
      outputs += sealed
    }
    return try shake(outputs, 32)
  }

  /// SHAKE-128 (FIPS 202).
  private static func shake(_ message: [UInt8], _ count: Int) throws -> [UInt8] {
    let context = try #require(EVP_MD_CTX_new())
    defer { EVP_MD_CTX_free(context) }
    var out = [UInt8](repeating: 0, count: count)
    try #require(EVP_DigestInit_ex(context, EVP_shake128(), nil) == 1)
    try #require(EVP_DigestUpdate(context, message, message.count) == 1)
    try #require(EVP_DigestFinalXOF(context, &out, count) == 1)
    return out
  }
}
