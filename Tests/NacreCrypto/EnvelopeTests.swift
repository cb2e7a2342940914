import Testing

@testable import NacreCrypto

@Suite struct EnvelopeTests {
  private let payload = Bench.text("WVWZZZ1JZXW000001")

  @Test(arguments: Suite.allCases)
  func `an envelope has the bytes of the format`(_ suite: Suite) throws {
    let bench = try Bench(suite: suite)
    let envelope = try bench.sealer.seal(payload, bench.vin, bench.car)
    let header = try envelope.withUnsafeBytes { try EnvelopeHeader.parse($0) }
    let overhead = suite == .xaes256GCM ? 45 : 33
    #expect(envelope.count == overhead + payload.count)
    #expect(envelope[0] == suite.rawValue)
    #expect(header.keyID == bench.ring.primaryID(.field))
    #expect(header.nonceRange == 5..<5 + suite.nonceByteCount)
    #expect(header.ciphertextByteCount == payload.count)
    #expect(header.nonceRange.upperBound + payload.count + 16 == envelope.count)
  }

  @Test func `the associated data has the bytes of the format`() throws {
    let bench = try Bench()
    let envelope = try bench.sealer.seal(payload, bench.vin, bench.car)
    let key = try bench.ring.primary(.field)
    let names = [0, 3] + Array("Car".utf8) + [0, 3] + Array("vin".utf8)
    let digest = try SHA256.digest(
      Array("nacre/field/1".utf8) + bench.ring.storeID.bytes + names
    )
    let aad = digest + [1] + envelope[1..<5] + bytes("0123456789abcdeffedcba9876543210")
    #expect(aad.count == 53)
    #expect(bench.vin.digestBytes == digest)
    let opened = try XAES.open(Array(envelope.dropFirst(5)), key: key.secret, aad: aad)
    #expect(opened?.array == payload)
  }

  @Test func `the DAO has its own domain`() throws {
    let bench = try Bench()
    let dao = try FieldContext(
      storeID: bench.ring.storeID,
      entity: "Car",
      property: "vin",
      domain: .dao
    )
    #expect(dao.digestBytes != bench.vin.digestBytes)
    let envelope = try bench.sealer.seal(payload, dao)
    #expect(try bench.opener.open(envelope, dao) == payload)
    #expect(code { _ = try bench.opener.open(envelope, bench.vin) } == .authenticationFailed)
  }

  @Test(arguments: Suite.allCases)
  func `every flipped bit keeps a value shut, with the right code`(_ suite: Suite) throws {
    let bench = try Bench(suite: suite)
    let envelope = try bench.sealer.seal(payload, bench.vin, bench.car)
    for bit in 0..<envelope.count * 8 {
      var flipped = envelope
      flipped[bit / 8] ^= 1 << (bit % 8)
      let thrown = code { _ = try bench.opener.open(flipped, bench.vin, bench.car) }
      let number = flipped[0]
      let expected: CryptoError.Code =
        switch bit / 8 {
        case 0 where (3...31).contains(number): .unsupportedSuite
        case 0: .notAnEnvelope
        case 1..<5: .unknownKey
        default: .authenticationFailed
        }
      #expect(thrown == expected, "bit \(bit)")
    }
    #expect(try bench.opener.open(envelope, bench.vin, bench.car) == payload)
  }

  @Test func `every shorter value is refused`() throws {
    let bench = try Bench()
    let envelope = try bench.sealer.seal(payload, bench.vin)
    for count in 0..<envelope.count {
      let thrown = code { _ = try bench.opener.open(Array(envelope.prefix(count)), bench.vin) }
      #expect(thrown == (count < 45 ? .notAnEnvelope : .authenticationFailed), "\(count) bytes")
    }
    #expect(code { _ = try bench.opener.open(envelope + [0], bench.vin) } == .authenticationFailed)
  }

  @Test(arguments: 0...UInt8.max)
  func `a few bytes of any suite are no envelope`(_ suite: UInt8) throws {
    for count in 1..<33 {
      let few = [suite] + [UInt8](repeating: 1, count: count - 1)
      let thrown = code { _ = try atEndOfMemory(few) { try EnvelopeHeader.parse($0) } }
      #expect(thrown == .notAnEnvelope, "\(count) bytes")
    }
  }

