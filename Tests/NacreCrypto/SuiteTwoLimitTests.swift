import Testing

@testable import NacreCrypto

@Suite struct SuiteTwoLimitTests {
  private struct DiskFull: Error {}

  @Test func `no key of suite 2 is granted more than 2^32 seals`() {
    let suite = Suite.aes256GCM
    let limit: UInt64 = 1 << 32
    #expect(suite.grant(1000, reserved: 0) == 1000)
    #expect(suite.grant(1000, reserved: limit - 1000) == 1000)
    #expect(suite.grant(1000, reserved: limit - 10) == 10)
    #expect(suite.grant(1000, reserved: limit) == 0)
    #expect(suite.grant(1000, reserved: .max) == 0)
    #expect(suite.grant(.max, reserved: 0) == limit)
    #expect(Suite.xaes256GCM.grant(1000, reserved: .max) == 1000)
  }

  @Test func `sealing stops when no more is granted`() throws {
    var grants: [UInt64] = [3, 2, 0]
    var asked: [KeyID] = []
    let bench = try Bench(
      suite: .aes256GCM,
      reserve: { id, _ in
        asked.append(id)
        return grants.isEmpty ? 0 : grants.removeFirst()
      }
    )
    for _ in 0..<5 { _ = try bench.sealer.seal([0], bench.vin) }
    for _ in 0..<3 {
      #expect(code { _ = try bench.sealer.seal([0], bench.vin) } == .sealLimitReached)
    }
    #expect(Set(asked) == [try #require(bench.ring.primaryID(.field))])
  }

  @Test func `a new transaction does not give back what was used`() throws {
    var grants: [UInt64] = [2]
    let bench = try Bench(
      suite: .aes256GCM,
      reserve: { _, _ in grants.isEmpty ? 0 : grants.removeFirst() }
    )
    _ = try bench.sealer.seal([0], bench.vin)
    bench.sealer.beginTransaction()
    bench.sealer.adopt(try bench.ring.adding(.index, createdAt: 2).ring)
    _ = try bench.sealer.seal([0], bench.vin)
    #expect(code { _ = try bench.sealer.seal([0], bench.vin) } == .sealLimitReached)
  }

  @Test func `a reservation that fails is an error with its cause`() throws {
    let bench = try Bench(suite: .aes256GCM, reserve: { _, _ in throw DiskFull() })
    do {
      _ = try bench.sealer.seal([0], bench.vin)
      Issue.record("sealed without a reservation")
    } catch let error as CryptoError {
      #expect(error.code == .reservationFailed)
      #expect(error.cause is DiskFull)
    }
  }

  @Test func `suite 2 does not seal when nothing counts`() throws {
    let bench = try Bench(suite: .aes256GCM, reserve: nil)
    #expect(code { _ = try bench.sealer.seal([0], bench.vin) } == .reservationFailed)
    let free = try Bench(suite: .xaes256GCM, reserve: nil)
    _ = try free.sealer.seal([0], free.vin)
  }

  @Test func `reserving ahead asks once and spares the question later`() throws {
    var questions = 0
    let bench = try Bench(
      suite: .aes256GCM,
      reserve: { _, wanted in
        questions += 1
        return wanted
      }
    )
    try bench.sealer.reserveAhead()
    try bench.sealer.reserveAhead()
    #expect(questions == 1)
    for _ in 0..<100 { _ = try bench.sealer.seal([0], bench.vin) }
    #expect(questions == 1)
  }

  @Test func `another primary key does not inherit a reservation`() throws {
    var asked: [KeyID] = []
    let bench = try Bench(
      suite: .aes256GCM,
      reserve: { id, _ in
        asked.append(id)
        return 10
      }
    )
    _ = try bench.sealer.seal([0], bench.vin)
    let (wider, second) = try bench.ring.adding(.field, suite: .aes256GCM, createdAt: 2)
    let rotated = try wider.promoting(second)
    bench.sealer.adopt(rotated)
    let envelope = try bench.sealer.seal([0], bench.vin)
    #expect(asked == [try #require(bench.ring.primaryID(.field)), second])
    #expect(Array(envelope[1..<5]) == bytes(second.description))
    #expect(try FieldOpener(ring: rotated).open(envelope, bench.vin) == [0])
  }

