import Testing

@testable import NacreCrypto

/// Runs Vectors/envelope.json.
@Suite struct EnvelopeVectorTests {
  @Test func envelopes() throws {
    try VectorFolder.run("envelope.json") { one in
      let place = try Place(one)
      let envelope = try one.bytes("envelope")
      let declared = try payloadType(one.text("declared"))
      let hidesNulls = try one.flag("hidesNulls")
      let expect = try one.text("expect")
      do {
        let payload = try FieldOpener(ring: place.ring).open(
          envelope,
          place.context,
          place.objectID
        )
        try checkBytes(of: one, place, envelope: envelope, payload: payload)
        try payload.withUnsafeBytes {
          let reader = try read(PayloadReader($0), as: declared, hidesNulls: hidesNulls)
          #expect(try Array(reader.value) == valueBytes(of: one, reader.type), one.comment)
          if one.has("padding") { try checkPadding(of: one, reader, payload: payload) }
        }
        #expect(expect == "opens", one.comment)
      } catch let error as CryptoError {
        #expect("\(error.code)" == expect, one.comment)
      }
    }
  }

  /// The same policy makes the same payload.
  private func checkPadding(
    of one: VectorCase,
    _ reader: PayloadReader,
    payload: [UInt8]
  ) throws {
    let writer = PayloadWriter()
    writer.padding = try #require(Padding(rawValue: one.text("padding")))
    let written =
      switch reader.type {
      case .integer: try writer.integer(reader.integer())
      case .real: try writer.real(reader.real())
      case .text: try writer.text(reader.text())
      case .null: try writer.null()
      case .blob: try writer.blob(reader.blob())
      }
    #expect(Array(written) == payload, one.comment)
  }

  private func read(
    _ reader: PayloadReader,
    as declared: PayloadType,
    hidesNulls: Bool
  ) throws -> PayloadReader {
    if reader.isNull, hidesNulls { return reader }
    try reader.expect(declared)
    if declared == .text { _ = try reader.text() }
    return reader
  }

  /// Whatever a case says about an envelope whose tag is right, and the way back.
  private func checkBytes(
    of one: VectorCase,
    _ place: Place,
    envelope: [UInt8],
    payload: [UInt8]
  ) throws {
    let header = try envelope.withUnsafeBytes { try EnvelopeHeader.parse($0) }
    let nonce = try one.bytes("nonce")
    let aad = try one.bytes("aad")
    let key = try place.ring.key(for: header.keyID).secret.array
    #expect(try one.bytes("payload") == payload, one.comment)
    #expect(try one.number("suite") == Int64(header.suite.rawValue))
    #expect(try one.number("keyID") == Int64(header.keyID.rawValue))
    #expect(nonce == Array(envelope[header.nonceRange]))
    #expect(try one.bytes("D") == place.context.digestBytes)
    let data = AssociatedData()
    data.set(suite: header.suite, keyID: header.keyID)
    data.set(place.context, objectID: place.objectID)
    #expect(aad == Array(data.bytes))
    let sealed: [UInt8]
    switch header.suite {
    case .xaes256GCM:
      #expect(try one.bytes("subkey") == subkey(key, Array(nonce.prefix(12))))
      sealed = try payload.withUnsafeBytes {
        try XAES.seal($0, key: SecretBytes(key), nonce: nonce, aad: aad)
      }
    case .aes256GCM:
      // In suite 2 the data key itself is the key of AES-GCM.
      if one.has("subkey") { #expect(try one.bytes("subkey") == key) }
      sealed = try gcmSeal(payload, key: key, nonce: nonce, aad: aad)
    }
    #expect(sealed == Array(envelope[header.nonceRange.upperBound...]), one.comment)
  }
}

/// Where a case's value lies, and the ring that it is opened with.
private struct Place {
  let ring: KeyRing
  let context: FieldContext
  let objectID: ObjectIDBytes

  init(_ one: VectorCase) throws {
    let storeID = try #require(StoreID(one.bytes("storeID")))
    let domain: FieldContext.Domain
    switch try one.text("place") {
    case "field": domain = .entity
    case "dao": domain = .dao
    case let other: throw VectorCase.Malformed(member: other)
    }
    context = try FieldContext(
      storeID: storeID,
      entity: one.text("entity"),
      property: one.text("property"),
      domain: domain
    )
    objectID = try #require(ObjectIDBytes(one.bytes("objectID")))
    let storeKey = try StoreKey.random(storeID: storeID)
    var records: [KeyRecord] = []
    var dataKeys: [KeyID: DataKey] = [:]
    for row in try one.objects("ring") {
      let (record, key) = try Place.key(row, storeKey)
      records.append(record)
      if let key { dataKeys[key.id] = key }
    }
    ring = try KeyRing(storeKey: storeKey, generation: 1, keys: records, dataKeys: dataKeys)
  }

  private static func key(
    _ row: VectorCase,
    _ storeKey: StoreKey
  ) throws -> (KeyRecord, DataKey?) {
    var record = try KeyRecord(
      id: row.number("id"),
      purpose: row.number("purpose"),
      suite: row.number("suite"),
      state: row.number("state"),
      created: 0,
      wrapped: nil,
      check: nil
    )
    let bytes = try row.optionalBytes("key")
    row.finish()
    guard let bytes else { return (record, nil) }
    let key = DataKey(
      id: record.id,
      storeID: storeKey.storeID,
      purpose: record.purpose,
      suite: record.suite,
      secret: try SecretBytes(bytes)
    )
    record = try storeKey.record(of: key, state: record.state, created: 0)
    return (record, key)
  }
}