  @Test func `a plaintext left in the column is no envelope`() throws {
    let bench = try Bench()
    let plain = Array("a long enough text that nobody ever sealed".utf8)
    #expect(code { _ = try bench.opener.open(plain, bench.vin) } == .notAnEnvelope)
    let zeros = [UInt8](repeating: 0, count: 60)
    #expect(code { _ = try bench.opener.open(zeros, bench.vin) } == .notAnEnvelope)
    let noKey = [1] + [UInt8](repeating: 0, count: 60)
    #expect(code { _ = try bench.opener.open(noKey, bench.vin) } == .notAnEnvelope)
  }

  @Test(arguments: Suite.allCases)
  func `a value moved to another place does not open`(_ suite: Suite) throws {
    let bench = try Bench(suite: suite)
    let storeID = bench.ring.storeID
    let envelope = try bench.sealer.seal(payload, bench.vin, bench.car)
    let places = [
      (bench.vin, ObjectIDBytes(high: bench.car.high, low: bench.car.low ^ 1)),
      (bench.vin, ObjectIDBytes(high: bench.car.low, low: bench.car.high)),
      (bench.vin, .zero),
      (try FieldContext(storeID: storeID, entity: "Car", property: "plate"), bench.car),
      (try FieldContext(storeID: storeID, entity: "Van", property: "vin"), bench.car),
      // The same letters with another boundary.
      (try FieldContext(storeID: storeID, entity: "Carv", property: "in"), bench.car),
      (try FieldContext(storeID: StoreID.random(), entity: "Car", property: "vin"), bench.car),
    ]
    for (context, objectID) in places {
      let thrown = code { _ = try bench.opener.open(envelope, context, objectID) }
      #expect(thrown == .authenticationFailed)
    }
  }

  @Test func `a value moved to another key id or suite does not open`() throws {
    let bench = try Bench()
    let envelope = try bench.sealer.seal(payload, bench.vin)
    let (wider, second) = try bench.ring.adding(.field, suite: .xaes256GCM, createdAt: 2)
    let (widest, third) = try wider.adding(.field, suite: .aes256GCM, createdAt: 3)
    let opener = FieldOpener(ring: widest)
    let index = try #require(bench.ring.primaryID(.index))
    for id in [second, third, index] {
      var moved = envelope
      moved.replaceSubrange(1..<5, with: bytes(id.description))
      #expect(code { _ = try opener.open(moved, bench.vin) } == .authenticationFailed)
    }
    var otherSuite = envelope
    otherSuite[0] = 2
    #expect(code { _ = try opener.open(otherSuite, bench.vin) } == .authenticationFailed)
    #expect(try opener.open(envelope, bench.vin) == payload)
  }

  @Test func `an output that is too small is refused`() throws {
    let bench = try Bench()
    let envelope = try bench.sealer.seal(payload, bench.vin)
    let small = UnsafeMutableRawBufferPointer.allocate(byteCount: payload.count - 1, alignment: 1)
    defer { small.deallocate() }
    let opening = code {
      _ = try envelope.withUnsafeBytes {
        try bench.opener.open($0, context: bench.vin, objectID: .zero, into: small)
      }
    }
    #expect(opening == .badParameters)
    let sealing = code {
      _ = try payload.withUnsafeBytes {
        try bench.sealer.seal($0, context: bench.vin, objectID: .zero, into: small)
      }
    }
    #expect(sealing == .badParameters)
  }

  @Test func `a name that is too long for its length prefix is refused`() throws {
    let storeID = try StoreID.random()
    let name = String(repeating: "n", count: 65_536)
    let entity = code { _ = try FieldContext(storeID: storeID, entity: name, property: "vin") }
    let property = code { _ = try FieldContext(storeID: storeID, entity: "Car", property: name) }
    #expect(entity == .lengthTooLarge)
    #expect(property == .lengthTooLarge)
    _ = try FieldContext(storeID: storeID, entity: String(name.dropLast()), property: "vin")
  }
}