  @Test func `another store's key of the same id does not inherit a reservation`() throws {
    var questions = 0
    let bench = try Bench(
      suite: .aes256GCM,
      reserve: { _, _ in
        questions += 1
        return 10
      }
    )
    _ = try bench.sealer.seal([0], bench.vin)
    let storeKey = try StoreKey.random(storeID: StoreID.random())
    let key = DataKey(
      id: try bench.ring.primary(.field).id,
      storeID: storeKey.storeID,
      purpose: .field,
      suite: .aes256GCM,
      secret: try SecretBytes(random: 32)
    )
    let other = try KeyRing(
      storeKey: storeKey,
      generation: 1,
      keys: [storeKey.record(of: key, state: .primary, created: 1)],
      dataKeys: [key.id: key]
    )
    bench.sealer.adopt(other)
    let envelope = try bench.sealer.seal([0], bench.vin)
    #expect(questions == 2)
    #expect(try FieldOpener(ring: other).open(envelope, bench.vin) == [0])
  }

  @Test func `reserving ahead asks again below half a block and adds to what is left`() throws {
    var grants: [UInt64] = [20, FieldSealer.reservationBlock / 2 - 20, 5]
    let bench = try Bench(suite: .aes256GCM, reserve: { _, _ in grants.removeFirst() })
    let id = try #require(bench.ring.primaryID(.field))
    for _ in 0..<5 { try bench.sealer.reserveAhead() }
    #expect(grants == [5])
    _ = try bench.sealer.seal([0], bench.vin)
    try bench.sealer.reserveAhead()
    #expect(bench.sealer.dropReservation(of: id) == FieldSealer.reservationBlock / 2 + 4)
  }

  @Test func `reserving ahead at the limit is no error while seals are left`() throws {
    var grants: [UInt64] = [2]
    let bench = try Bench(
      suite: .aes256GCM,
      reserve: { _, _ in grants.isEmpty ? 0 : grants.removeFirst() }
    )
    for _ in 0..<2 {
      try bench.sealer.reserveAhead()
      _ = try bench.sealer.seal([0], bench.vin)
    }
    #expect(code { try bench.sealer.reserveAhead() } == .sealLimitReached)
  }

  @Test func `reserving ahead does nothing for suite 1`() throws {
    var questions = 0
    let bench = try Bench(
      reserve: { _, wanted in
        questions += 1
        return wanted
      }
    )
    try bench.sealer.reserveAhead()
    _ = try bench.sealer.seal([0], bench.vin)
    #expect(questions == 0)
  }

  @Test func `no grant is taken for more than was asked for`() throws {
    let bench = try Bench(suite: .aes256GCM, reserve: { _, _ in .max })
    try bench.sealer.reserveAhead()
    let id = try #require(bench.ring.primaryID(.field))
    #expect(bench.sealer.dropReservation(of: id) == FieldSealer.reservationBlock)
  }

  @Test func `a reservation that was undone is asked for again`() throws {
    var questions = 0
    let bench = try Bench(
      suite: .aes256GCM,
      reserve: { _, _ in
        questions += 1
        return 10
      }
    )
    let id = try #require(bench.ring.primaryID(.field))
    for _ in 0..<3 { _ = try bench.sealer.seal([0], bench.vin) }
    #expect(bench.sealer.dropReservation(of: KeyID(rawValue: id.rawValue ^ 1)) == 0)
    #expect(bench.sealer.dropReservation(of: id) == 7)
    #expect(bench.sealer.dropReservation(of: id) == 0)
    _ = try bench.sealer.seal([0], bench.vin)
    #expect(questions == 2)
    let free = try Bench(suite: .xaes256GCM)
    _ = try free.sealer.seal([0], free.vin)
    let unlimited = try #require(free.ring.primaryID(.field))
    #expect(free.sealer.dropReservation(of: unlimited) == 0)
  }
}
