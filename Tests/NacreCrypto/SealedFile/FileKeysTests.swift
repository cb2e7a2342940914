import Testing

@testable import NacreCrypto

@Suite struct FileKeysTests {
  private let bench: FileBench
  private var keys: FileKeys { bench.keys }

  init() throws { bench = try FileBench() }

  private func state(_ id: KeyID, _ keys: FileKeys) -> KeyState? {
    keys.header.keys.first { $0.id == id }?.state
  }

  // MARK: - Slots

  @Test func `a wrong secret and a slot that is not there open nothing`() throws {
    let wrong = SlotSecret.raw(try SecretBytes(random: 32))
    #expect(code { _ = try FileKeys.unlock(keys.header, with: wrong) } == .wrongSecret)
    #expect(
      code { _ = try FileKeys.unlock(keys.header, with: bench.secret, slot: 2) } == .wrongSecret
    )
    #expect(try FileKeys.unlock(keys.header, with: bench.secret, slot: 1).sequence == 1)
    #expect(code { _ = try keys.slots(openedBy: wrong) } == .wrongSecret)
  }

  @Test func `slots are replaced as a whole`() throws {
    let phrase = SlotSecret.passphrase(try SecretBytes(Array("correct horse".utf8)))
    let added = try keys.makeSlot(NewSlot(id: 4, secret: phrase, scryptN: 1 << 14))
    let both = try keys.replacing(slots: [added] + keys.header.slots)
    #expect(both.sequence == 2)
    #expect(both.header.slots.map(\.id) == [1, 4])
    #expect(try bench.stored(both).slots(openedBy: phrase) == [4])
    #expect(try both.slots(openedBy: bench.secret) == [1])
    let one = try both.replacing(slots: [added])
    #expect(try FileKeys.unlock(one.header, with: phrase).sequence == 3)
    #expect(code { _ = try bench.stored(one) } == .wrongSecret)
    #expect(code { _ = try keys.replacing(slots: []) } == .badParameters)
    #expect(code { _ = try keys.replacing(slots: [added, added]) } == .badParameters)
  }

  @Test func `a header is full at 64 slots`() throws {
    let slots = (1...65).map { id in
      FileSlot(id: id, kind: "secret", parameters: "", sealed: keys.header.slots[0].sealed)
    }
    #expect(
      try bench.stored(keys.replacing(slots: Array(slots.prefix(64)))).header.slots.count == 64
    )
    #expect(code { _ = try keys.replacing(slots: slots) } == .headerFull)
  }

  @Test func `the largest header fits`() throws {
    var header = keys.header
    header.slots = (1...64).map { id in
      FileSlot(
        id: id,
        kind: String(repeating: "k", count: 16),
        parameters: String(repeating: "p", count: 256),
        sealed: [UInt8](repeating: 9, count: 72)
      )
    }
    header.slots[0] = keys.header.slots[0]
    var keys = try FileKeys(
      header,
      storeKey: keys.storeKey,
      formerStoreKey: nil,
      dataKeys: keys.dataKeys
    )
    for _ in 2...64 { keys = try keys.addingPrimary(createdAt: 2, avoiding: []) }
    #expect(try bench.stored(keys).header == keys.header)
    #expect(keys.header.keys.count == 64)
  }

  // MARK: - Keys

  @Test func `an added key is primary at once, and the former one enabled`() throws {
    let next = try bench.stored(keys.addingPrimary(createdAt: 2, avoiding: []))
    #expect(next.sequence == 2)
    #expect(next.primaryID != keys.primaryID)
    #expect(state(keys.primaryID, next) == .enabled)
    #expect(next.header.keys.first { $0.id == next.primaryID }?.created == 2)
  }

  @Test func `only a key that is not primary is disabled, enabled and destroyed`() throws {
    let former = keys.primaryID
    #expect(code { _ = try keys.setting(former, to: .disabled) } == .badParameters)
    #expect(code { _ = try keys.destroying(former) } == .badParameters)
    let next = try keys.addingPrimary(createdAt: 2, avoiding: [])
    let disabled = try bench.stored(next.setting(former, to: .disabled))
    #expect(code { _ = try disabled.key(for: former) } == .disabledKey)
    let enabled = try bench.stored(disabled.setting(former, to: .enabled))
    #expect(try enabled.key(for: former).secret.matches(keys.primary.secret))
    let destroyed = try bench.stored(enabled.destroying(former))
    #expect(destroyed.sequence == 5)
    #expect(code { _ = try destroyed.key(for: former) } == .destroyedKey)
    #expect(destroyed.header.keys.first { $0.id == former }?.wrapped == nil)
    #expect(code { _ = try destroyed.setting(former, to: .enabled) } == .destroyedKey)
    #expect(code { _ = try destroyed.destroying(former) } == .destroyedKey)
    #expect(code { _ = try next.setting(former, to: .primary) } == .badParameters)
    let unknown = KeyID(rawValue: former.rawValue ^ 1)
    #expect(code { _ = try destroyed.setting(unknown, to: .enabled) } == .unknownKey)
    #expect(code { _ = try destroyed.key(for: unknown) } == .unknownKey)
  }

  @Test func `at the limit of keys the oldest destroyed one is left out`() throws {
    var keys = keys
    var ids: [KeyID] = [keys.primaryID]
    for created in 2...64 as ClosedRange<UInt64> {
      keys = try keys.addingPrimary(createdAt: created, avoiding: [])
      ids.append(keys.primaryID)
    }
    #expect(code { _ = try keys.addingPrimary(createdAt: 65, avoiding: []) } == .headerFull)
    keys = try keys.destroying(ids[30]).destroying(ids[20]).destroying(ids[40])
    let next = try bench.stored(keys.addingPrimary(createdAt: 65, avoiding: []))
    #expect(next.header.keys.count == 64)
    #expect(state(ids[20], next) == nil)
    #expect(state(ids[30], next) == .destroyed)
    #expect(state(ids[40], next) == .destroyed)
  }

  // MARK: - Following

  @Test func `a newer header under the same store key is loaded without the secret`() throws {
    let next = try keys.addingPrimary(createdAt: 2, avoiding: [])
    #expect(try keys.reloading(next.header).primaryID == next.primaryID)
    #expect(try keys.reloading(keys.header).primaryID == keys.primaryID)
    #expect(try keys.hasMade(next.header))
    #expect(code { _ = try next.reloading(keys.header) } == .headerTampered)
    let other = try keys.addingPrimary(createdAt: 2, avoiding: [])
    #expect(code { _ = try next.reloading(other.header) } == .headerTampered)
    #expect(code { _ = try keys.reloading(FileBench().keys.header) } == .headerTampered)
    #expect(try !keys.hasMade(FileBench().keys.header))
  }

  // MARK: - Rewrap

  @Test func `a rewrap keeps the former store key until it is finished`() throws {
    let ring = try keys.makeRing(createdAt: 3)
    let fresh = SlotSecret.raw(try SecretBytes(random: 32))
    let begun = try keys.rewrapped(slots: [NewSlot(id: 2, secret: fresh)])
    #expect(begun.sequence == 2)
    #expect(begun.isRewrapUnfinished)
    #expect(code { _ = try bench.stored(begun) } == .wrongSecret)
    #expect(try !keys.hasMade(begun.header))
    #expect(code { _ = try keys.reloading(begun.header) } == .headerTampered)
    #expect(code { _ = try keys.reloading(begun.header, with: bench.secret) } == .wrongSecret)

    let stored = try keys.reloading(begun.header, with: fresh)
    #expect(stored.primary.secret.matches(keys.primary.secret))
    #expect(
      code { _ = try stored.rewrapped(slots: [NewSlot(id: 2, secret: fresh)]) } == .badParameters
    )
    let former = try stored.openRing(ring.record())
    #expect(!stored.hasStoreKey(of: former))
    let moved = try stored.rewrapping(former)
    #expect(stored.hasStoreKey(of: moved))
    #expect(moved.generation == ring.generation + 1)
    #expect(try stored.hasStoreKey(of: stored.openRing(moved.record())))

    let finished = try FileKeys.unlock(stored.finishingRewrap().header, with: fresh)
    #expect(finished.sequence == 3)
    #expect(!finished.isRewrapUnfinished)
    #expect(finished.header.formerStoreKey == nil)
    #expect(code { _ = try finished.openRing(ring.record()) } == .ringTampered)
    #expect(try finished.openRing(moved.record()).primaryID(.field) == ring.primaryID(.field))
    #expect(code { _ = try finished.finishingRewrap() } == .badParameters)
  }

  @Test func `a change during a rewrap keeps the former store key`() throws {
    let begun = try keys.rewrapped(slots: [NewSlot(id: 1, secret: bench.secret)])
    let next = try bench.stored(begun.addingPrimary(createdAt: 2, avoiding: []))
    #expect(try next.openRing(keys.makeRing(createdAt: 3).record()).generation == 1)
  }

  // MARK: - The tables' ring

  @Test func `the tables' ring is under the header's store key`() throws {
    let ring = try keys.makeRing(createdAt: 3, suite: .aes256GCM)
    #expect(ring.storeID == keys.storeID)
    #expect(Set(ring.keys.map(\.purpose)) == [.field, .index])
    #expect(
      try bench.stored(keys).openRing(ring.record()).primaryID(.field) == ring.primaryID(.field)
    )
    #expect(keys.hasStoreKey(of: ring))
    #expect(code { _ = try FileBench().keys.openRing(ring.record()) } == .ringTampered)
    let other = try KeyRing.create(storeID: keys.storeID, createdAt: 1)
    #expect(code { _ = try keys.openRing(other.record()) } == .ringTampered)
    #expect(!keys.hasStoreKey(of: other))
  }

  @Test func `no key is both in the header and in the ring`() throws {
    let key = DataKey(
      id: keys.primaryID,
      storeID: keys.storeID,
      purpose: .field,
      suite: .xaes256GCM,
      secret: try SecretBytes(random: 32)
    )
    let ring = try KeyRing(
      storeKey: keys.storeKey,
      generation: 1,
      keys: [keys.storeKey.record(of: key, state: .primary, created: 1)],
      dataKeys: [key.id: key]
    )
    #expect(code { _ = try keys.openRing(ring.record()) } == .ringTampered)
  }

  @Test func `a file key in the ring is refused`() throws {
    let thrown = code {
      _ = try KeyRecord(id: 1, purpose: 3, suite: 1, state: 2, created: 1, wrapped: nil, check: nil)
    }
    #expect(thrown == .ringTampered)
    let ring = try keys.makeRing(createdAt: 3)
    #expect(code { _ = try ring.adding(.file, createdAt: 4) } == .badParameters)
    let record = try KeyRing(
      storeKey: keys.storeKey,
      generation: 1,
      keys: keys.header.keys,
      dataKeys: keys.dataKeys
    ).record()
    #expect(code { _ = try ring.reloading(record) } == .ringTampered)
  }
}
