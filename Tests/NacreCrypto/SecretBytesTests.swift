import NacreCrypto
import Testing

@Suite struct SecretBytesTests {
  private let contents = Array("0123456789abcdef0123456789abcdef".utf8)

  @Test func `no description, mirror or dump shows the contents`() throws {
    let secret = try SecretBytes(contents)
    var dumped = ""
    dump(secret, to: &dumped)
    dump([secret], to: &dumped)
    dump((name: "key", secret: secret), to: &dumped)
    #expect("\(secret)" == "SecretBytes(32)")
    #expect(String(reflecting: secret) == "SecretBytes(32)")
    #expect("\([secret])" == "[SecretBytes(32)]")
    #expect(Mirror(reflecting: secret).children.isEmpty)
    #expect(dumped.contains("SecretBytes(32)"))
    #expect(!dumped.contains("0x"), "an address would lead to the bytes")
    #expect(!dumped.contains("memory"))
  }

  @Test func `a ring and its parts show no key`() throws {
    let raw = try SecretBytes(contents)
    let ring = try KeyRing.create(storeID: StoreID.random(), createdAt: 1)
    let key = try ring.primary(.field)
    var dumped = ""
    dump(ring, to: &dumped)
    dump(key, to: &dumped)
    dump(SlotSecret.raw(raw), to: &dumped)
    dump(SlotSecret.passphrase(raw), to: &dumped)
    #expect(!dumped.contains("0x"))
    #expect(!dumped.contains("0123456789abcdef"))
    #expect(dumped.contains("SecretBytes(32)"))
  }

  @Test func `secrets match by their bytes`() throws {
    let secret = try SecretBytes(contents)
    #expect(secret.matches(try SecretBytes(contents)))
    for at in contents.indices {
      var other = contents
      other[at] ^= 1
      #expect(!secret.matches(try SecretBytes(other)))
    }
    #expect(!secret.matches(try SecretBytes(Array(contents.dropLast()))))
    #expect(try SecretBytes([]).matches(SecretBytes([])))
    #expect(!secret.matches(try SecretBytes([])))
  }

  @Test func `random secrets differ and have the length asked for`() throws {
    let one = try SecretBytes(random: 32)
    let other = try SecretBytes(random: 32)
    #expect(one.count == 32)
    #expect(!one.matches(other))
    #expect(try SecretBytes(random: 0).count == 0)
  }

  @Test func `more secrets than the secure heap holds still work`() throws {
    // They have half of the heap's 1 MiB; what does not fit lies in ordinary memory.
    let many = try (0..<40_000).map { try SecretBytes(Array("secret \($0)".utf8)) }
    for (number, secret) in many.enumerated() {
      #expect(secret.array == Array("secret \(number)".utf8))
    }
  }

  @Test func `a cleansed scratch buffer holds zeros`() throws {
    let scratch = ScratchBuffer()
    try scratch.reserve(100).copyBytes(from: [UInt8](repeating: 7, count: 100))
    scratch.cleanse()
    #expect(try scratch.reserve(100).allSatisfy { $0 == 0 })
  }

  @Test func `a cleansed payload writer holds zeros`() throws {
    let writer = PayloadWriter()
    let payload = try writer.text("somebody's plaintext")
    #expect(payload.contains { $0 != 0 })
    writer.cleanse()
    #expect(payload.allSatisfy { $0 == 0 })
  }
}
