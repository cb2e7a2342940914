import Testing

@testable import NacreCrypto

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite struct PageCipherTests {
  private let bench: FileBench
  private let cipher: PageCipher
  private let page: [UInt8]

  init() throws {
    bench = try FileBench()
    cipher = PageCipher(keys: bench.keys)
    page = try bench.page()
  }

  private static let places: [SealedPlace] = [
    .file, .log(salts: 1, frame: 2, size: 3), .log(salts: 1, frame: 2, size: 0),
    .log(salts: 1, frame: 3, size: 3), .log(salts: 2, frame: 2, size: 3),
    .journal(high: 1, low: 2, offset: 3), .journal(high: 1, low: 2, offset: 4),
    .journal(high: 1, low: 3, offset: 3), .journal(high: 2, low: 2, offset: 3),
    .log(salts: 0, frame: 0, size: 0), .journal(high: 0, low: 0, offset: 0),
  ]

  private func prefix(_ sealed: [UInt8]) -> [UInt8] {
    Array(sealed[sealed.count - 40..<sealed.count - 28])
  }
  private func rest(_ sealed: [UInt8]) -> [UInt8] {
    Array(sealed[sealed.count - 28..<sealed.count - 16])
  }

  @Test(arguments: [1_024, 4_096, 65_536])
  func `a page of every size opens with its checksum at its place alone`(_ size: Int) throws {
    let bench = try FileBench(pageByteCount: size)
    let cipher = PageCipher(keys: bench.keys)
    let page = try bench.page()
    let sealed = try Self.places.map {
      try cipher.seal(page, 7, $0, checksum: 0x0123_4567_89AB_CDEF)
    }
    for (at, one) in sealed.enumerated() {
      for (other, place) in Self.places.enumerated() where other != at {
        #expect(code { _ = try cipher.open(one, 7, place) } == .authenticationFailed)
      }
      #expect(code { _ = try cipher.open(one, 8, Self.places[at]) } == .authenticationFailed)
      let opened = try cipher.open(one, 7, Self.places[at])
      #expect(opened.page == page)
      #expect(opened.checksum == 0x0123_4567_89AB_CDEF)
    }
  }

  @Test func `another store's cipher opens nothing`() throws {
    let sealed = try cipher.seal(page)
    let other = PageCipher(keys: try FileBench().keys)
    #expect(code { _ = try other.open(sealed) } == .unknownKey)
  }

  @Test func `every flipped bit of a page keeps it shut`() throws {
    let sealed = try cipher.seal(page, checksum: 5)
    let idAt = sealed.count - 16
    for at in sealed.indices {
      for bit in 0..<8 {
        var changed = sealed
        changed[at] ^= 1 << bit
        let expected: CryptoError.Code =
          (idAt..<idAt + 4).contains(at) ? .unknownKey : .authenticationFailed
        #expect(code { _ = try cipher.open(changed) } == expected, "byte \(at)")
      }
    }
  }

  @Test func `a page of zeros is not authentic`() throws {
    let zeros = [UInt8](repeating: 0, count: page.count)
    #expect(code { _ = try cipher.open(zeros) } == .authenticationFailed)
    #expect(
      code { _ = try cipher.open([UInt8](repeating: 1, count: page.count)) }
        == .authenticationFailed
    )
  }

  @Test func `the bytes are those of the format`() throws {
    let sealed = try cipher.seal(
      page,
      9,
      .log(salts: 0x1122_3344_5566_7788, frame: 4, size: 6),
      checksum: 0x0A0B
    )
    let end = sealed.count
    let id = try #require(KeyID(sealed[end - 16..<end - 12].hex))
    #expect(id == bench.keys.primaryID)
    #expect(sealed[(end - 12)...].allSatisfy { $0 == 0 })
    var aad = Array("nacre/page/1".utf8) + bench.keys.storeID.bytes
    aad.append(bigEndian: id.rawValue)
    aad += [1, 0, 0, 0, 9, 2]
    aad += bytes("1122334455667788") + [0, 0, 0, 4, 0, 0, 0, 6] + [UInt8](repeating: 0, count: 8)
    #expect(aad.count == 62)
    let opened = try XAES.open(
      Array(sealed[(end - 40)..<(end - 16)]) + sealed[..<(end - 40)],
      key: bench.keys.primary.secret,
      aad: aad
    )
    #expect(opened?.array == page.dropLast(64) + [0, 0, 0, 0, 0, 0, 0x0A, 0x0B])
  }

  @Test func `the end of the page is neither read nor kept`() throws {
    var marked = page
    for at in (page.count - 64)..<page.count { marked[at] = 0xA7 }
    #expect(try cipher.open(cipher.seal(marked)).page == page)
  }

  @Test func `a page can be sealed and opened in place`() throws {
    var memory = page
    let checksum = try memory.withUnsafeMutableBytes { memory in
      try cipher.seal(
        UnsafeRawBufferPointer(memory),
        number: 3,
        at: .file,
        checksum: 8,
        into: memory
      )
      return try cipher.open(UnsafeRawBufferPointer(memory), number: 3, at: .file, into: memory)
    }
    #expect(memory == page)
    #expect(checksum == 8)
  }

  @Test(arguments: [0, 512, 1_023, 1_025, 2_048])
  func `a page of another size is refused`(_ count: Int) throws {
    let other = [UInt8](repeating: 1, count: count)
    #expect(code { _ = try cipher.seal(other) } == .badParameters)
    #expect(code { _ = try cipher.open(other) } == .badParameters)
  }

  // MARK: - Nonces

  @Test func `seals of one lock share a prefix and never the rest`() throws {
    cipher.beginLock()
    let sealed = try (0..<500).map { _ in try cipher.seal(page) }
    #expect(Set(sealed.map(prefix)).count == 1)
    #expect(Set(sealed.map(rest)).count == 500)
  }

  @Test func `each lock, each open file and each change of keys draws a prefix`() throws {
    let ciphers = (0..<20).map { _ in PageCipher(keys: bench.keys) }
    var seen: Set<[UInt8]> = []
    for _ in 0..<10 {
      for cipher in ciphers {
        cipher.beginLock()
        #expect(seen.insert(prefix(try cipher.seal(page))).inserted)
      }
    }
    try cipher.adopt(bench.keys.addingPrimary(createdAt: 2, avoiding: []))
    #expect(seen.insert(prefix(try cipher.seal(page))).inserted)
  }

  @Test func `a prefix serves at most 65536 seals, marks among them`() throws {
    cipher.beginLock()
    let first = Array(try cipher.mark(.log, [1])[16..<28])
    for _ in 2..<65_536 { _ = try cipher.seal(page) }
    #expect(prefix(try cipher.seal(page)) == first)
    let next = try cipher.seal(page)
    #expect(prefix(next) != first)
    #expect(try cipher.open(next).page == page)
  }

  @Test func `the child of a fork draws another prefix`() async {
    // In a process of its own, because a fork next to running tests could inherit held locks.
    await #expect(processExitsWith: .success) {
      let bench = try FileBench()
      let cipher = PageCipher(keys: bench.keys)
      let page = try bench.page()
      _ = try cipher.seal(page)
      // Swift hides `fork`; the symbol is there.
      let symbol = try #require(dlsym(dlopen(nil, RTLD_NOW), "fork"))
      let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
      var pipes: [Int32] = [0, 0]
      try #require(pipe(&pipes) == 0)
      let child = fork()
      if child == 0 {
        let sealed = (try? cipher.seal(page)) ?? page
        _ = write(pipes[1], sealed, sealed.count)
        _exit(0)
      }
      try #require(child > 0)
      close(pipes[1])
      let own = try cipher.seal(page)
      var childs = [UInt8](repeating: 0, count: page.count)
      try #require(read(pipes[0], &childs, childs.count) == childs.count)
      var status: Int32 = 0
      waitpid(child, &status, 0)
      let end = page.count
      guard status == 0, childs[end - 40..<end - 28] != own[end - 40..<end - 28],
        childs[end - 28..<end - 16] != own[end - 28..<end - 16],
        try cipher.open(childs).page == page
      else { exit(1) }
    }
  }

  // MARK: - Keys

  @Test func `pages of former keys open until the keys are disabled`() throws {
    let old = try cipher.seal(page)
    let former = bench.keys.primaryID
    let wider = try bench.keys.addingPrimary(createdAt: 2, avoiding: [])
    let other = PageCipher(keys: bench.keys)
    try cipher.adopt(wider)
    let new = try cipher.seal(page)
    #expect(Array(new[(new.count - 16)..<(new.count - 12)]) == bytes(wider.primaryID.description))
    #expect(try cipher.open(old).page == page)
    #expect(code { _ = try other.open(new) } == .unknownKey)
    let disabled = try wider.setting(former, to: .disabled)
    try cipher.adopt(disabled)
    #expect(code { _ = try cipher.open(old) } == .disabledKey)
    try cipher.adopt(disabled.destroying(former))
    #expect(code { _ = try cipher.open(old) } == .destroyedKey)
    #expect(try cipher.open(new).page == page)
  }

  @Test func `keys of another file are refused`() throws {
    #expect(code { try cipher.adopt(FileBench().keys) } == .badParameters)
  }

  @Test func `pages of more locks than the cache holds open in any order`() throws {
    var keys = bench.keys
    var sealed: [[UInt8]] = []
    for number in 0..<40 {
      if number == 20 {
        keys = try keys.addingPrimary(createdAt: 2, avoiding: [])
        try cipher.adopt(keys)
      }
      cipher.beginLock()
      sealed.append(try cipher.seal(page, UInt32(number)))
    }
    for step in [1, 3, 7, 39] {
      for number in 0..<40 {
        let at = number * step % 40
        #expect(try cipher.open(sealed[at], UInt32(at)).page == page)
      }
    }
  }

  @Test func `the cache tells keys and prefixes apart by every byte`() throws {
    let keys = try bench.keys.addingPrimary(createdAt: 2, avoiding: [])
    try cipher.adopt(keys)
    let aad = PageAssociatedData(keys.storeID)
    let nonce = [UInt8](1...24)
    let nonces =
      [nonce]
      + (0..<12).map { at in
        var other = nonce
        other[at] ^= 0x80
        return other
      }
    var sealed: [[UInt8]] = []
    for key in try keys.header.keys.map({ try keys.key(for: $0.id) }) {
      aad.set(keyID: key.id.rawValue, page: 1, .file)
      for nonce in nonces {
        let body = page.dropLast(64) + [UInt8](repeating: 0, count: 8)
        let ciphertext = try Array(body).withUnsafeBytes {
          try XAES.seal($0, key: key.secret, nonce: nonce, aad: Array(aad.bytes))
        }
        sealed.append(
          ciphertext + nonce + bytes(key.id.description) + [UInt8](repeating: 0, count: 12)
        )
      }
    }
    for one in sealed + sealed.reversed() { #expect(try cipher.open(one).page == page) }
  }

  // MARK: - Marks

  @Test func `a mark holds for its header and its bytes alone`() throws {
    let covered = [UInt8](0..<84)
    for header in [MarkedHeader.log, .journal] {
      let mark = try cipher.mark(header, covered)
      #expect(mark.count == 44)
      try cipher.check(header, covered, mark: mark)
      let other: MarkedHeader = header == .log ? .journal : .log
      #expect(code { try cipher.check(other, covered, mark: mark) } == .authenticationFailed)
      for at in covered.indices {
        var changed = covered
        changed[at] ^= 1
        #expect(code { try cipher.check(header, changed, mark: mark) } == .authenticationFailed)
      }
      for at in mark.indices {
        var changed = mark
        changed[at] ^= 1
        let expected: CryptoError.Code = at < 40 ? .authenticationFailed : .unknownKey
        #expect(code { try cipher.check(header, covered, mark: changed) } == expected)
      }
      for short in [[], Array(mark.dropLast()), mark + [0], [UInt8](repeating: 0, count: 44)] {
        #expect(code { try cipher.check(header, covered, mark: short) } == .authenticationFailed)
      }
    }
  }

  @Test func `a mark is XAES of nothing over the format's bytes`() throws {
    let mark = try cipher.mark(.journal, [7, 8])
    var aad = Array("nacre/rollback/1".utf8) + bench.keys.storeID.bytes
    aad.append(bigEndian: bench.keys.primaryID.rawValue)
    aad += [1, 7, 8]
    let opened = try XAES.open(
      Array(mark[16..<40]) + mark[..<16],
      key: bench.keys.primary.secret,
      aad: aad
    )
    #expect(opened?.count == 0)
  }
}
