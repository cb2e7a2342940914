import NacreCrypto
import Testing

@Suite struct ProviderTests {
  private struct Refused: Error {}

  private let ring: KeyRing
  private let vin: FieldContext
  private let car = ObjectIDBytes(high: 1, low: 2)

  init() throws {
    ring = try KeyRing.create(storeID: StoreID.random(), createdAt: 1)
    vin = try FieldContext(storeID: ring.storeID, entity: "Car", property: "vin")
  }

  private func roundTrip(
    _ session: any CryptSession,
    _ payload: [UInt8],
    suite: NacreCrypto.Suite? = nil
  ) throws -> [UInt8] {
    let scratch = ScratchBuffer()
    session.beginTransaction()
    let sealed = try payload.withUnsafeBytes {
      Array(try session.seal($0, context: vin, objectID: car, suite: suite, into: scratch))
    }
    #expect(sealed != payload)
    return try sealed.withUnsafeBytes {
      Array(try session.open($0, context: vin, objectID: car, into: scratch))
    }
  }

  @Test func `a ring's session seals and opens`() throws {
    let session = RingSession(ring: ring)
    for count in [1, 9, 1000, 100_000] {
      let payload = [UInt8](repeating: 4, count: count)
      #expect(try roundTrip(session, payload) == payload)
    }
  }

  @Test func `a hook is told the place and serves a session`() throws {
    let storeID = ring.storeID
    let hook = HookProvider(
      seal: { bytes, place in
        #expect(place.storeID == storeID)
        #expect(place.entity == "Car")
        #expect(place.property == "vin")
        #expect(place.objectID == [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2])
        return bytes.map { $0 ^ 0x5A } + [0xFF]
      },
      open: { bytes, _ in bytes.dropLast().map { $0 ^ 0x5A } }
    )
    #expect(try roundTrip(hook.session(), [3, 97, 98]) == [3, 97, 98])
  }

  @Test func `a hook's own error comes through`() throws {
    let hook = HookProvider(seal: { _, _ in throw Refused() }, open: { bytes, _ in bytes })
    #expect(throws: Refused.self) { try roundTrip(hook.session(), [0]) }
  }

  @Test func `a session follows the ring`() throws {
    let session = RingSession(ring: ring)
    let (wider, id) = try ring.adding(.field, createdAt: 2)
    session.adopt(try wider.promoting(id))
    #expect(session.ring.primaryID(.field) == id)
    #expect(try roundTrip(session, [3, 97]) == [3, 97])
  }

  @Test func `identifiers describe themselves in hex`() throws {
    let id = KeyID(rawValue: 0x00AB_CDEF)
    #expect(id.description == "00abcdef")
    #expect(KeyID("00abcdef") == id)
    #expect(KeyID("00ABCDEF") == id)
    for text in ["", "abcdef", "0x00abcd", "+0abcdef", "00000000", "00abcdefg"] {
      #expect(KeyID(text) == nil, "\(text)")
    }
    let storeID = try #require(StoreID([UInt8](0..<16)))
    #expect(storeID.description == "000102030405060708090a0b0c0d0e0f")
    #expect(storeID.bytes == [UInt8](0..<16))
    #expect(StoreID([UInt8](0..<15)) == nil)
  }
}
