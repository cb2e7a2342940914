import Testing

@testable import NacreCrypto

@Suite struct KeyRingTests {
  private let secret: SlotSecret
  private let ring: KeyRing
  private let slot: SlotRecord

  init() throws {
    secret = .raw(try SecretBytes([UInt8](repeating: 0x42, count: 32)))
    ring = try KeyRing.create(storeID: StoreID.random(), createdAt: 1_700_000_000_000)
    slot = try ring.makeSlot(id: 1, secret: secret)
  }

  private func unlock(_ record: RingRecord) throws -> KeyRing {
    try KeyRing.unlock(record, slots: [slot], with: secret)
  }

  private func field(_ ring: KeyRing) throws -> FieldContext {
    try FieldContext(storeID: ring.storeID, entity: "Car", property: "vin")
  }

  @Test func `a ring that was written and unlocked opens what the first one sealed`() throws {
    let vin = try field(ring)
    let envelope = try FieldSealer(ring: ring, pool: RandomPool()).seal([3, 97], vin)
    let unlocked = try unlock(ring.record())
    #expect(try FieldOpener(ring: unlocked).open(envelope, vin) == [3, 97])
    #expect(unlocked.record() == ring.record())
    #expect(unlocked.generation == 1)
    #expect(Set(unlocked.keys.map(\.purpose)) == [.field, .index])
    #expect(unlocked.keys.allSatisfy { $0.state == .primary && $0.id.rawValue != 0 })
  }

  @Test func `the order of the rows does not matter`() throws {
    var record = ring.record()
    for _ in 0..<2 {
      record.keys.reverse()
      #expect(try unlock(record).generation == 1)
    }
  }

  @Test func `a wrong secret is not taken for a tampered ring`() throws {
    let wrong = SlotSecret.raw(try SecretBytes([UInt8](repeating: 0x43, count: 32)))
    let thrown = code { _ = try KeyRing.unlock(ring.record(), slots: [slot], with: wrong) }
    #expect(thrown == .wrongSecret)
    #expect(code { _ = try KeyRing.unlock(ring.record(), slots: [], with: secret) } == .wrongSecret)
    // Under another store's id the slot key differs, before there is a ring to speak of.
    var moved = ring.record()
    moved.storeID = try StoreID.random()
    #expect(code { _ = try unlock(moved) } == .wrongSecret)
  }

  @Test func `every flipped bit of the ring is caught`() throws {
    let record = ring.record()
    for at in record.keys.indices {
      for bit in 0..<72 * 8 {
        var tampered = record
        tampered.keys[at].wrapped?[bit / 8] ^= 1 << (bit % 8)
        #expect(code { _ = try unlock(tampered) } == .ringTampered)
      }
      for bit in 0..<32 * 8 {
        var tampered = record
        tampered.keys[at].check?[bit / 8] ^= 1 << (bit % 8)
        #expect(code { _ = try unlock(tampered) } == .ringTampered)
      }
      for bit in 0..<64 {
        var tampered = record
        tampered.keys[at].created ^= 1 << bit
        #expect(code { _ = try unlock(tampered) } == .ringTampered)
      }
      for bit in 0..<32 {
        var tampered = record
        tampered.keys[at].id = KeyID(rawValue: record.keys[at].id.rawValue ^ 1 << bit)
        #expect(code { _ = try unlock(tampered) } == .ringTampered)
      }
    }
    for bit in 0..<64 {
      var tampered = record
      tampered.generation ^= 1 << bit
      #expect(code { _ = try unlock(tampered) } == .ringTampered)
    }
    for bit in 0..<32 * 8 {
      var tampered = record
      tampered.mac[bit / 8] ^= 1 << (bit % 8)
      #expect(code { _ = try unlock(tampered) } == .ringTampered)
    }
  }

  @Test func `a state, purpose or suite changed in the file is caught`() throws {
    let record = ring.record()
    for at in record.keys.indices {
      for state in KeyState.allCases where state != .primary {
        var tampered = record
        tampered.keys[at].state = state
        #expect(code { _ = try unlock(tampered) } == .ringTampered)
        tampered.keys[at].wrapped = nil
        tampered.keys[at].check = nil
        #expect(code { _ = try unlock(tampered) } == .ringTampered)
      }
      var purpose = record
      purpose.keys[at].purpose = record.keys[at].purpose == .field ? .index : .field
      #expect(code { _ = try unlock(purpose) } == .ringTampered)
      var suite = record
      suite.keys[at].suite = .aes256GCM
      #expect(code { _ = try unlock(suite) } == .ringTampered)
    }
  }

  @Test func `keys removed, doubled or exchanged in the file are caught`() throws {
    let record = ring.record()
    var removed = record
    removed.keys.removeLast()
    #expect(code { _ = try unlock(removed) } == .ringTampered)
    var doubled = record
    doubled.keys.append(record.keys[0])
    #expect(code { _ = try unlock(doubled) } == .ringTampered)
    var exchanged = record
    exchanged.keys[0].wrapped = record.keys[1].wrapped
    exchanged.keys[1].wrapped = record.keys[0].wrapped
    #expect(code { _ = try unlock(exchanged) } == .ringTampered)
    var short = record
    short.mac.removeLast()
    #expect(code { _ = try unlock(short) } == .ringTampered)
  }

