import Testing

@testable import NacreCrypto

/// The opener keeps contexts by key id and nonce prefix, and must never take one for another.
@Suite struct OpenerCacheTests {
  private let bench: Bench

  init() throws { bench = try Bench() }

  /// An envelope of suite 1 under a nonce of the test's choice.
  private func envelope(_ payload: [UInt8], _ key: DataKey, nonce: [UInt8]) throws -> [UInt8] {
    let aad = AssociatedData()
    aad.set(suite: .xaes256GCM, keyID: key.id)
    aad.set(bench.vin, objectID: .zero)
    let sealed = try payload.withUnsafeBytes {
      try XAES.seal($0, key: key.secret, nonce: nonce, aad: Array(aad.bytes))
    }
    return [1] + bytes(key.id.description) + nonce + sealed
  }

  @Test func `the cache tells keys and prefixes apart by every byte`() throws {
    let (ring, second) = try bench.ring.adding(.field, createdAt: 2)
    let opener = FieldOpener(ring: ring)
    let nonce = [UInt8](1...24)
    var nonces = [nonce]
    for at in 0..<12 {
      nonces.append(nonce)
      nonces[at + 1][at] ^= 0x80
    }
    let keys = [try ring.primary(.field), try ring.key(for: second)]
    let envelopes = try nonces.flatMap { nonce in
      try keys.map { try envelope(Bench.text("\($0.id)\(nonce)"), $0, nonce: nonce) }
    }
    for envelope in envelopes + envelopes.reversed() {
      let id = try #require(KeyID(envelope[1..<5].hex))
      let expected = Bench.text("\(id)\(Array(envelope[5..<29]))")
      #expect(try opener.open(envelope, bench.vin) == expected)
    }
  }

  @Test func `the cache tells keys of suite 2 apart`() throws {
    let bench = try Bench(suite: .aes256GCM)
    let (wider, second) = try bench.ring.adding(.field, suite: .aes256GCM, createdAt: 2)
    let rotated = try wider.promoting(second)
    let one = try bench.sealer.seal(Bench.text("one"), bench.vin)
    bench.sealer.adopt(rotated)
    let other = try bench.sealer.seal(Bench.text("other"), bench.vin)
    let opener = FieldOpener(ring: rotated)
    for _ in 0..<2 {
      #expect(try opener.open(one, bench.vin) == Bench.text("one"))
      #expect(try opener.open(other, bench.vin) == Bench.text("other"))
    }
  }

  @Test func `an opener forgets the keys of the ring before`() throws {
    let old = try bench.ring.primary(.field)
    let fresh = DataKey(
      id: old.id,
      storeID: old.storeID,
      purpose: .field,
      suite: .xaes256GCM,
      secret: try SecretBytes(random: 32)
    )
    let ring = try KeyRing(
      storeKey: bench.ring.storeKey,
      generation: 2,
      keys: [bench.ring.storeKey.record(of: fresh, state: .primary, created: 1)],
      dataKeys: [fresh.id: fresh]
    )
    let nonce = [UInt8](1...24)
    let opener = FieldOpener(ring: bench.ring)
    let before = try envelope([3, 97], old, nonce: nonce)
    #expect(try opener.open(before, bench.vin) == [3, 97])
    opener.adopt(ring)
    #expect(try opener.open(envelope([3, 98], fresh, nonce: nonce), bench.vin) == [3, 98])
    #expect(code { _ = try opener.open(before, bench.vin) } == .authenticationFailed)
  }
}
