import Testing

@testable import NacreCrypto

@Suite struct KeyRingChangeTests {
  private let secret: SlotSecret
  private let ring: KeyRing
  private let slot: SlotRecord
  private let vin: FieldContext

  init() throws {
    secret = .raw(try SecretBytes(random: 32))
    ring = try KeyRing.create(storeID: StoreID.random(), createdAt: 1)
    slot = try ring.makeSlot(id: 7, secret: secret)
    vin = try FieldContext(storeID: ring.storeID, entity: "Car", property: "vin")
  }

  private func seal(_ ring: KeyRing) throws -> [UInt8] {
    try FieldSealer(ring: ring, pool: RandomPool()).seal([3, 97], vin)
  }

  /// Every change must survive the file.
  private func stored(_ ring: KeyRing) throws -> KeyRing {
    try KeyRing.unlock(ring.record(), slots: [slot], with: secret)
  }

  @Test func `a pending key opens and does not seal`() throws {
    let (wider, id) = try ring.adding(.field, createdAt: 2)
    #expect(wider.generation == 2)
    #expect(wider.record(of: id)?.state == .pending)
    #expect(try stored(wider).primaryID(.field) == ring.primaryID(.field))
    // Another writer has seen the promotion already; this reader has not.
    let envelope = try seal(wider.promoting(id))
    #expect(try FieldOpener(ring: stored(wider)).open(envelope, vin) == [3, 97])
  }

  @Test func `promoting retires the primary key to enabled`() throws {
    let before = try #require(ring.primaryID(.field))
    let old = try seal(ring)
    let (wider, id) = try ring.adding(.field, createdAt: 2)
    let rotated = try stored(wider.promoting(id))
    #expect(rotated.generation == 3)
    #expect(rotated.primaryID(.field) == id)
    #expect(rotated.record(of: before)?.state == .enabled)
    #expect(rotated.primaryID(.index) == ring.primaryID(.index))
    #expect(try FieldOpener(ring: rotated).open(old, vin) == [3, 97])
    #expect(Array(try seal(rotated)[1..<5]) == bytes(id.description))
    #expect(rotated.openingKeys(.field).map(\.id) == [id, before])
  }

  @Test func `unknown, disabled and destroyed keys are told apart`() throws {
    let before = try #require(ring.primaryID(.field))
    let old = try seal(ring)
    let (wider, id) = try ring.adding(.field, createdAt: 2)
    let rotated = try wider.promoting(id)
    let disabled = try stored(rotated.setting(before, to: .disabled))
    let enabled = try stored(disabled.setting(before, to: .enabled))
    let destroyed = try stored(disabled.destroying(before))
    let other = try KeyRing.create(storeID: ring.storeID, createdAt: 1)
    func opening(_ ring: KeyRing) -> CryptoError? {
      do {
        _ = try FieldOpener(ring: ring).open(old, vin)
        return nil
      } catch { return error as? CryptoError }
    }
    #expect(opening(disabled)?.code == .disabledKey)
    #expect(opening(disabled)?.keyID == before)
    #expect(opening(enabled) == nil)
    #expect(opening(destroyed)?.code == .destroyedKey)
    #expect(opening(other)?.code == .unknownKey)
    #expect(destroyed.record(of: before)?.wrapped == nil)
    #expect(destroyed.record(of: before)?.check == nil)
    #expect(destroyed.openingKeys(.field).map(\.id) == [id])
  }

  @Test func `a key disabled meanwhile opens no more, though its context was cached`() throws {
    let before = try #require(ring.primaryID(.field))
    let old = try seal(ring)
    let opener = FieldOpener(ring: ring)
    #expect(try opener.open(old, vin) == [3, 97])
    let (wider, id) = try ring.adding(.field, createdAt: 2)
    opener.adopt(try wider.promoting(id))
    #expect(try opener.open(old, vin) == [3, 97])
    opener.adopt(try wider.promoting(id).setting(before, to: .disabled))
    #expect(code { _ = try opener.open(old, vin) } == .disabledKey)
  }

  @Test func `a sealer goes over to the new primary key`() throws {
    let sealer = FieldSealer(ring: ring, pool: RandomPool())
    _ = try sealer.seal([0], vin)
    let (wider, id) = try ring.adding(.field, createdAt: 2)
    let rotated = try wider.promoting(id)
    sealer.adopt(rotated)
    let envelope = try sealer.seal([3, 98], vin)
    #expect(Array(envelope[1..<5]) == bytes(id.description))
    #expect(try FieldOpener(ring: rotated).open(envelope, vin) == [3, 98])
  }

