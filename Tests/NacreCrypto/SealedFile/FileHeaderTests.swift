import Testing

@testable import NacreCrypto

@Suite struct FileHeaderTests {
  private let bench: FileBench
  private let copy: [UInt8]

  init() throws {
    bench = try FileBench()
    copy = try bench.keys.header.encode()
  }

  private func unlock(_ first: [UInt8], _ second: [UInt8]) throws -> FileKeys {
    try FileKeys.unlock(FileHeader.read(first, second), with: bench.secret)
  }

  /// What becomes of a header whose fields somebody changed who has the store key.
  private func read(_ change: (inout FileHeader) -> Void) throws -> FileKeys {
    var header = bench.keys.header
    change(&header)
    header.mac = try bench.keys.storeKey.mac(header)
    let copy = try header.encode()
    return try unlock(copy, copy)
  }

  @Test func `a header is 32768 bytes and survives the file`() throws {
    #expect(copy.count == 32_768)
    #expect(FileHeader.hasMagic(copy))
    #expect(Array(copy[..<24]).hex == "894e414352450d0a1a0a66696c6500000000000200000400")
    let header = try FileHeader.read(copy, copy)
    #expect(header == bench.keys.header)
    #expect(try header.encode() == copy)
    let keys = try FileKeys.unlock(header, with: bench.secret)
    #expect(keys.sequence == 1)
    #expect(keys.primaryID == bench.keys.primaryID)
    #expect(keys.primary.secret.matches(bench.keys.primary.secret))
  }

  @Test func `every flipped byte of a copy damages it`() throws {
    let nothing = [UInt8](repeating: 0, count: copy.count)
    for at in copy.indices {
      var changed = copy
      changed[at] ^= 0x10
      let expected: CryptoError.Code = at < 16 ? .notSealed : .headerDamaged
      #expect(code { _ = try FileHeader.read(changed, nothing) } == expected, "byte \(at)")
    }
  }

  @Test func `every flipped byte under a right digest is refused`() throws {
    // The zeros behind the body are all alike, so some of them stand for the rest.
    let bodyEnd = 52 + 1 + 2 + (4 + 2 + 6 + 2 + 2 + 72) + 2 + 119
    #expect(copy[bodyEnd - 1] != 0 || copy[bodyEnd - 2] != 0)
    #expect(copy[bodyEnd..<32_704].allSatisfy { $0 == 0 })
    let looked = Array(16..<bodyEnd + 40) + Array(32_690..<32_736)
    for at in looked {
      for bit in [UInt8(1), 0x80] {
        var changed = copy
        changed[at] ^= bit
        changed = try redigested(changed)
        let found = code { _ = try unlock(changed, changed) }
        switch at {
        case 16..<20: #expect(found == .newerFormat, "byte \(at)")
        // The slot key depends on the store and on the slot, and nothing authenticates them before.
        case 24..<40, 55..<143:
          #expect(found == .wrongSecret || found == .headerTampered, "byte \(at)")
        default: #expect(found == .headerTampered, "byte \(at)")
        }
      }
    }
  }

  @Test func `the higher sequence number decides, whichever copy has it`() throws {
    let next = try bench.keys.addingPrimary(createdAt: 2, avoiding: [])
    let newer = try next.header.encode()
    for (first, second) in [(copy, newer), (newer, copy)] {
      #expect(try unlock(first, second).primaryID == next.primaryID)
    }
  }

  @Test func `one whole copy is enough, torn or short as the other may be`() throws {
    var torn = try bench.keys.addingPrimary(createdAt: 2, avoiding: []).header.encode()
    torn.replaceSubrange(16_384..., with: copy[16_384...])
    for other in [torn, Array(copy.prefix(100)), [], [UInt8](repeating: 0, count: copy.count)] {
      #expect(try unlock(copy, other).sequence == 1)
      #expect(try unlock(other, copy).sequence == 1)
    }
    #expect(code { _ = try FileHeader.read(torn, torn) } == .headerDamaged)
    #expect(code { _ = try FileHeader.read([], Array(copy.prefix(16))) } == .headerDamaged)
    #expect(code { _ = try FileHeader.read([], []) } == .notSealed)
    #expect(code { _ = try FileHeader.read(Array("SQLite format 3\0".utf8), []) } == .notSealed)
  }

  @Test func `a wrong MAC never falls back to the other copy`() throws {
    var newer = try bench.keys.addingPrimary(createdAt: 2, avoiding: []).header
    newer.mac[0] ^= 1
    let bytes = try newer.encode()
    #expect(code { _ = try unlock(copy, bytes) } == .headerTampered)
    #expect(code { _ = try unlock(bytes, copy) } == .headerTampered)
  }

