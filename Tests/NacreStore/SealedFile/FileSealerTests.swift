import Foundation
import NacreCrypto
import NacreEngine
@testable import NacreStore
import Testing
@testable import TestSupport

/// What an engine asks of the sealer of a file.
@Suite struct FileSealerTests {
  private let directory: TemporaryDirectory
  private let secret: SlotSecret
  private let keys: FileKeys
  private let sealer: FileSealer
  private var path: String { directory.file("store") }

  init() throws {
    directory = try TemporaryDirectory()
    secret = .raw(try SecretBytes(random: 32))
    keys = try FileKeys.create(
      storeID: StoreID.random(),
      pageByteCount: 1_024,
      createdAt: 1,
      slot: NewSlot(id: 1, secret: secret)
    )
    sealer = FileSealer(keys: keys)
    try write(keys, keys)
  }

  /// Writes both copies of the header.
  private func write(_ first: FileKeys, _ second: FileKeys) throws {
    try Data(first.header.encode() + second.header.encode()).write(to: URL(filePath: path))
  }

  private func read(_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard let file = try? FileHandle(forReadingFrom: URL(filePath: path)),
      (try? file.seek(toOffset: UInt64(offset))) != nil,
      let bytes = try? file.read(upToCount: buffer.count), bytes.count == buffer.count
    else { return false }
    buffer.copyBytes(from: bytes)
    return true
  }

  /// How many bytes of the file a call of `follow` reads.
  private func follow(_ sealer: FileSealer) throws -> Int {
    var count = 0
    try sealer.follow { offset, buffer in
      count += buffer.count
      return read(offset, buffer)
    }
    return count
  }

  private func page() throws -> [UInt8] {
    try SecretBytes(random: 1_024 - 64).withUnsafeBytes { Array($0) }
      + [UInt8](repeating: 0, count: 64)
  }

  private func seal(
    _ sealing: any PageSealing,
    _ page: [UInt8],
    at place: PageLocation = .file
  ) throws -> [UInt8] {
    var sealed = page
    try page.withUnsafeBytes { page in
      try sealed.withUnsafeMutableBytes {
        try sealing.seal(page, number: 2, at: place, checksum: 0x0102, into: $0)
      }
    }
    return sealed
  }

  private func open(
    _ sealing: any PageSealing,
    _ sealed: [UInt8],
    at place: PageLocation = .file
  ) throws -> (PageOpening, [UInt8]) {
    var page = sealed
    let opening = try sealed.withUnsafeBytes { sealed in
      try page.withUnsafeMutableBytes { try sealing.open(sealed, number: 2, at: place, into: $0) }
    }
    return (opening, page)
  }

  private func code(_ body: () throws -> Void) -> NacreError.Code? {
    do { try body() } catch { return (error as? NacreError)?.code }
    return nil
  }

  // MARK: Pages

  @Test func `a sealer says what of the file is its own`() {
    #expect(sealer.headerByteCount == 65_536)
    #expect(sealer.pageByteCount == 1_024)
    #expect(sealer.trailerByteCount == 64)
    #expect(sealer.identity == keys.storeID.bytes)
    #expect(PageMark.byteCount == PageCipher.markByteCount)
  }

  @Test func `a page opens in another open file, at its place alone`() throws {
    let page = try page()
    let (one, other) = (try sealer.sealing(), try sealer.sealing())
    let places: [PageLocation] = [
      .file, .log(salts: 1, frame: 2, size: 3), .journal(high: 1, low: 2, offset: 3),
    ]
    for place in places {
      let sealed = try seal(one, page, at: place)
      for opened in places {
        let (opening, found) = try open(other, sealed, at: opened)
        let isThere = opened == place
        let expected = isThere ? PageOpening.opened(checksum: 0x0102) : .notAuthentic
        #expect(opening == expected)
        #expect(found == (isThere ? page : [UInt8](repeating: 0, count: 1_024)))
      }
    }
  }

  @Test func `a mark holds in another open file`() throws {
    let mark = try sealer.sealing().mark(.log, [1, 2, 3])
    let other = try sealer.sealing()
    #expect(try other.check(.log, [1, 2, 3], mark) == .opened(checksum: 0))
    #expect(try other.check(.journal, [1, 2, 3], mark) == .notAuthentic)
    #expect(try other.check(.log, [1, 2, 4], mark) == .notAuthentic)
  }

  @Test func `each temporary file has a key of its own`() throws {
    let (one, other) = (try sealer.temporaryCipher(), try sealer.temporaryCipher())
    let block = [UInt8](repeating: 7, count: one.blockByteCount)
    var copies = [block, block]
    try copies[0].withUnsafeMutableBytes { try one.encrypt($0, number: 5) }
    try copies[1].withUnsafeMutableBytes { try other.encrypt($0, number: 5) }
    #expect(copies[0] != block)
    #expect(copies[0] != copies[1])
    try copies[0].withUnsafeMutableBytes { try one.decrypt($0, number: 5) }
    #expect(copies[0] == block)
  }

  // MARK: Following

  @Test func `a header that is known is not read`() throws {
    #expect(try follow(sealer) == 16)
  }

