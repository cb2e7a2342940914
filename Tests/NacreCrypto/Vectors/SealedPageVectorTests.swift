import Testing

@testable import NacreCrypto

/// Runs Vectors/sealed-page.json, and the marks of sealed-log.json and sealed-rekey.json, whose framing
/// is NacreSQLite's.
@Suite struct SealedPageVectorTests {
  @Test func `sealed pages`() throws {
    try VectorFolder.run("sealed-page.json") { one in
      #expect(try one.text("kind") == "page")
      let cipher = PageCipher(keys: try keys(one))
      let (place, whereBytes) = try place(one)
      let page = UInt32(try one.number("page"))
      if try one.text("expect") == "opens" {
        let content = try content(one, byteCount: cipher.keys.pageByteCount - 64)
        let sealed = try seal(content, page, place, one, cipher.keys)
        #expect(try whereBytes == one.bytes("where"), one.comment)
        let opened = try cipher.open(sealed, page, place)
        #expect(opened.page == content + [UInt8](repeating: 0, count: 64), one.comment)
        var checksum: [UInt8] = []
        checksum.append(bigEndian: opened.checksum)
        #expect(try checksum == one.bytes("checksum"), one.comment)
      } else {
        let sealed = try one.bytes("sealed")
        let thrown = code { _ = try cipher.open(sealed, page, place) }
        #expect(try thrown.map { "\($0)" } == one.text("expect"), one.comment)
      }
    }
  }