  @Test func `different copies of one sequence number are refused`() throws {
    let other = try bench.keys.addingPrimary(createdAt: 2, avoiding: []).header
    let another = try bench.keys.addingPrimary(createdAt: 3, avoiding: []).header
    #expect(code { _ = try FileHeader.read(other.encode(), another.encode()) } == .headerTampered)
  }

  @Test func `a writer overwrites the older copy, or a damaged one, or else the second`() throws {
    let newer = try bench.keys.addingPrimary(createdAt: 2, avoiding: []).header.encode()
    var torn = newer
    torn[100] ^= 1
    #expect(try FileHeader.copyToOverwrite(copy, copy) == 1)
    #expect(try FileHeader.copyToOverwrite(newer, copy) == 1)
    #expect(try FileHeader.copyToOverwrite(copy, newer) == 0)
    #expect(try FileHeader.copyToOverwrite(torn, copy) == 0)
    #expect(try FileHeader.copyToOverwrite(copy, torn) == 1)
    #expect(try FileHeader.copyToOverwrite([], []) == 0)
  }

  @Test func `a later format is told from a tampered one`() throws {
    var later = copy
    later[19] = 3
    later = try redigested(later)
    #expect(code { _ = try FileHeader.read(later, later) } == .newerFormat)
    // Its sequence number is no higher, so the present format decides.
    later[47] = 0
    #expect(try unlock(copy, redigested(later)).sequence == 1)
  }

  // MARK: - Limits

  @Test(arguments: [0, 512, 1_000, 1_536, 131_072])
  func `a page size that is no power of two from 1024 to 65536 is refused`(_ size: Int) throws {
    #expect(code { _ = try read { $0.pageByteCount = size } } == .headerTampered)
    #expect(code { _ = try FileBench(pageByteCount: size) } == .badParameters)
  }

  @Test func `fields beyond the limits are refused under a right MAC`() throws {
    #expect(try read { _ in }.sequence == 1)
    let slot = bench.keys.header.slots[0]
    let key = bench.keys.header.keys[0]
    func refused(
      _ location: SourceLocation = #_sourceLocation,
      _ change: (inout FileHeader) -> Void
    ) {
      let found = code(location) { _ = try read(change) }
      #expect(found == .headerTampered, sourceLocation: location)
    }
    refused { $0.sequence = 0 }
    refused { $0.sequence = 1 << 63 }
    refused { $0.slots = [] }
    refused { $0.slots = [slot, slot] }
    refused {
      $0.slots = (1...65).map { FileSlot(id: $0, kind: "", parameters: "", sealed: slot.sealed) }
    }
    refused { $0.slots[0].id = 0 }
    refused { $0.slots[0].kind = String(repeating: "k", count: 17) }
    refused { $0.slots[0].parameters = String(repeating: "p", count: 257) }
    refused { $0.slots[0].sealed.removeLast() }
    refused { $0.keys = [] }
    refused { $0.keys = [key, key] }
    refused { $0.keys[0].state = .enabled }
    refused { $0.keys[0].purpose = .field }
    refused { $0.keys[0].suite = .aes256GCM }
    refused { $0.keys[0].check?[0] ^= 1 }
    refused { $0.keys[0].wrapped?[0] ^= 1 }
    refused { $0.keys[0].id = KeyID(rawValue: 0) }
    refused { $0.formerStoreKey = [UInt8](repeating: 1, count: 72) }
  }

  @Test func `two primary keys are refused`() throws {
    var header = try bench.keys.addingPrimary(createdAt: 2, avoiding: []).header
    for at in header.keys.indices { header.keys[at].state = .primary }
    header.mac = try bench.keys.storeKey.mac(header)
    let bytes = try header.encode()
    #expect(code { _ = try unlock(bytes, bytes) } == .headerTampered)
  }

  @Test func `slots out of order are refused`() throws {
    let slot = try bench.keys.makeSlot(NewSlot(id: 9, secret: bench.secret))
    let wider = try bench.keys.replacing(slots: bench.keys.header.slots + [slot])
    var header = wider.header
    header.slots.reverse()
    header.mac = try bench.keys.storeKey.mac(header)
    let bytes = try header.encode()
    #expect(code { _ = try unlock(bytes, bytes) } == .headerTampered)
  }

  @Test func `a slot of an unknown kind is kept and not tried`() throws {
    let unknown = FileSlot(
      id: 5,
      kind: "kms",
      parameters: "{}",
      sealed: [UInt8](repeating: 3, count: 72)
    )
    let wider = try bench.keys.replacing(slots: [unknown] + bench.keys.header.slots)
    let stored = try bench.stored(wider)
    #expect(stored.header.slots.map(\.id) == [1, 5])
    #expect(stored.header.slots[1] == unknown)
    #expect(unknown.record == nil)
    #expect(
      code { _ = try FileKeys.unlock(stored.header, with: bench.secret, slot: 5) } == .wrongSecret
    )
  }
}
