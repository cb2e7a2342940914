import Testing

@testable import NacreCrypto

/// Runs Vectors/sealed-header.json, except for sizes of files, which are NacreSQLite's.
@Suite struct SealedHeaderVectorTests {
  @Test func `headers of sealed files`() throws {
    try VectorFolder.run("sealed-header.json") { one in
      switch try one.text("kind") {
      case "header": try header(one)
      case "fileKey": try fileKey(one)
      case "formerStoreKey": try formerStoreKey(one)
      case "layout", "size": one.skip()
      case let kind: Issue.record("unknown kind \(kind)")
      }
    }
  }

  private func expect(_ one: VectorCase, _ body: () throws -> Void) throws {
    let expected = try one.text("expect")
    do {
      try body()
      #expect(expected == "opens", one.comment)
    } catch let error as CryptoError {
      #expect("\(error.code)" == expected, one.comment)
    }
  }

  private func header(_ one: VectorCase) throws {
    let copies = [try one.pieces("copy1"), try one.pieces("copy2")]
    let secret = SlotSecret.raw(try SecretBytes(one.bytes("secret")))
    let least = try one.number("headerSequence")
    try expect(one) {
      let header = try FileHeader.read(copies[0], copies[1])
      let keys = try FileKeys.unlock(header, with: secret)
      try keys.check(leastSequence: least)
      let decides = Int(try one.number("decides"))
      #expect(try header.encode() == copies[decides - 1], one.comment)
      #expect(try keys.header.encode() == copies[decides - 1], one.comment)
      let written = try FileHeader.copyToOverwrite(copies[0], copies[1])
      #expect(try one.number("writtenFirst") == Int64(written + 1), one.comment)
      let counts = try one.numbers("counts")
      for (at, copy) in copies.enumerated() {
        let alone = try? FileHeader.read(copy, [])
        #expect((alone != nil) == counts.contains(Int64(at + 1)), one.comment)
      }
      try compare(header, with: one)
      try compare(keys, with: one)
    }
  }

  private func compare(_ header: FileHeader, with one: VectorCase) throws {
    #expect(try header.pageByteCount == Int(one.number("pageSize")))
    #expect(try header.storeID.bytes == one.bytes("storeID"))
    #expect(try header.sequence == UInt64(one.number("sequence")))
    #expect(try header.mac == one.bytes("mac"))
    #expect(try header.formerStoreKey == one.optionalBytes("former"))
    let slots = try one.objects("slots").map { slot in
      defer { slot.finish() }
      return FileSlot(
        id: UInt32(try slot.number("id")),
        kind: try slot.text("kind"),
        parameters: try slot.text("parameters"),
        sealed: try slot.bytes("sealed")
      )
    }
    #expect(header.slots == slots, one.comment)
  }

  private func compare(_ keys: FileKeys, with one: VectorCase) throws {
    #expect(try keys.storeKey.secret.array == one.bytes("storeKey"))
    #expect(try keys.formerStoreKey?.secret.array == one.optionalBytes("formerStoreKey"))
    #expect(try keys.storeKey.headerMACKey().array == one.bytes("headerMACKey"))
    let rows = try one.objects("keys")
    #expect(rows.count == keys.header.keys.count)
    for (row, key) in zip(rows, keys.header.keys) {
      #expect(try row.number("id") == Int64(key.id.rawValue))
      #expect(try row.number("purpose") == Int64(key.purpose.rawValue))
      #expect(try row.number("suite") == Int64(key.suite.rawValue))
      #expect(try row.number("state") == Int64(key.state.rawValue))
      #expect(try row.number("created") == Int64(key.created))
      #expect(try row.optionalBytes("wrapped") == key.wrapped)
      #expect(try row.optionalBytes("check") == key.check)
      #expect(try row.optionalBytes("key") == keys.dataKeys[key.id]?.secret.array)
      row.finish()
    }
  }

  private func storeKey(_ one: VectorCase) throws -> StoreKey {
    try StoreKey(
      SecretBytes(one.bytes("storeKey")),
      storeID: try #require(StoreID(one.bytes("storeID")))
    )
  }

  private func fileKey(_ one: VectorCase) throws {
    let storeKey = try storeKey(one)
    let record = KeyRecord(
      id: KeyID(rawValue: UInt32(try one.number("keyID"))),
      purpose: .file,
      suite: .xaes256GCM,
      state: .primary,
      created: 0,
      wrapped: try one.bytes("wrapped"),
      check: try one.bytes("check")
    )
    var header = try FileBench().keys.header
    header.storeID = storeKey.storeID
    header.keys = [record]
    header.mac = try storeKey.mac(header)
    try expect(one) {
      let keys = try FileKeys(verifying: header, storeKey: storeKey)
      #expect(try keys.primary.secret.array == one.bytes("key"))
      #expect(try storeKey.wrapKey.array == one.bytes("wrapKey"))
      #expect(try storeKey.associatedData(record.id, .file, .xaes256GCM) == one.bytes("aad"))
    }
  }

  private func formerStoreKey(_ one: VectorCase) throws {
    let storeKey = try storeKey(one)
    let wrapped = try one.bytes("wrapped")
    try expect(one) {
      let former = try storeKey.unwrapFormer(wrapped)
      #expect(try former.secret.array == one.bytes("formerStoreKey"))
      #expect(try storeKey.wrapKey.array == one.bytes("wrapKey"))
      #expect(try storeKey.formerAssociatedData == one.bytes("aad"))
    }
  }
}
