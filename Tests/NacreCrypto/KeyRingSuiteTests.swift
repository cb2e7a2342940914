import Testing

@testable import NacreCrypto

/// Rings with a primary key of each suite.
@Suite struct KeyRingSuiteTests {
  private let secret: SlotSecret
  /// A ring whose field and index key are of suite 2.
  private let ring: KeyRing
  private let slot: SlotRecord
  private let vin: FieldContext
  private let second: KeyID

  init() throws {
    secret = .raw(try SecretBytes(random: 32))
    ring = try KeyRing.create(storeID: StoreID.random(), createdAt: 1, suite: .aes256GCM)
    slot = try ring.makeSlot(id: 1, secret: secret)
    vin = try FieldContext(storeID: ring.storeID, entity: "Car", property: "vin")
    second = try #require(ring.primaryID(.field))
  }

  /// Every change must survive the file.
  private func stored(_ ring: KeyRing) throws -> KeyRing {
    try KeyRing.unlock(ring.record(), slots: [slot], with: secret)
  }

  private func both() throws -> (ring: KeyRing, first: KeyID) {
    let (wider, first) = try ring.adding(.field, suite: .xaes256GCM, createdAt: 2)
    return (try stored(wider.promoting(first)), first)
  }

  @Test func `a key is promoted beside the primary key of another suite`() throws {
    let (both, first) = try both()
    #expect(both.record(of: first)?.state == .primary)
    #expect(both.record(of: second)?.state == .primary)
    #expect(both.primaryID(.field) == first)
    #expect(both.primaryID(.field, suite: .xaes256GCM) == first)
    #expect(both.primaryID(.field, suite: .aes256GCM) == second)
    #expect(try both.primary(.field, suite: .aes256GCM).suite == .aes256GCM)
    #expect(both.openingKeys(.field).map(\.id) == [first, second])
    #expect(ring.primaryID(.field) == second)
    #expect(code { _ = try ring.primary(.field, suite: .xaes256GCM) } == .noPrimaryKey)
  }

  @Test func `promoting replaces the primary key of its own suite alone`() throws {
    let (both, first) = try both()
    let (wider, third) = try both.adding(.field, suite: .aes256GCM, createdAt: 3)
    let rotated = try stored(wider.promoting(third))
    #expect(rotated.record(of: second)?.state == .enabled)
    #expect(rotated.primaryID(.field, suite: .aes256GCM) == third)
    #expect(rotated.primaryID(.field) == first)
  }

  @Test func `an index key takes the place of any other, whatever its suite`() throws {
    let before = try #require(ring.primaryID(.index))
    let (wider, id) = try ring.adding(.index, suite: .xaes256GCM, createdAt: 2)
    let rotated = try stored(wider.promoting(id))
    #expect(rotated.primaryID(.index) == id)
    #expect(rotated.record(of: before)?.state == .enabled)
    #expect(rotated.primaryID(.field) == second)
    #expect(code { _ = try rotated.retiring(id) } == .badParameters)
  }

  @Test func `a suite's primary key retires where another suite's remains`() throws {
    let (both, first) = try both()
    let retired = try stored(both.retiring(second))
    #expect(retired.generation == both.generation + 1)
    #expect(retired.record(of: second)?.state == .enabled)
    #expect(retired.primaryID(.field) == first)
    #expect(retired.primaryID(.field, suite: .aes256GCM) == nil)
    // And the other way round.
    #expect(try stored(both.retiring(first)).primaryID(.field) == second)
    // A retired key can be promoted again.
    #expect(try retired.promoting(second).primaryID(.field, suite: .aes256GCM) == second)
  }

  @Test func `no purpose loses its last primary key, and only a primary key retires`() throws {
    let (both, first) = try both()
    #expect(code { _ = try ring.retiring(second) } == .badParameters)
    #expect(code { _ = try both.retiring(first).retiring(second) } == .badParameters)
    let (wider, pending) = try both.adding(.field, createdAt: 3)
    #expect(code { _ = try wider.retiring(pending) } == .badParameters)
    #expect(code { _ = try ring.retiring(pending) } == .unknownKey)
    let destroyed = try both.retiring(second).destroying(second)
    #expect(code { _ = try destroyed.retiring(second) } == .destroyedKey)
  }

