import Foundation
import Testing

@testable import NacreCrypto

@Suite struct AnchorTests {
  private let ring: KeyRing
  private let anchor: Anchor

  init() throws {
    ring = try KeyRing.create(storeID: StoreID.random(), createdAt: 1)
    anchor = Anchor(storeID: ring.storeID, ringGeneration: 3, counter: 258)
  }

  @Test func `an anchor in the file has the bytes of the format`() throws {
    let bytes = try ring.bytes(of: anchor)
    let numbers: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 3]
    let message = Array("nacre/anchor/1".utf8) + ring.storeID.bytes + numbers
    let key = try HKDF.derive(
      ring.storeKey.secret,
      salt: ring.storeID.bytes,
      info: Array("nacre/anchor/1".utf8)
    )
    #expect(try bytes == numbers + HMAC(key: key).authenticate(message))
    #expect(try ring.anchor(in: bytes) == anchor)
  }

  @Test func `every flipped bit of an anchor in the file is caught`() throws {
    let bytes = try ring.bytes(of: anchor)
    for bit in 0..<bytes.count * 8 {
      var other = bytes
      other[bit / 8] ^= 1 << (bit % 8)
      #expect(code { _ = try ring.anchor(in: other) } == .ringTampered)
    }
    for other in [[], Array(bytes.dropLast()), bytes + [0]] {
      #expect(code { _ = try ring.anchor(in: other) } == .ringTampered)
      #expect(Anchor(unverified: other, of: ring.storeID) == nil)
    }
    #expect(Anchor(unverified: bytes, of: ring.storeID) == anchor)
  }

  @Test func `a change of the keys keeps an anchor's bytes, and another store key does not`() throws
  {
    let bytes = try ring.bytes(of: anchor)
    #expect(try ring.adding(.field, createdAt: 2).ring.anchor(in: bytes) == anchor)
    #expect(code { _ = try ring.rewrapped().anchor(in: bytes) } == .ringTampered)
    let other = try KeyRing.create(storeID: StoreID.random(), createdAt: 1)
    #expect(code { _ = try other.anchor(in: bytes) } == .ringTampered)
  }

  @Test func `only the text of an anchor is one`() throws {
    let store = ring.storeID.description
    let text = anchor.description
    #expect(text == "nacre-anchor-1:\(store):3:258")
    #expect(Anchor(text) == anchor)
    for other in [
      "", "nacre-anchor-1", "nacre-anchor-2:\(store):3:258", "nacre-anchor-1:\(store):3",
      "nacre-anchor-1:\(store):3:258:", "nacre-anchor-1:\(store):3:0", " \(text)", "\(text)\n",
      "nacre-anchor-1:\(store):+3:258", "nacre-anchor-1:\(store):3:0258",
      "nacre-anchor-1:\(store):-1:258", "nacre-anchor-1:\(store.dropLast(2)):3:258",
      "NACRE-ANCHOR-1:\(store):3:258", "nacre-anchor-1:\(store):3:18446744073709551616",
      "nacre-anchor-1:\(String(repeating: "AB", count: 16)):3:258",
    ] {
      #expect(Anchor(other) == nil, "\(other)")
    }
  }

  @Test func `an anchor is coded as its text`() throws {
    let coded = try JSONEncoder().encode([anchor])
    #expect(String(decoding: coded, as: UTF8.self) == "[\"\(anchor)\"]")
    #expect(try JSONDecoder().decode([Anchor].self, from: coded) == [anchor])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Anchor].self, from: Data("[\"anchor\"]".utf8))
    }
  }
}
