import NacreCrypto
import Testing

@Suite struct NonceTests {
  private let payload = Bench.text("x")

  private func prefix(_ envelope: [UInt8]) -> [UInt8] { Array(envelope[5..<17]) }
  private func rest(_ envelope: [UInt8]) -> [UInt8] { Array(envelope[17..<29]) }

  @Test func `a transaction shares a nonce prefix and never the rest`() throws {
    let bench = try Bench()
    bench.sealer.beginTransaction()
    let envelopes = try (0..<1000).map { _ in try bench.sealer.seal(payload, bench.vin) }
    #expect(Set(envelopes.map(prefix)).count == 1)
    #expect(Set(envelopes.map(rest)).count == 1000)
  }

  @Test func `another transaction draws another prefix`() throws {
    let bench = try Bench()
    let prefixes = try (0..<50).map { _ in
      bench.sealer.beginTransaction()
      return prefix(try bench.sealer.seal(payload, bench.vin))
    }
    #expect(Set(prefixes).count == 50)
  }

  @Test func `a prefix serves at most 65536 values`() throws {
    let bench = try Bench()
    bench.sealer.beginTransaction()
    let first = prefix(try bench.sealer.seal(payload, bench.vin))
    for _ in 1..<65_535 { _ = try bench.sealer.seal(payload, bench.vin) }
    #expect(prefix(try bench.sealer.seal(payload, bench.vin)) == first)
    let next = try bench.sealer.seal(payload, bench.vin)
    #expect(prefix(next) != first)
    #expect(try bench.opener.open(next, bench.vin) == payload)
  }

  @Test func `suite 2 draws the whole nonce for each value`() throws {
    let bench = try Bench(suite: .aes256GCM)
    let nonces = try (0..<1000).map { _ in
      Array(try bench.sealer.seal(payload, bench.vin)[5..<17])
    }
    #expect(Set(nonces).count == 1000)
    #expect(Set(nonces.map { Array($0.prefix(4)) }).count > 990)
  }

  @Test func `no nonce of suite 2 comes again with another reserved block`() throws {
    let bench = try Bench(suite: .aes256GCM, reserve: { _, _ in 10 })
    let nonces = try (0..<100).map { _ in
      Array(try bench.sealer.seal(payload, bench.vin)[5..<17])
    }
    #expect(Set(nonces).count == 100)
  }

  @Test func `values of more transactions than the cache holds open in any order`() throws {
    let bench = try Bench()
    let envelopes = try (0..<60).map { number in
      bench.sealer.beginTransaction()
      return try bench.sealer.seal(Bench.text("value \(number)"), bench.vin)
    }
    for step in [1, 7, 13, 59] {
      for number in 0..<60 {
        let at = number * step % 60
        #expect(try bench.opener.open(envelopes[at], bench.vin) == Bench.text("value \(at)"))
      }
    }
  }
}
