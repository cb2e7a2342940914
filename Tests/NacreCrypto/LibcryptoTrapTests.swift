import COpenSSL
import Testing

@testable import NacreCrypto

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Traps of libcrypto 3.0, and that this room does not pass them on.
@Suite struct LibcryptoTrapTests {
  @Test(arguments: [1, 4, 8, 12])
  func `a tag cut short is refused although libcrypto would take it`(_ kept: Int) throws {
    let bench = try Bench()
    let envelope = try bench.sealer.seal(Bench.text("short tags forge"), bench.vin)
    let cut = Array(envelope.dropLast(16 - kept))
    #expect(code { _ = try bench.opener.open(cut, bench.vin) } == .authenticationFailed)

    // The trap itself: the same ciphertext with a prefix of its tag.
    let key = [UInt8](repeating: 5, count: 32)
    let nonce = [UInt8](repeating: 6, count: 12)
    let gcm = try GCMSealing()
    try gcm.setKey(SecretBytes(key))
    var sealed = [UInt8](repeating: 0, count: 4 + 16)
    try sealed.withUnsafeMutableBytes { out in
      try nonce.withUnsafeBytes { nonce in
        try [UInt8](repeating: 7, count: 4).withUnsafeBytes {
          try gcm.seal(
            $0,
            nonce: #require(nonce.baseAddress),
            aad: UnsafeRawBufferPointer(start: nil, count: 0),
            into: #require(out.baseAddress)
          )
        }
      }
    }
    #expect(libcryptoOpens(sealed, tagByteCount: kept, key: key, nonce: nonce))
  }

