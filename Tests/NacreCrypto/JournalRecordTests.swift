import Testing

@testable import NacreCrypto

@Suite struct JournalRecordTests {
  private let ring: KeyRing
  private let record = JournalRecord(
    id: 7,
    kind: "seal",
    from: "a",
    to: "bc",
    entity: "Car",
    property: nil,
    phase: "sealing",
    cursor: [1, 2]
  )

  init() throws { ring = try KeyRing.create(storeID: StoreID.random(), createdAt: 1) }

  @Test func `the MAC has the bytes of the format`() throws {
    func text(_ text: String?) -> [UInt8] {
      text.map { [1, 0, UInt8($0.utf8.count)] + Array($0.utf8) } ?? [0, 0, 0]
    }
    var message = Array("nacre/journal/1".utf8) + ring.storeID.bytes + [0, 0, 0, 0, 0, 0, 0, 7]
    message += text("seal") + text("a") + text("bc") + text("Car") + text(nil) + text("sealing")
    message += [1, 0, 0, 0, 2, 1, 2]
    #expect(try record.macMessage(of: ring.storeID) == message)
    let key = try HKDF.derive(
      ring.storeKey.secret,
      salt: ring.storeID.bytes,
      info: Array("nacre/journal/1".utf8)
    )
    #expect(try ring.mac(of: record) == HMAC(key: key).authenticate(message))
    #expect(throws: Never.self) { try ring.verify(record, mac: ring.mac(of: record)) }
  }

  @Test func `a change of any field, or of the MAC, is caught`() throws {
    let changes: [(inout JournalRecord) -> Void] = [
      { $0.id = 8 }, { $0.kind = "unseal" }, { $0.from = "b" }, { $0.to = "b" },
      { ($0.from, $0.to) = ("ab", "c") }, { $0.entity = nil }, { $0.entity = "Cat" },
      { $0.property = "" }, { ($0.entity, $0.property) = (nil, "Car") }, { $0.phase = "clearing" },
      { $0.cursor = nil }, { $0.cursor = [] }, { $0.cursor = [1, 3] }, { $0.cursor = [1, 2, 0] },
    ]
    let mac = try ring.mac(of: record)
    for change in changes {
      var other = record
      change(&other)
      #expect(code { try ring.verify(other, mac: mac) } == .ringTampered)
    }
    for wrong in [nil, [], Array(mac.dropLast()), mac + [0], [UInt8](repeating: 0, count: 32)] {
      #expect(code { try ring.verify(record, mac: wrong) } == .ringTampered)
    }
    var flipped = mac
    flipped[31] ^= 1
    #expect(code { try ring.verify(record, mac: flipped) } == .ringTampered)
  }

  @Test func `a row that is too long to be marked is refused, and not believed`() throws {
    var long = record
    long.to = String(repeating: "x", count: 65_536)
    #expect(code { _ = try ring.mac(of: long) } == .lengthTooLarge)
    #expect(code { try ring.verify(long, mac: []) } == .ringTampered)
    long.to.removeLast()
    #expect(throws: Never.self) { try ring.verify(long, mac: ring.mac(of: long)) }
  }

  @Test func `a change of the keys keeps the MAC, and a rewrap does not`() throws {
    let mac = try ring.mac(of: record)
    #expect(try ring.adding(.field, createdAt: 2).ring.mac(of: record) == mac)
    #expect(try ring.rewrapped().mac(of: record) != mac)
    let other = try KeyRing.create(storeID: StoreID.random(), createdAt: 1)
    #expect(try other.mac(of: record) != mac)
  }
}
