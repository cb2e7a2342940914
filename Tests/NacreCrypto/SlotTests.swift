import Testing

@testable import NacreCrypto

@Suite struct SlotTests {
  private let ring: KeyRing

  init() throws {
    ring = try KeyRing.create(storeID: StoreID.random(), createdAt: 1)
  }

  private func passphrase(_ text: String) throws -> SlotSecret {
    .passphrase(try SecretBytes(Array(text.utf8)))
  }

  private func unlock(_ slots: [SlotRecord], _ secret: SlotSecret) throws -> KeyRing {
    try KeyRing.unlock(ring.record(), slots: slots, with: secret)
  }

  @Test func `any of several secrets unlocks`() throws {
    let raws = try (0..<3).map { _ in SlotSecret.raw(try SecretBytes(random: 32)) }
    let phrase = try passphrase("correct horse battery staple")
    var slots = try raws.enumerated().map {
      try ring.makeSlot(id: UInt32($0.offset), secret: $0.element)
    }
    slots.insert(try ring.makeSlot(id: 9, secret: phrase, scryptN: 1 << 14), at: 1)
    for secret in raws + [phrase] {
      #expect(try unlock(slots, secret).record() == ring.record())
    }
    #expect(slots.map(\.kind) == [.secret, .passphrase, .secret, .secret])
    #expect(slots.allSatisfy { $0.sealed.count == 72 })
    let wrong = try passphrase("correct horse battery stapler")
    #expect(code { _ = try unlock(slots, wrong) } == .wrongSecret)
    let stranger = SlotSecret.raw(try SecretBytes(random: 32))
    #expect(code { _ = try unlock(slots, stranger) } == .wrongSecret)
  }

  @Test func `the first slot that opens is the one that counts`() throws {
    let secret = SlotSecret.raw(try SecretBytes(random: 32))
    let other = try KeyRing.create(storeID: ring.storeID, createdAt: 1)
    let slots = [
      try ring.makeSlot(id: 1, secret: secret), try other.makeSlot(id: 2, secret: secret),
    ]
    #expect(try unlock(slots, secret).record() == ring.record())
    #expect(code { _ = try unlock(slots.reversed(), secret) } == .ringTampered)
  }

  @Test func `a passphrase slot stores its parameters`() throws {
    let slot = try ring.makeSlot(id: 1, secret: passphrase("p"), scryptN: 1 << 15)
    #expect(slot.parameters.hasPrefix(#"{"kdf":"scrypt","n":32768,"r":8,"p":1,"salt":""#))
    #expect(slot.parameters.utf8.count == 46 + 64 + 2)
    let parameters = try ScryptParameters(json: slot.parameters)
    #expect(parameters.n == 1 << 15)
    #expect(parameters.salt.count == 32)
    #expect(parameters.json == slot.parameters)
    let raw = try ring.makeSlot(id: 2, secret: .raw(SecretBytes(random: 32)))
    #expect(raw.parameters.isEmpty)
  }

  @Test func `a slot moved to another id or with a flipped bit does not open`() throws {
    let secret = SlotSecret.raw(try SecretBytes(random: 32))
    let slot = try ring.makeSlot(id: 1, secret: secret)
    var moved = slot
    moved.id = 2
    #expect(code { _ = try unlock([moved], secret) } == .wrongSecret)
    for bit in 0..<72 * 8 {
      var tampered = slot
      tampered.sealed[bit / 8] ^= 1 << (bit % 8)
      #expect(code { _ = try unlock([tampered], secret) } == .wrongSecret)
    }
    var short = slot
    short.sealed.removeLast()
    #expect(code { _ = try unlock([short], secret) } == .wrongSecret)
    #expect(try unlock([moved, short, slot], secret).generation == 1)
  }