  @Test func `marks of logs and rollback journals`() throws {
    try VectorFolder.run("sealed-log.json") { one in
      let kind = try one.text("kind")
      guard kind == "logHeader" || kind == "journalHeader" else { return one.skip() }
      let expected = try one.text("expect")
      guard ["opens", "unknownKey", "destroyedKey", "disabledKey"].contains(expected) else {
        return one.skip()
      }
      let cipher = PageCipher(keys: try keys(one))
      let (header, covered, mark) = try kind == "logHeader" ? logHeader(one) : journalHeader(one)
      guard expected == "opens" else {
        let thrown = code { try cipher.check(header, covered, mark: mark) }
        #expect(thrown.map { "\($0)" } == expected, one.comment)
        return
      }
      try cipher.check(header, covered, mark: mark)
      let id = UInt32(try one.number("keyID"))
      #expect(try cipher.associatedData(header, id, covered) == one.bytes("aad"), one.comment)
      #expect(
        try mark == one.bytes("tag") + one.bytes("nonce") + bytes(KeyID(rawValue: id).description)
      )
      one.skip()
    }
  }

  @Test func `marks of rekey journals`() throws {
    try VectorFolder.run("sealed-rekey.json") { one in
      #expect(try one.text("kind") == "rekey")
      guard try one.text("expect") == "opens" else { return one.skip() }
      let keys = try keys(one)
      let cipher = PageCipher(keys: keys)
      let (journal, count) = (try one.pieces("journal"), Int(try one.number("count")))
      var covered = Array(journal[..<48])
      for start in (0..<count).map({ 128 + $0 * (4 + keys.pageByteCount) }) {
        let tag = start + 4 + keys.pageByteCount - 56
        covered += journal[start..<start + 4] + journal[tag..<tag + 16]
      }
      let mark = Array(journal[48..<92])
      try cipher.check(.rekey, covered, mark: mark)
      let id = UInt32(try one.number("keyID"))
      #expect(try cipher.associatedData(.rekey, id, covered) == one.bytes("aad"), one.comment)
      #expect(
        try mark == one.bytes("tag") + one.bytes("nonce") + bytes(KeyID(rawValue: id).description)
      )
      one.skip()
    }
  }

  /// The bytes that a log's mark covers, and the mark.
  private func logHeader(_ one: VectorCase) throws -> (MarkedHeader, [UInt8], [UInt8]) {
    let log = try one.pieces("log")
    return (.log, Array(log[..<40]) + log[84..<128], Array(log[40..<84]))
  }

  /// The bytes that a rollback journal's mark covers, and the mark.
  private func journalHeader(_ one: VectorCase) throws -> (MarkedHeader, [UInt8], [UInt8]) {
    let header = try one.pieces("header")
    var covered = Array(header[384..<440])
    covered.append(bigEndian: try one.number("headerOffset"))
    return (.journal, covered + header[12..<28], Array(header[440..<484]))
  }

  /// The keys of a case; one that does not matter is primary if none of the case is.
  private func keys(_ one: VectorCase) throws -> FileKeys {
    let bench = try FileBench()
    let storeID = try #require(StoreID(one.bytes("storeID")))
    let storeKey = try StoreKey.random(storeID: storeID)
    var header = bench.keys.header
    header.storeID = storeID
    header.pageByteCount = Int(try one.number("pageSize"))
    header.keys = []
    var dataKeys: [KeyID: DataKey] = [:]
    func add(_ id: KeyID, _ state: KeyState, _ secret: SecretBytes?) throws {
      let key = DataKey(
        id: id,
        storeID: storeID,
        purpose: .file,
        suite: .xaes256GCM,
        secret: try secret ?? SecretBytes(random: 32)
      )
      var record = try storeKey.record(of: key, state: state, created: 0)
      if state == .destroyed { (record.wrapped, record.check) = (nil, nil) }
      header.keys.append(record)
      dataKeys[id] = state == .destroyed ? nil : key
    }
    for row in try one.objects("keys") {
      let secret = try row.optionalBytes("key").map { try SecretBytes($0) }
      let id = KeyID(rawValue: UInt32(try row.number("id")))
      try add(id, try #require(KeyState(rawValue: UInt8(row.number("state")))), secret)
      row.finish()
    }
    if !header.keys.contains(where: { $0.state == .primary }) {
      try add(KeyID.random(avoiding: header.keys), .primary, nil)
    }
    return try FileKeys(header, storeKey: storeKey, formerStoreKey: nil, dataKeys: dataKeys)
  }

  private func place(_ one: VectorCase) throws -> (SealedPlace, [UInt8]) {
    func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    let place: SealedPlace
    switch try one.number("place") {
    case 1: place = .file
    case 2:
      place = .log(
        salts: word(try one.bytes("salts")[...]),
        frame: UInt32(try one.number("frame")),
        size: UInt32(try one.number("databaseSize"))
      )
    case 3:
      let id = try one.bytes("journalID")
      place = .journal(
        high: word(id[..<8]),
        low: word(id[8...]),
        offset: UInt64(try one.number("recordOffset"))
      )
    default: throw VectorCase.Malformed(member: "place")
    }
    var bytes: [UInt8] = []
    for word in [place.words.0, place.words.1, place.words.2] { bytes.append(bigEndian: word) }
    return (place, bytes)
  }

  /// The page without its last 64 bytes: as it stands, or by the rule of Vectors/README.md.
  private func content(_ one: VectorCase, byteCount: Int) throws -> [UInt8] {
    guard one.has("seed") else { return try one.bytes("content") }
    let seed = Int(try one.number("seed"))
    let content = (0..<byteCount).map {
      UInt8(truncatingIfNeeded: 31 * $0 + 17 * ($0 / 256) + seed)
    }
    #expect(try SHA256.digest(content) == one.bytes("contentSHA256"), one.comment)
    return content
  }

  /// Seals under the case's key and nonce, and compares every member of the case with that.
  private func seal(
    _ content: [UInt8],
    _ page: UInt32,
    _ place: SealedPlace,
    _ one: VectorCase,
    _ keys: FileKeys
  ) throws -> [UInt8] {
    let id = KeyID(rawValue: UInt32(try one.number("keyID")))
    let nonce = try one.bytes("nonce")
    let data = PageAssociatedData(keys.storeID)
    data.set(keyID: id.rawValue, page: page, place)
    #expect(try Array(data.bytes) == one.bytes("aad"), one.comment)
    let key = try keys.key(for: id)
    if one.has("subkey") {
      #expect(try one.bytes("subkey") == subkey(key.secret.array, Array(nonce.prefix(12))))
    }
    let ciphertext = try (content + one.bytes("checksum")).withUnsafeBytes {
      try XAES.seal($0, key: key.secret, nonce: nonce, aad: Array(data.bytes))
    }
    #expect(try ciphertext.suffix(16) == one.bytes("tag")[...], one.comment)
    let sealed =
      ciphertext + nonce + bytes(id.description) + [UInt8](repeating: 0, count: 12)
    if one.has("sealed") {
      #expect(try one.bytes("sealed") == sealed, one.comment)
    } else {
      #expect(try SHA256.digest(sealed) == one.bytes("sealedSHA256"), one.comment)
    }
    return sealed
  }
}
