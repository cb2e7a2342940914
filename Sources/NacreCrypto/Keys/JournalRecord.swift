/// The fields of a row of the journal of rotations and conversions that its MAC covers: all that decide what is done.
package struct JournalRecord: Sendable, Equatable {
  /// The row's number.
  package var id: Int64
  /// The kind of work.
  package var kind: String
  /// The old and the new value of the work, in the form of the row.
  package var from: String
  package var to: String
  /// The entity and the property that the work changes.
  package var entity: String?
  package var property: String?
  /// The phase that the work has reached.
  package var phase: String
  /// The row after which the work goes on.
  package var cursor: [UInt8]?

  package init(
    id: Int64,
    kind: String,
    from: String,
    to: String,
    entity: String?,
    property: String?,
    phase: String,
    cursor: [UInt8]?
  ) {
    self.id = id
    self.kind = kind
    self.from = from
    self.to = to
    self.entity = entity
    self.property = property
    self.phase = phase
    self.cursor = cursor
  }

  /// The bytes that the MAC covers (Vectors/FORMAT.md).
  ///
  /// - Throws: `lengthTooLarge` if a text has more than 65,535 bytes.
  func macMessage(of storeID: StoreID) throws(CryptoError) -> [UInt8] {
    var message = Array("nacre/journal/1".utf8) + storeID.bytes
    message.append(bigEndian: id)
    for text in [kind, from, to, entity, property, phase] {
      message.append(text == nil ? 0 : 1)
      try message.append(lengthPrefixed: text ?? "")
    }
    message.append(cursor == nil ? 0 : 1)
    guard let length = UInt32(exactly: cursor?.count ?? 0) else {
      throw .tooLong(cursor?.count ?? 0)
    }
    message.append(bigEndian: length)
    return message + (cursor ?? [])
  }
}

extension KeyRing {
  /// The MAC of a row of the journal, 32 bytes; after a rewrap the same row has another MAC.
  ///
  /// - Throws: `lengthTooLarge` if a text has more than 65,535 bytes.
  package func mac(of record: JournalRecord) throws(CryptoError) -> [UInt8] {
    try HMAC(key: storeKey.journalMACKey).authenticate(record.macMessage(of: storeID))
  }

  /// Compares a row of the journal with its MAC, in constant time.
  ///
  /// - Parameters:
  ///   - record: The row.
  ///   - mac: The MAC beside it in the file, or nil if there is none.
  /// - Throws: `ringTampered` if no holder of this ring's store key wrote the row.
  package func verify(_ record: JournalRecord, mac: [UInt8]?) throws(CryptoError) {
    guard let mac, let made = try? self.mac(of: record), SecureMemory.equal(mac, made) else {
      throw .tampered("row \(record.id) of the journal of rotations was altered outside Nacre")
    }
  }
}