  @Test(arguments: [0, 16, 31, 33, 64])
  func `a raw secret has exactly 32 bytes`(_ count: Int) throws {
    let secret = SlotSecret.raw(try SecretBytes(random: count))
    #expect(code { _ = try ring.makeSlot(id: 1, secret: secret) } == .malformedKey)
    let slot = try ring.makeSlot(id: 1, secret: .raw(SecretBytes(random: 32)))
    #expect(code { _ = try unlock([slot], secret) } == .malformedKey)
  }

  @Test(
    arguments: [0, 1, 1 << 13, (1 << 14) - 1, (1 << 14) + 1, 3 << 14, 1 << 21, .max] as [UInt64]
  )
  func `a cost of scrypt outside 2^14 to 2^20 is refused`(_ n: UInt64) throws {
    let phrase = try passphrase("p")
    #expect(code { _ = try ring.makeSlot(id: 1, secret: phrase, scryptN: n) } == .badParameters)
    var slot = try ring.makeSlot(id: 1, secret: phrase, scryptN: 1 << 14)
    slot.parameters = slot.parameters.replacing("16384", with: "\(n)")
    #expect(code { _ = try unlock([slot], phrase) } == .badParameters)
  }

  private static let salt = String(repeating: "0f", count: 32)

  @Test(arguments: [
    "", "{}", "[]", "null", #"{"kdf":"scrypt"}"#,
    #"{"kdf":"scrypt","n":16384,"r":8,"p":1,"salt":"0f"}"#,
    #"{"kdf":"scrypt","n":16384,"r":8,"p":1,"salt":"\#(salt)00"}"#,
    #"{"kdf":"scrypt","n":16384,"r":8,"p":1,"salt":"\#(salt.dropLast())g"}"#,
    #"{"kdf":"scrypt","n":16384,"r":8,"p":1,"salt":"\#(salt.dropLast())"}"#,
    #"{"kdf":"argon2","n":16384,"r":8,"p":1,"salt":"\#(salt)"}"#,
    #"{"kdf":"scrypt","n":16384,"r":1,"p":1,"salt":"\#(salt)"}"#,
    #"{"kdf":"scrypt","n":16384,"r":8,"p":2,"salt":"\#(salt)"}"#,
    #"{"kdf":"scrypt","n":"16384","r":8,"p":1,"salt":"\#(salt)"}"#,
    #"{"kdf":"scrypt","n":016384,"r":8,"p":1,"salt":"\#(salt)"}"#,
    #"{"kdf":"scrypt","n":16384.0,"r":8,"p":1,"salt":"\#(salt)"}"#,
    #"{"kdf":"scrypt","n":-16384,"r":8,"p":1,"salt":"\#(salt)"}"#,
    #"{"kdf":"scrypt","n":99999999999999999999,"r":8,"p":1,"salt":"\#(salt)"}"#,
    #"{"kdf":"scrypt","n":16384,"n":16384,"r":8,"p":1,"salt":"\#(salt)"}"#,
    #"{"kdf":"scrypt","n":16384,"r":8,"p":1,"salt":"\#(salt)","x":1}"#,
    #"{"kdf":"scrypt","n":16384,"r":8,"p":1,"salt":"\#(salt)",}"#,
    #"{"kdf":"scrypt","n":16384,"r":8,"p":1,"salt":"\#(salt)"}}"#,
    #"{"kdf":"scrypt","n":16384,"r":8,"p":1,"salt":"\#(salt)""#,
  ])
  func `parameters that are not exactly scrypt's are refused`(_ json: String) {
    #expect(code { _ = try ScryptParameters(json: json) } == .badParameters)
  }

  @Test func `parameters in another order and with spaces are the same`() throws {
    let json = """
      { "salt" : "\(Self.salt)", "p":1,\n "r" : 8 ,"n":16384, "kdf":"scrypt" }\n
      """
    #expect(try ScryptParameters(json: json).n == 16384)
  }

  @Test func `a slot that cannot be tried does not hide one that opens`() throws {
    let phrase = try passphrase("p")
    let good = try ring.makeSlot(id: 2, secret: phrase, scryptN: 1 << 14)
    let bad = SlotRecord(id: 1, kind: .passphrase, parameters: "{", sealed: good.sealed)
    #expect(try unlock([bad, good], phrase).generation == 1)
    #expect(code { _ = try unlock([bad], phrase) } == .badParameters)
  }

