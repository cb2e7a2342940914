import Testing

@testable import NacreCrypto

@Suite struct XTSCipherTests {
  private func encrypt(_ cipher: XTSCipher, _ block: [UInt8], _ number: UInt64) throws -> [UInt8] {
    var block = block
    try block.withUnsafeMutableBytes { try cipher.encrypt($0, number: number) }
    return block
  }

  private func decrypt(_ cipher: XTSCipher, _ block: [UInt8], _ number: UInt64) throws -> [UInt8] {
    var block = block
    try block.withUnsafeMutableBytes { try cipher.decrypt($0, number: number) }
    return block
  }

  @Test func `a block comes back under its number and its file's key alone`() throws {
    let cipher = try XTSCipher()
    let block = try SecretBytes(random: cipher.blockByteCount).array
    var seen: Set<[UInt8]> = [block]
    for number in [0, 1, 255, 256, 1 << 40, UInt64.max] {
      let encrypted = try encrypt(cipher, block, number)
      #expect(seen.insert(encrypted).inserted)
      #expect(try decrypt(cipher, encrypted, number) == block)
      #expect(try decrypt(cipher, encrypted, number ^ 2) != block)
      #expect(try decrypt(XTSCipher(), encrypted, number) != block)
    }
  }

  @Test func `equal halves and other lengths of a key are refused`() throws {
    let half = try SecretBytes(random: 32).array
    #expect(code { _ = try XTSCipher(key: SecretBytes(half + half)) } == .internalFailure)
    for count in [0, 32, 63, 65] {
      #expect(code { _ = try XTSCipher(key: SecretBytes(random: count)) } == .malformedKey)
    }
  }

  @Test func `less than one block of AES is refused`() throws {
    let cipher = try XTSCipher()
    #expect(code { _ = try encrypt(cipher, [1, 2, 3], 0) } == .internalFailure)
    #expect(code { _ = try decrypt(cipher, [1, 2, 3], 0) } == .internalFailure)
  }
}
