import Testing

@testable import NacreCrypto

@Suite struct CatalogRecordTests {
  private let ring: KeyRing
  private let record = CatalogRecord(
    entities: [[.text(Array("Car".utf8)), .integer(1)], [.text(Array("Bus".utf8)), .null]],
    properties: [[.blob([1, 2]), .real(3), .text([])]]
  )

  init() throws {
    ring = try KeyRing.create(storeID: StoreID.random(), createdAt: 1).recatalogued()
  }

  @Test func `the copy is read as it was written, whatever the order of the rows`() throws {
    let bytes = try record.bytes()
    var other = record
    other.entities.reverse()
    #expect(try other.bytes() == bytes)
    let read = try CatalogRecord(bytes, widths: (2, 3))
    #expect(read == other)
    for count in 0..<bytes.count {
      #expect(
        code { _ = try CatalogRecord(Array(bytes.prefix(count)), widths: (2, 3)) }
          == .catalogTampered
      )
    }
    #expect(code { _ = try CatalogRecord(bytes + [0], widths: (2, 3)) } == .catalogTampered)
    #expect(code { _ = try CatalogRecord([0, 0, 0, 1, 5], widths: (1, 1)) } == .catalogTampered)
  }

  @Test func `cells that look alike are not the same`() throws {
    let cells: [CatalogRecord.Cell] = [
      .null, .integer(0), .real(0), .text([]), .blob([]), .text([0]), .blob([0]), .integer(1),
    ]
    let encoded = try cells.map {
      try CatalogRecord(entities: [[$0]], properties: []).bytes()
    }
    #expect(Set(encoded).count == cells.count)
  }

  @Test func `a MAC is that of one catalog, one number and one store key`() throws {
    let bytes = try record.bytes()
    let mac = try ring.mac(ofCatalog: bytes)
    #expect(throws: Never.self) {
      try ring.verify(catalog: bytes, mac: mac, with: ring.record())
    }
    for wrong in [nil, [], Array(mac.dropLast()), mac + [0], [UInt8](repeating: 0, count: 32)] {
      #expect(
        code { try ring.verify(catalog: bytes, mac: wrong, with: ring.record()) }
          == .catalogTampered
      )
    }
    #expect(
      code { try ring.verify(catalog: bytes + [0], mac: mac, with: ring.record()) }
        == .catalogTampered
    )
    let next = try ring.recatalogued()
    #expect(next.catalogNumber == 2)
    #expect(
      code { try next.verify(catalog: bytes, mac: mac, with: next.record()) } == .catalogTampered
    )
    let rewrapped = try ring.rewrapped()
    #expect(rewrapped.catalogNumber == 1)
    #expect(
      code { try rewrapped.verify(catalog: bytes, mac: mac, with: rewrapped.record()) }
        == .catalogTampered
    )
  }

  @Test func `a change of the keys keeps the catalog's number, and its MAC`() throws {
    let bytes = try record.bytes()
    let mac = try ring.mac(ofCatalog: bytes)
    let changed = try ring.adding(.field, createdAt: 2).ring
    #expect(changed.catalogNumber == 1 && changed.changeNumber == 2)
    #expect(throws: Never.self) {
      try changed.verify(catalog: bytes, mac: mac, with: changed.record())
      // As in a state of the file from before the change, and from after it.
      try changed.verify(catalog: bytes, mac: mac, with: ring.record())
      try ring.verify(catalog: bytes, mac: mac, with: changed.record())
    }
    var forged = changed.record()
    forged.generation += 1 << 32
    #expect(
      code { try ring.verify(catalog: bytes, mac: mac, with: forged) } == .ringTampered
    )
    #expect(!changed.hasSameKeys(as: ring))
    #expect(try ring.recatalogued().hasSameKeys(as: ring))
  }

  @Test func `the catalog's number has an end`() throws {
    let last = try KeyRing(
      storeKey: ring.storeKey,
      generation: .init(Int64.max),
      keys: ring.keys,
      dataKeys: ring.dataKeys
    )
    #expect(code { _ = try last.recatalogued() } == .badParameters)
  }
}