  @Test func `hostile slots can't make a passphrase cost without end`() throws {
    let phrase = try passphrase("p")
    var slot = try ring.makeSlot(id: 1, secret: phrase, scryptN: 1 << 14)
    slot.sealed[30] ^= 1
    let slots = Array(repeating: slot, count: 3)
    let open = { (budget: UInt64) in
      _ = try Slot.open(slots, storeID: ring.storeID, with: phrase, budget: budget)
    }
    #expect(code { try open(3 << 14) } == .wrongSecret)
    #expect(code { try open(2 << 14) } == .slotsNotTried)
    // Room for 64 slots as they are made, and for the dearest of all.
    #expect(Slot.scryptBudget == 64 << 17)
    #expect(Slot.scryptBudget >= ScryptParameters.acceptedN.upperBound)
  }

  @Test func `slots that were not tried are told, whatever stands in others`() throws {
    let phrase = try passphrase("p")
    var slot = try ring.makeSlot(id: 1, secret: phrase, scryptN: 1 << 14)
    slot.sealed[30] ^= 1
    var bad = slot
    bad.parameters = "{"
    let slots = [bad, slot, slot, bad]
    let open = { (budget: UInt64) in
      _ = try Slot.open(slots, storeID: ring.storeID, with: phrase, budget: budget)
    }
    #expect(code { try open(1 << 14) } == .slotsNotTried)
    #expect(code { try open(2 << 14) } == .badParameters)
  }

  @Test func `the slots of a secret are those that hold this ring's key`() throws {
    let secret = SlotSecret.raw(try SecretBytes(random: 32))
    let stranger = SlotSecret.raw(try SecretBytes(random: 32))
    let rewrapped = try ring.rewrapped()
    let slots = [
      try ring.makeSlot(id: 1, secret: secret), try rewrapped.makeSlot(id: 2, secret: secret),
      try ring.makeSlot(id: 3, secret: stranger), try ring.makeSlot(id: 4, secret: secret),
    ]
    #expect(try ring.slots(slots, openedBy: secret) == [1, 4])
    #expect(try rewrapped.slots(slots, openedBy: secret) == [2])
    #expect(code { _ = try rewrapped.slots(slots, openedBy: stranger) } == .wrongSecret)
  }

  @Test func `each slot has a salt and a nonce of its own`() throws {
    let phrase = try passphrase("p")
    let slots = try (0..<3).map { _ in
      try ring.makeSlot(id: 1, secret: phrase, scryptN: 1 << 14)
    }
    #expect(Set(slots.map(\.parameters)).count == 3)
    #expect(Set(slots.map { Array($0.sealed.prefix(24)) }).count == 3)
  }

  @Test(arguments: [1 << 14, 1 << 20] as [UInt64])
  func `the least and the greatest cost of scrypt are taken`(_ n: UInt64) throws {
    let salt = [UInt8](repeating: 1, count: 32)
    let parameters = try ScryptParameters(n: n, salt: salt)
    #expect(try ScryptParameters(json: parameters.json) == parameters)
  }

  @Test func `scrypt does not run for a slot that holds no wrapped key`() throws {
    let phrase = try passphrase("p")
    var slot = try ring.makeSlot(id: 1, secret: phrase, scryptN: 1 << 14)
    slot.sealed.removeLast()
    #expect(
      code { _ = try Slot.open([slot], storeID: ring.storeID, with: phrase, budget: 0) }
        == .wrongSecret
    )
  }

  @Test func `endless parameters are refused unread`() throws {
    let slot = try ring.makeSlot(id: 1, secret: passphrase("p"), scryptN: 1 << 14)
    let padded = slot.parameters + String(repeating: " ", count: 2000)
    #expect(code { _ = try ScryptParameters(json: padded) } == .badParameters)
  }
}