  @Test func `numbers that are not possible in a row are caught`() {
    let good: [Int64] = [7, 1, 1, 2, 1000]
    func record(_ row: [Int64]) throws {
      _ = try KeyRecord(
        id: row[0],
        purpose: row[1],
        suite: row[2],
        state: row[3],
        created: row[4],
        wrapped: nil,
        check: nil
      )
    }
    #expect(throws: Never.self) { try record(good) }
    for (at, value) in [
      (0, 0), (0, -1), (0, 1 << 32), (1, 0), (1, 3), (2, 9), (2, 257), (3, 0), (3, 6), (3, -1),
      (4, -1),
    ] as [(Int, Int64)] {
      var row = good
      row[at] = value
      #expect(code { try record(row) } == .ringTampered, "\(row)")
    }
  }

  @Test func `the MAC is compared before a key is unwrapped`() throws {
    var tampered = ring.record()
    tampered.keys[0].wrapped?[30] ^= 1
    let error = #expect(throws: CryptoError.self) { try unlock(tampered) }
    #expect(error?.code == .ringTampered)
    // Only unwrapping knows of a single key.
    #expect(error?.keyID == nil)
  }

  @Test func `a key that stands twice is refused, though the MAC is right`() throws {
    let doubled = try KeyRing(
      storeKey: ring.storeKey,
      generation: 2,
      keys: ring.keys + [ring.keys[0]],
      dataKeys: ring.dataKeys
    )
    #expect(code { _ = try unlock(doubled.record()) } == .ringTampered)
  }

  @Test func `a destroyed key with empty bytes is not taken for one without`() throws {
    let (wider, id) = try ring.adding(.field, createdAt: 2)
    var record = try wider.destroying(id).record()
    let at = try #require(record.keys.firstIndex { $0.id == id })
    #expect(throws: Never.self) { try unlock(record) }
    // The MAC covers the same bytes.
    record.keys[at].wrapped = []
    #expect(code { _ = try unlock(record) } == .ringTampered)
    record.keys[at].wrapped = nil
    record.keys[at].check = []
    #expect(code { _ = try unlock(record) } == .ringTampered)
  }

  @Test(arguments: [0, 16, 31, 33])
  func `a store key and a wrapped key have exactly 32 bytes`(_ count: Int) throws {
    let secret = try SecretBytes(random: count)
    #expect(code { _ = try StoreKey(secret, storeID: ring.storeID) } == .malformedKey)
    // What a defective writer could leave: its tag and its check value are right.
    let key = DataKey(
      id: KeyID(rawValue: 7),
      storeID: ring.storeID,
      purpose: .field,
      suite: .xaes256GCM,
      secret: secret
    )
    let record = try ring.storeKey.record(of: key, state: .enabled, created: 1)
    #expect(code { _ = try ring.storeKey.unwrap(record) } == .ringTampered)
  }

  @Test func `a key that does not match its check value is refused`() throws {
    // A ring whose MAC is right: what a defective writer could leave.
    var keys = ring.keys
    keys[0].check = keys[1].check
    let defective = try KeyRing(
      storeKey: ring.storeKey,
      generation: 2,
      keys: keys,
      dataKeys: ring.dataKeys
    )
    #expect(code { _ = try unlock(defective.record()) } == .ringTampered)
  }

  @Test func `the MAC and check value have the bytes of the format`() throws {
    let salt = ring.storeID.bytes
    let macKey = try HKDF.derive(
      ring.storeKey.secret,
      salt: salt,
      info: Array("nacre/ring-mac/1".utf8)
    )
    var message = Array("nacre/ring/1".utf8) + salt + [0, 0, 0, 0, 0, 0, 0, 1]
    for key in ring.keys {
      message += bytes(key.id.description) + [key.purpose.rawValue, 1, 2]
      message += bytes("0000018bcfe56800") + (key.wrapped ?? []) + (key.check ?? [])
    }
    #expect(try HMAC(key: macKey).authenticate(message) == ring.record().mac)
    let key = try ring.primary(.field)
    let info = Array("nacre/kcv/1".utf8) + salt + bytes(key.id.description)
    #expect(try HKDF.expand(key.secret, info: info).array == ring.record(of: key.id)?.check)
  }

  @Test func `a wrapped key and a raw slot have the bytes of the format`() throws {
    let salt = ring.storeID.bytes
    let slotKey = try HKDF.derive(
      SecretBytes([UInt8](repeating: 0x42, count: 32)),
      salt: salt,
      info: Array("nacre/slot-key/1".utf8)
    )
    let storeKey = try XAES.open(
      slot.sealed,
      key: slotKey,
      aad: Array("nacre/slot/1".utf8) + salt + [0, 0, 0, 1]
    )
    let opened = try #require(storeKey)
    let wrapKey = try HKDF.derive(opened, salt: salt, info: Array("nacre/wrap/1".utf8))
    let key = try ring.primary(.index)
    let wrapped = try #require(ring.record(of: key.id)?.wrapped)
    let aad = Array("nacre/key/1".utf8) + salt + bytes(key.id.description) + [2, 1]
    #expect(wrapped.count == 72)
    #expect(try XAES.open(wrapped, key: wrapKey, aad: aad)?.matches(key.secret) == true)
  }
}
