import Testing

@testable import NacreCrypto

/// Runs Vectors/keys.json, except for key files, which are NacreCore's.
@Suite struct KeyVectorTests {
  @Test func keys() throws {
    try VectorFolder.run("keys.json") { one in
      switch try one.text("kind") {
      case "storeKey": try storeKey(one)
      case "slotSecret": try slot(one, .raw(SecretBytes(one.bytes("secret"))))
      case "slotPassphrase":
        try slot(one, .passphrase(SecretBytes(Array(one.text("passphrase").utf8))))
      case "dataKey": try dataKey(one)
      case "checkValue": try checkValue(one)
      case "ring": try ring(one)
      case "journal": try journal(one)
      case "anchor": try anchor(one)
      case "catalog": try catalog(one)
      case "keyFile": one.skip()
      case let kind: Issue.record("unknown kind \(kind)")
      }
    }
  }

  /// Runs a body whose failure, or success, the case foretells.
  private func expect(_ one: VectorCase, _ success: String, _ body: () throws -> Void) throws {
    let expected = try one.text("expect")
    do {
      try body()
      #expect(expected == success, one.comment)
    } catch let error as CryptoError {
      #expect("\(error.code)" == expected, one.comment)
    }
  }

  private func storeID(_ one: VectorCase) throws -> StoreID {
    try #require(StoreID(one.bytes("storeID")))
  }

  private func storeKey(_ one: VectorCase) throws {
    let id = try storeID(one)
    let secret = try SecretBytes(one.bytes("storeKey"))
    try expect(one, "matches") {
      let key = try StoreKey(secret, storeID: id)
      #expect(try key.wrapKey.array == one.bytes("wrapKey"))
      #expect(try key.ringMACKey.array == one.bytes("ringMACKey"))
      #expect(try key.journalMACKey.array == one.bytes("journalMACKey"))
      #expect(try key.catalogMACKey.array == one.bytes("catalogMACKey"))
    }
  }

  private func slot(_ one: VectorCase, _ secret: SlotSecret) throws {
    let storeID = try storeID(one)
    let slotID = UInt32(try one.number("slotID"))
    let parameters = one.has("parameters") ? try one.text("parameters") : ""
    let record = SlotRecord(
      id: slotID,
      kind: secret.kind,
      parameters: parameters,
      sealed: try one.bytes("sealed")
    )
    try expect(one, "opens") {
      let key = try Slot.open([record], storeID: storeID, with: secret)
      #expect(try key.secret.array == one.bytes("storeKey"), one.comment)
      #expect(try Slot.associatedData(storeID, slotID) == one.bytes("aad"))
      let slotKey =
        switch secret {
        case .raw(let raw): try Slot.rawSlotKey(raw, storeID: storeID)
        case .passphrase(let phrase): try ScryptParameters(json: parameters).derive(phrase)
        }
      #expect(try slotKey.array == one.bytes("slotKey"), one.comment)
    }
  }

  private func dataKey(_ one: VectorCase) throws {
    let storeKey = try StoreKey(
      SecretBytes(one.bytes("storeKey")),
      storeID: storeID(one)
    )
    var record = try KeyRecord(
      id: one.number("keyID"),
      purpose: one.number("purpose"),
      suite: one.number("suite"),
      state: 3,
      created: 0,
      wrapped: one.bytes("wrapped"),
      check: nil
    )
    if one.has("key") {
      let key = DataKey(
        id: record.id,
        storeID: storeKey.storeID,
        purpose: record.purpose,
        suite: record.suite,
        secret: try SecretBytes(one.bytes("key"))
      )
      record.check = try key.checkValue()
    }
    try expect(one, "opens") {
      let key = try storeKey.unwrap(record)
      #expect(try key.secret.array == one.bytes("key"), one.comment)
      #expect(try storeKey.wrapKey.array == one.bytes("wrapKey"))
      let aad = storeKey.associatedData(record.id, record.purpose, record.suite)
      #expect(try aad == one.bytes("aad"))
    }
  }

  private func checkValue(_ one: VectorCase) throws {
    let storeKey = try StoreKey.random(storeID: storeID(one))
    let id = KeyID(rawValue: UInt32(try one.number("keyID")))
    let key = DataKey(
      id: id,
      storeID: storeKey.storeID,
      purpose: .field,
      suite: .xaes256GCM,
      secret: try SecretBytes(one.bytes("key"))
    )
    var record = try storeKey.record(of: key, state: .enabled, created: 0)
    record.check = try one.bytes("check")
    try expect(one, "matches") {
      let unwrapped = try storeKey.unwrap(record)
      #expect(unwrapped.secret.matches(key.secret), one.comment)
    }
  }