  @Test func `one session seals under either suite, and its opener opens both`() throws {
    let (both, first) = try both()
    var asked: [KeyID] = []
    let session = RingSession(ring: both) { id, wanted in
      asked.append(id)
      return wanted
    }
    session.beginTransaction()
    for (suite, expected, overhead) in [
      (nil, first, 45), (.aes256GCM, second, 33), (.xaes256GCM, first, 45), (nil, first, 45),
    ] as [(NacreCrypto.Suite?, KeyID, Int)] {
      let envelope = try seal([3, 97], session, suite)
      #expect(envelope.count == overhead + 2)
      #expect(Array(envelope[1..<5]) == bytes(expected.description))
      #expect(try session.opener.open(envelope, vin) == [3, 97])
    }
    #expect(asked == [second])
  }

  @Test func `a session's sealers follow the ring`() throws {
    let (both, first) = try both()
    let session = RingSession(ring: both) { $1 }
    for suite in [nil, .aes256GCM, .xaes256GCM] as [NacreCrypto.Suite?] {
      _ = try seal([0], session, suite)
    }
    let (wider, third) = try both.adding(.field, suite: .aes256GCM, createdAt: 3)
    session.adopt(try wider.promoting(third))
    #expect(try Array(seal([0], session, .aes256GCM)[1..<5]) == bytes(third.description))
    session.adopt(try wider.promoting(third).retiring(first))
    #expect(try Array(seal([0], session, nil)[1..<5]) == bytes(third.description))
    #expect(code { _ = try seal([0], session, .xaes256GCM) } == .noPrimaryKey)
  }

  @Test func `the default goes over to suite 1 when it gets a primary key`() throws {
    let session = RingSession(ring: ring) { $1 }
    #expect(try Array(seal([0], session, nil)[1..<5]) == bytes(second.description))
    let (both, first) = try both()
    session.adopt(both)
    #expect(try Array(seal([0], session, nil)[1..<5]) == bytes(first.description))
  }

  @Test func `a reservation outlives a change of the ring that leaves its key primary`() throws {
    let (both, _) = try both()
    var questions = 0
    let session = RingSession(ring: both) { _, wanted in
      questions += 1
      return wanted
    }
    _ = try seal([0], session, .aes256GCM)
    session.adopt(try both.adding(.field, suite: .aes256GCM, createdAt: 3).ring)
    _ = try seal([0], session, .aes256GCM)
    #expect(questions == 1)
  }

  @Test func `a reservation that was undone is dropped by every sealer that has a part of it`()
    throws
  {
    var questions = 0
    let session = RingSession(ring: ring) { _, _ in
      questions += 1
      return 10
    }
    _ = try seal([0], session, nil)
    _ = try seal([0], session, .aes256GCM)
    #expect(questions == 2)
    #expect(session.dropReservation(of: KeyID(rawValue: second.rawValue ^ 1)) == 0)
    #expect(session.dropReservation(of: second) == 18)
    #expect(session.dropReservation(of: second) == 0)
    _ = try seal([0], session, .aes256GCM)
    #expect(questions == 3)
  }

  @Test func `a new transaction draws a new nonce prefix for every sealer`() throws {
    let (both, _) = try both()
    let session = RingSession(ring: both)
    let prefixes = {
      try [nil, .xaes256GCM].map { Array(try self.seal([0], session, $0)[5..<17]) }
    }
    let first = try prefixes()
    #expect(try prefixes() == first)
    session.beginTransaction()
    let next = try prefixes()
    #expect(Set(first + next).count == 4)
  }

  private func seal(
    _ payload: [UInt8],
    _ session: RingSession,
    _ suite: NacreCrypto.Suite?
  ) throws -> [UInt8] {
    let scratch = ScratchBuffer()
    return try withExtendedLifetime(scratch) {
      try payload.withUnsafeBytes {
        Array(
          try session.seal($0, context: vin, objectID: .zero, suite: suite, into: scratch)
        )
      }
    }
  }
}