  @Test func `a sealer that was not asked for a size goes over, too`() throws {
    let sealer = FieldSealer(ring: ring, pool: RandomPool())
    _ = try sealer.seal([0], vin)
    let (wider, id) = try ring.adding(.field, createdAt: 2)
    sealer.adopt(try wider.promoting(id))
    let out = UnsafeMutableRawBufferPointer.allocate(byteCount: 46, alignment: 1)
    defer { out.deallocate() }
    let count = try [UInt8](repeating: 0, count: 1).withUnsafeBytes {
      try sealer.seal($0, context: vin, objectID: .zero, into: out)
    }
    #expect(count == 46)
    #expect(Array(out[1..<5]) == bytes(id.description))
  }

  @Test func `lookups ask under pending, primary and enabled keys alone`() throws {
    let primary = try #require(ring.primaryID(.index))
    var ring = try ring.adding(.field, createdAt: 2).ring
    var ids: [KeyID] = []
    for created in 2...5 as ClosedRange<UInt64> {
      let (wider, id) = try ring.adding(.index, createdAt: created)
      ring = wider
      ids.append(id)
    }
    ring = try ring.setting(ids[1], to: .enabled).setting(ids[2], to: .disabled).destroying(ids[3])
    let asked = try stored(ring).openingKeys(.index).map(\.id)
    #expect(asked.first == primary)
    #expect(Set(asked) == [primary, ids[0], ids[1]])
    #expect(asked.count == 3)
  }

  @Test func `a destroyed key is forgotten at once`() throws {
    let (wider, id) = try ring.adding(.field, createdAt: 2)
    let destroyed = try wider.destroying(id)
    #expect(wider.dataKeys[id] != nil)
    #expect(destroyed.dataKeys[id] == nil)
  }

  @Test func `changes that would leave no primary key are refused`() throws {
    let primary = try #require(ring.primaryID(.field))
    #expect(code { _ = try ring.destroying(primary) } == .badParameters)
    #expect(code { _ = try ring.setting(primary, to: .disabled) } == .badParameters)
    #expect(code { _ = try ring.promoting(primary) } == .badParameters)
    let (wider, id) = try ring.adding(.field, createdAt: 2)
    #expect(code { _ = try wider.setting(id, to: .primary) } == .badParameters)
    #expect(code { _ = try wider.setting(id, to: .pending) } == .badParameters)
    #expect(code { _ = try wider.setting(id, to: .destroyed) } == .badParameters)
    let destroyed = try wider.destroying(id)
    #expect(code { _ = try destroyed.setting(id, to: .enabled) } == .destroyedKey)
    #expect(code { _ = try destroyed.promoting(id) } == .destroyedKey)
    #expect(code { _ = try destroyed.destroying(id) } == .destroyedKey)
    #expect(code { _ = try ring.promoting(id) } == .unknownKey)
    let disabled = try wider.setting(id, to: .disabled)
    #expect(code { _ = try disabled.promoting(id) } == .disabledKey)
  }

  @Test func `rewrapping keeps the data keys and changes the store key`() throws {
    let old = try seal(ring)
    let (wider, id) = try ring.adding(.field, createdAt: 2)
    let disabled = try wider.setting(id, to: .disabled)
    let rewrapped = try disabled.rewrapped()
    #expect(rewrapped.generation == disabled.generation + 1)
    #expect(!rewrapped.storeKey.secret.matches(disabled.storeKey.secret))
    #expect(code { _ = try stored(rewrapped) } == .ringTampered)
    let fresh = try rewrapped.makeSlot(id: 8, secret: secret)
    let unlocked = try KeyRing.unlock(rewrapped.record(), slots: [fresh], with: secret)
    #expect(try FieldOpener(ring: unlocked).open(old, vin) == [3, 97])
    for key in disabled.keys {
      #expect(unlocked.record(of: key.id)?.wrapped != key.wrapped)
      #expect(unlocked.record(of: key.id)?.check == key.check)
    }
    // The disabled key came along too.
    #expect(unlocked.dataKeys[id] != nil)
  }

  @Test func `reloading takes a newer generation and refuses an older one`() throws {
    let (wider, id) = try ring.adding(.field, createdAt: 2)
    let reloaded = try ring.reloading(wider.record())
    #expect(reloaded.record(of: id)?.state == .pending)
    #expect(try wider.reloading(wider.record()).record() == wider.record())
    #expect(code { _ = try wider.reloading(ring.record()) } == .ringTampered)
    let other = try KeyRing.create(storeID: StoreID.random(), createdAt: 1)
    #expect(code { _ = try ring.reloading(other.record()) } == .ringTampered)
    #expect(code { _ = try ring.reloading(ring.rewrapped().record()) } == .ringTampered)
    var tampered = wider.record()
    tampered.keys[0].created += 1
    #expect(code { _ = try ring.reloading(tampered) } == .ringTampered)
  }
}