  private func libcryptoOpens(
    _ sealed: [UInt8],
    tagByteCount: Int,
    key: [UInt8],
    nonce: [UInt8]
  ) -> Bool {
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    var tag = Array(sealed.suffix(16).prefix(tagByteCount))
    var out = [UInt8](repeating: 0, count: 32)
    var count: Int32 = 0
    return EVP_DecryptInit_ex2(context, EVP_aes_256_gcm(), key, nonce, nil) == 1
      && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagByteCount), &tag) == 1
      && EVP_DecryptUpdate(context, &out, &count, sealed, Int32(sealed.count - 16)) == 1
      && EVP_DecryptFinal_ex(context, &out, &count) == 1
  }

  @Test func `a reused context does not remember the tag before`() throws {
    let bench = try Bench()
    let envelope = try bench.sealer.seal(Bench.text("the same value"), bench.vin)
    var forged = envelope
    for at in forged.indices.suffix(16) { forged[at] = 0 }
    for _ in 0..<3 {
      #expect(try bench.opener.open(envelope, bench.vin) == Bench.text("the same value"))
      #expect(code { _ = try bench.opener.open(forged, bench.vin) } == .authenticationFailed)
    }
  }

  @Test(arguments: Suite.allCases)
  func `a kept context keeps its key from one seal to the next`(_ suite: Suite) throws {
    let bench = try Bench(suite: suite)
    for number in 0..<5 {
      let text = Bench.text("value \(number)")
      let envelope = try bench.sealer.seal(text, bench.vin, bench.car)
      // A fresh opener has no context that could have lost the same key.
      #expect(try FieldOpener(ring: bench.ring).open(envelope, bench.vin, bench.car) == text)
      #expect(try bench.opener.open(envelope, bench.vin, bench.car) == text)
    }
  }

  @Test(arguments: Suite.allCases)
  func `a value that does not open leaves zeros`(_ suite: Suite) throws {
    let bench = try Bench(suite: suite)
    let payload = [UInt8](repeating: 0xAA, count: 1000)
    var envelope = try bench.sealer.seal(payload, bench.vin)
    envelope[envelope.count - 1] ^= 1
    let out = UnsafeMutableRawBufferPointer.allocate(byteCount: payload.count, alignment: 1)
    defer { out.deallocate() }
    out.initializeMemory(as: UInt8.self, repeating: 0x55)
    let thrown = code {
      _ = try envelope.withUnsafeBytes {
        try bench.opener.open($0, context: bench.vin, objectID: .zero, into: out)
      }
    }
    #expect(thrown == .authenticationFailed)
    #expect(out.allSatisfy { $0 == 0 })
  }

  @Test func `subkeys are the AES-ECB encryption of M1 and M2, not libcrypto's KBKDF`() throws {
    let secret = [UInt8](0..<32)
    let prefix = [UInt8](100..<112)
    let k1 = try XAESKey(SecretBytes(secret)).cmacSubkey.array
    var expected: [UInt8] = []
    for counter in UInt8(1)...2 {
      let m = [0, counter, UInt8(ascii: "X"), 0] + prefix
      expected += try ecb(zip(m, k1).map { $0 ^ $1 }, key: secret)
    }
    let subkey = try prefix.withUnsafeBytes {
      try XAESKey(SecretBytes(secret)).subkey(for: #require($0.baseAddress))
    }
    #expect(subkey.array == expected)
  }

  private func ecb(_ block: [UInt8], key: [UInt8]) throws -> [UInt8] {
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    var out = [UInt8](repeating: 0, count: 32)
    var count: Int32 = 0
    try #require(EVP_EncryptInit_ex2(context, EVP_aes_256_ecb(), key, nil, nil) == 1)
    try #require(EVP_EncryptUpdate(context, &out, &count, block, 16) == 1)
    return Array(out.prefix(16))
  }

  @Test func `scrypt works at N = 2^17, beyond libcrypto's default memory limit`() throws {
    let passphrase = try SecretBytes(Array("correct horse".utf8))
    let salt = [UInt8](repeating: 1, count: 32)
    let key = try ScryptParameters(n: 1 << 17, salt: salt).derive(passphrase)
    #expect(key.count == 32)
    #expect(key.array.contains { $0 != 0 })
    var out = [UInt8](repeating: 0, count: 32)
    let refused = EVP_PBE_scrypt("correct horse", 13, salt, 32, 1 << 17, 8, 1, 0, &out, 32)
    #expect(refused != 1, "libcrypto's own limit has grown: the explicit one may go")
  }

  @Test func `a tag is never looked for before its value`() throws {
    let key = [UInt8](repeating: 5, count: 32)
    let nonce = [UInt8](repeating: 6, count: 12)
    let gcm = try GCMOpening()
    try gcm.setKey(SecretBytes(key))
    // The right tag of nothing, and then nothing: the value.
    let tag = try gcmSeal([], key: key, nonce: nonce, aad: [])
    let out = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 1)
    defer { out.deallocate() }
    let isOpen = try tag.withUnsafeBytes { tag in
      try nonce.withUnsafeBytes {
        try gcm.open(
          UnsafeRawBufferPointer(rebasing: tag[16...]),
          nonce: #require($0.baseAddress),
          aad: UnsafeRawBufferPointer(start: nil, count: 0),
          into: #require(out.baseAddress)
        )
      }
    }
    #expect(!isOpen)
  }

  @Test func `a context without a key is libcrypto's failure`() throws {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    let start = try #require(memory.baseAddress)
    let value = UnsafeRawBufferPointer(start: start, count: 20)
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    let (sealing, opening) = (try GCMSealing(), try GCMOpening())
    let unsealed = code {
      try sealing.seal(value, nonce: start, aad: nothing, into: start + 20)
    }
    let unopened = code {
      _ = try opening.open(value, nonce: start, aad: nothing, into: start + 20)
    }
    #expect(unsealed == .internalFailure)
    #expect(unopened == .internalFailure)
  }

  @Test func `lengths beyond Int32 are refused before a byte is read`() throws {
    let count = Int(Int32.max) + 1024
    // Address space only: nothing may be read.
    let flags = MAP_PRIVATE | MAP_ANON | MAP_NORESERVE
    let memory = try #require(mmap(nil, count, PROT_READ | PROT_WRITE, flags, -1, 0))
    try #require(memory != MAP_FAILED)
    defer { munmap(memory, count) }
    let huge = UnsafeMutableRawBufferPointer(start: memory, count: count)
    let bench = try Bench()
    let sealing = code {
      _ = try bench.sealer.seal(
        UnsafeRawBufferPointer(huge),
        context: bench.vin,
        objectID: .zero,
        into: huge
      )
    }
    #expect(sealing == .lengthTooLarge)
    huge.copyBytes(from: try bench.sealer.seal(Bench.text("x"), bench.vin))
    let opening = code {
      _ = try bench.opener.open(
        UnsafeRawBufferPointer(huge),
        context: bench.vin,
        objectID: .zero,
        into: huge
      )
    }
    #expect(opening == .lengthTooLarge)
    let gcm = try GCMSealing()
    let binding = code {
      try gcm.seal(
        UnsafeRawBufferPointer(rebasing: huge[..<16]),
        nonce: memory,
        aad: UnsafeRawBufferPointer(huge),
        into: memory
      )
    }
    #expect(binding == .lengthTooLarge)
    let writer = PayloadWriter()
    #expect(code { _ = try writer.blob(UnsafeRawBufferPointer(huge)) } == .lengthTooLarge)
    // The next power of two is one too many.
    writer.padding = .bucketed
    let half = UnsafeRawBufferPointer(rebasing: huge[..<(1 << 30)])
    #expect(code { _ = try writer.blob(half) } == .lengthTooLarge)
    #expect(code { _ = try ScratchBuffer().reserve(count) } == .lengthTooLarge)
  }
}