  @Test func `a newer header is taken over, whichever copy has it`() throws {
    let next = try keys.addingPrimary(createdAt: 2, avoiding: [])
    try write(next, keys)
    #expect(try follow(sealer) > 65_536)
    #expect(sealer.keys.primaryID == next.primaryID)
    let other = FileSealer(keys: keys)
    try write(keys, next)
    #expect(try follow(other) > 65_536)
    #expect(other.keys.primaryID == next.primaryID)
  }

  @Test func `an open file seals under the new key from the next lock on`() throws {
    let page = try page()
    let (sealing, late) = (try sealer.sealing(), try sealer.sealing())
    let old = try seal(sealing, page)
    let next = try keys.addingPrimary(createdAt: 2, avoiding: [])
    try write(next, next)
    _ = try follow(sealer)
    #expect(try seal(sealing, page)[1_008..<1_012] == old[1_008..<1_012])
    sealing.beginLock()
    let new = try seal(sealing, page)
    #expect(new[1_008..<1_012].hex == next.primaryID.description)
    // The other open file took no lock, and opens it all the same.
    #expect(try open(late, new).1 == page)
    #expect(try open(late, old).1 == page)
  }

  @Test func `a page under a key that the header does not have is told apart`() throws {
    let page = try page()
    let next = try keys.addingPrimary(createdAt: 2, avoiding: [])
    let sealed = try seal(FileSealer(keys: next).sealing(), page)
    let sealing = try sealer.sealing()
    #expect(try open(sealing, sealed).0 == .unknownKey)
    #expect(try open(sealing, sealed).1.allSatisfy { $0 == 0 })
    try write(next, next)
    _ = try follow(sealer)
    #expect(try open(sealing, sealed).1 == page)
    let disabled = try next.setting(keys.primaryID, to: .disabled)
    let old = try seal(FileSealer(keys: keys).sealing(), page)
    #expect(try open(FileSealer(keys: disabled).sealing(), old).0 == .unknownKey)
  }

  @Test func `an older header than one already seen is refused`() throws {
    let next = try keys.addingPrimary(createdAt: 2, avoiding: [])
    try write(next, next)
    _ = try follow(sealer)
    try write(keys, keys)
    #expect(code { _ = try follow(sealer) } == .headerTampered)
    #expect(sealer.keys.sequence == 2)
  }

  @Test func `another header of the same sequence number is refused`() throws {
    let next = try keys.addingPrimary(createdAt: 2, avoiding: [])
    try write(next, keys)
    _ = try follow(sealer)
    let other = try keys.addingPrimary(createdAt: 3, avoiding: [])
    try write(other, keys)
    #expect(code { _ = try follow(sealer) } == .headerTampered)
  }

  @Test func `a header that is gone, damaged or another file's is refused`() throws {
    let next = try keys.addingPrimary(createdAt: 2, avoiding: []).header.encode()
    var torn = next
    torn[100] ^= 1
    try Data(torn + torn).write(to: URL(filePath: path))
    #expect(code { _ = try follow(sealer) } == .headerDamaged)
    try Data(torn + next).write(to: URL(filePath: path))
    _ = try follow(sealer)
    #expect(sealer.keys.sequence == 2)
    try Data().write(to: URL(filePath: path))
    #expect(code { _ = try follow(sealer) } == .notSealed)
    let stranger = try FileKeys.create(
      storeID: StoreID.random(),
      pageByteCount: 1_024,
      createdAt: 1,
      slot: NewSlot(id: 1, secret: secret)
    )
    let newer = try stranger.addingPrimary(createdAt: 2, avoiding: [])
      .addingPrimary(createdAt: 3, avoiding: [])
    try write(newer, newer)
    #expect(code { _ = try follow(sealer) } == .storeRewrapped)
    #expect(code { try sealer.take(newer) } == .headerTampered)
  }

  @Test func `a rewrapped header asks for the secret, and is then followed`() throws {
    let page = try page()
    let rewrapped = try keys.rewrapped(slots: [NewSlot(id: 1, secret: secret)])
    try write(rewrapped, rewrapped)
    #expect(code { _ = try follow(sealer) } == .storeRewrapped)
    let header = try FileSealer.header(read)
    try sealer.take(keys.reloading(header, with: secret))
    #expect(try follow(sealer) == 16)
    let next = try rewrapped.finishingRewrap()
    try write(next, next)
    _ = try follow(sealer)
    #expect(!sealer.keys.isRewrapUnfinished)
    #expect(try open(sealer.sealing(), seal(FileSealer(keys: keys).sealing(), page)).1 == page)
  }

  @Test func `the process that rewraps knows its header before it has said so`() throws {
    let rewrapped = try keys.rewrapped(slots: [NewSlot(id: 1, secret: secret)])
    sealer.announce(rewrapped)
    #expect(try follow(sealer) == 16)
    #expect(sealer.keys === keys)
    try write(keys, rewrapped)
    _ = try follow(sealer)
    #expect(sealer.keys === rewrapped)
    try sealer.take(keys)
    #expect(sealer.keys === rewrapped)
  }
}
