import Testing

@testable import NacreCrypto

@Suite struct BlindIndexTests {
  private let ring: KeyRing
  private let plate: FieldContext

  init() throws {
    ring = try KeyRing.create(storeID: StoreID.random(), createdAt: 1)
    plate = try FieldContext(storeID: ring.storeID, entity: "Car", property: "plate")
  }

  private func token(
    _ text: String,
    bits: Int = 16,
    type: PayloadType = .text,
    context: FieldContext? = nil,
    ring: KeyRing? = nil
  ) throws -> [UInt8] {
    let index = try BlindIndex(
      key: (ring ?? self.ring).primary(.index),
      context: context ?? plate,
      bits: bits
    )
    return try Array(text.utf8).withUnsafeBytes { try index.token(type, $0) }
  }

  @Test func `a token is the first bits of the HMAC of the format`() throws {
    let info =
      Array("nacre/index/1".utf8) + [0, 3] + Array("Car".utf8) + [0, 5] + Array("plate".utf8)
      + [0, 5] + Array("exact".utf8)
    let key = try HKDF.derive(
      ring.primary(.index).secret,
      salt: ring.storeID.bytes,
      info: info
    )
    let mac = try HMAC(key: key).authenticate([3] + Array("AB-123-C".utf8))
    #expect(try token("AB-123-C") == Array(mac.prefix(2)))
    #expect(try token("AB-123-C", bits: 128) == Array(mac.prefix(16)))
    #expect(try token("AB-123-C", bits: 256) == mac)
    #expect(try token("AB-123-C", bits: 8) == [mac[0]])
    #expect(try token("AB-123-C", bits: 12) == [mac[0], mac[1] & 0xF0])
    #expect(try token("AB-123-C", bits: 1) == [mac[0] & 0x80])
  }

  @Test func `tokens differ by value, type, property, entity and store`() throws {
    let other = try KeyRing.create(storeID: StoreID.random(), createdAt: 1)
    let tokens = try [
      token("AB-123-C", bits: 128),
      token("AB-123-D", bits: 128),
      token("AB-123-C", bits: 128, type: .blob),
      token(
        "AB-123-C",
        bits: 128,
        context: FieldContext(storeID: ring.storeID, entity: "Car", property: "vin")
      ),
      token(
        "AB-123-C",
        bits: 128,
        context: FieldContext(storeID: ring.storeID, entity: "Van", property: "plate")
      ),
      token("AB-123-C", bits: 128, ring: other),
    ]
    #expect(Set(tokens).count == tokens.count)
  }

  @Test func `a kept index gives the same token again`() throws {
    let index = try BlindIndex(key: ring.primary(.index), context: plate, bits: 128)
    let first = try Array("one".utf8).withUnsafeBytes { try index.token(.text, $0) }
    let other = try Array("two".utf8).withUnsafeBytes { try index.token(.text, $0) }
    let again = try Array("one".utf8).withUnsafeBytes { try index.token(.text, $0) }
    #expect(first == again)
    #expect(first != other)
    #expect(index.byteCount == 16)
    #expect(index.keyID == ring.primaryID(.index))
  }

  @Test func `the widths are those of the format`() throws {
    let index = try BlindIndex(key: ring.primary(.index), context: plate)
    #expect(index.bits == 16)
    #expect(BlindIndex.uniqueBits == 128)
  }

  @Test(arguments: [0, -1, 257])
  func `a width outside 1 to 256 bits is refused`(_ bits: Int) throws {
    #expect(code { _ = try token("x", bits: bits) } == .badParameters)
  }

  @Test func `a field key computes no index`() throws {
    let key = try ring.primary(.field)
    #expect(code { _ = try BlindIndex(key: key, context: plate) } == .badParameters)
  }
}