  private func ring(_ one: VectorCase) throws {
    let storeKey = try StoreKey(SecretBytes(one.bytes("storeKey")), storeID: storeID(one))
    let generation = UInt64(try one.number("generation"))
    let mac = try one.bytes("ringMAC")
    let rows = try one.objects("keys")
    try expect(one, "opens") {
      let keys = try rows.map(record)
      let record = RingRecord(
        storeID: storeKey.storeID,
        generation: generation,
        mac: mac,
        keys: keys
      )
      let ring = try KeyRing(verifying: record, storeKey: storeKey)
      #expect(try storeKey.ringMACKey.array == one.bytes("ringMACKey"))
      #expect(try record.macMessage() == one.bytes("macInput"))
      #expect(ring.record().mac == mac)
      for opened in try one.objects("opened") {
        let id = KeyID(rawValue: UInt32(try opened.number("id")))
        #expect(try ring.dataKeys[id]?.secret.array == opened.optionalBytes("key"), one.comment)
        opened.finish()
      }
      try expectSealing(ring, try one.object("seals"))
    }
  }

  private func journal(_ one: VectorCase) throws {
    let storeKey = try StoreKey(SecretBytes(one.bytes("storeKey")), storeID: storeID(one))
    let ring = try KeyRing(storeKey: storeKey, generation: 1, keys: [], dataKeys: [:])
    let mac = try one.bytes("mac")
    let row = try one.object("row")
    let record = JournalRecord(
      id: try row.number("id"),
      kind: try row.text("kind"),
      from: try row.text("from"),
      to: try row.text("to"),
      entity: try row.optionalText("entity"),
      property: try row.optionalText("property"),
      phase: try row.text("phase"),
      cursor: try row.optionalBytes("cursor")
    )
    row.finish()
    try expect(one, "matches") {
      try ring.verify(record, mac: mac)
      #expect(try record.macMessage(of: storeKey.storeID) == one.bytes("macInput"), one.comment)
    }
  }

  private func anchor(_ one: VectorCase) throws {
    let storeKey = try StoreKey(SecretBytes(one.bytes("storeKey")), storeID: storeID(one))
    let ring = try KeyRing(storeKey: storeKey, generation: 1, keys: [], dataKeys: [:])
    let bytes = try one.bytes("anchor")
    try expect(one, "matches") {
      let anchor = try ring.anchor(in: bytes)
      #expect(try anchor.counter == UInt64(one.number("counter")), one.comment)
      #expect(try anchor.ringGeneration == UInt64(one.number("generation")), one.comment)
      #expect(try storeKey.anchorKey().array == one.bytes("anchorKey"), one.comment)
      #expect(try anchor.macMessage() == one.bytes("macInput"), one.comment)
      #expect(try ring.bytes(of: anchor) == bytes, one.comment)
      let text = try one.text("anchorText")
      #expect(anchor.description == text && Anchor(text) == anchor, one.comment)
    }
  }

  private func catalog(_ one: VectorCase) throws {
    let storeKey = try StoreKey(SecretBytes(one.bytes("storeKey")), storeID: storeID(one))
    let number = UInt64(try one.number("number"))
    let ring = try KeyRing(
      storeKey: storeKey,
      generation: number << 32 | 9,
      keys: [],
      dataKeys: [:]
    )
    let mac = try one.bytes("mac")
    let record = CatalogRecord(
      entities: try one.cells("entities"),
      properties: try one.cells("properties")
    )
    try expect(one, "matches") {
      let bytes = try record.bytes()
      try ring.verify(catalog: bytes, mac: mac, with: ring.record())
      #expect(try bytes == one.bytes("catalog"), one.comment)
      var message = Array("nacre/catalog/1".utf8) + storeKey.storeID.bytes
      message.append(bigEndian: number)
      #expect(try message + bytes == one.bytes("macInput"), one.comment)
      #expect(try ring.mac(ofCatalog: bytes) == mac, one.comment)
      let read = try CatalogRecord(bytes, widths: (3, 19))
      #expect(try read.bytes() == bytes, one.comment)
    }
  }

  private func expectSealing(_ ring: KeyRing, _ seals: VectorCase) throws {
    func id(_ name: String) throws -> KeyID? {
      try seals.optionalNumber(name).map { KeyID(rawValue: UInt32($0)) }
    }
    #expect(try ring.primaryID(.field) == id("default"))
    #expect(try ring.primaryID(.field, suite: .xaes256GCM) == id("suite1"))
    #expect(try ring.primaryID(.field, suite: .aes256GCM) == id("suite2"))
    #expect(try ring.primaryID(.index) == id("index"))
    seals.finish()
  }

  private func record(_ row: VectorCase) throws -> KeyRecord {
    defer { row.finish() }
    let wrapped = try row.optionalBytes("wrapped")
    let check = try row.optionalBytes("check")
    return try KeyRecord(
      id: row.number("id"),
      purpose: row.number("purpose"),
      suite: row.number("suite"),
      state: row.number("state"),
      created: row.number("created"),
      wrapped: wrapped,
      check: check
    )
  }
}
