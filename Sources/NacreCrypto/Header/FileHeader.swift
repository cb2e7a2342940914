/// One copy of a sealed file's header in the form of the file; believe it only after checking its MAC.
///
/// The file begins with two copies. Vectors/FORMAT.md has the bytes.
package struct FileHeader: Sendable, Equatable {
  /// The size of one copy.
  package static let copyByteCount = 32_768
  /// The size of both copies, after which the first page begins.
  package static let byteCount = 2 * copyByteCount
  /// Where a copy holds its sequence number, a big-endian integer of 8 bytes.
  package static let sequenceOffset = 40
  /// The sizes that a page can have: powers of two in this range.
  package static let pageByteCounts = 1_024...65_536
  /// The largest number of slots, and of keys.
  package static let limit = 64

  static let magic: [UInt8] = [0x89] + Array("NACRE\r\n\u{1A}\nfile".utf8) + [0, 0]
  /// The version of the format.
  package static let version: UInt32 = 2
  /// Where the body begins, the MAC, and the digest.
  static let bodyOffset = 52
  static let macOffset = 32_704
  static let digestOffset = 32_736

  /// The store.
  package var storeID: StoreID
  /// The size of a page.
  package var pageByteCount: Int
  /// A number that grows by one with every change, from 1.
  package var sequence: UInt64
  /// The former store key, wrapped under the present one, 72 bytes; nil unless a rewrap is unfinished.
  package var formerStoreKey: [UInt8]?
  /// The slots, by id.
  package var slots: [FileSlot]
  /// The file keys, by id.
  package var keys: [KeyRecord]
  /// HMAC-SHA-256 over all fields, 32 bytes.
  package var mac: [UInt8] = []
}

/// A slot in a sealed file's header; its kind may be one that this version does not know.
package struct FileSlot: Sendable, Equatable {
  static let maximumKindByteCount = 16
  static let maximumParametersByteCount = 256

  /// The slot's number.
  package var id: UInt32
  /// The kind of secret.
  package var kind: String
  /// Empty for a secret; JSON for a passphrase.
  package var parameters: String
  /// The store key under the slot key, 72 bytes.
  package var sealed: [UInt8]

  package init(id: UInt32, kind: String, parameters: String, sealed: [UInt8]) {
    self.id = id
    self.kind = kind
    self.parameters = parameters
    self.sealed = sealed
  }

  /// Makes a slot of a known kind.
  package init(_ slot: SlotRecord) {
    self.init(
      id: slot.id,
      kind: slot.kind.rawValue,
      parameters: slot.parameters,
      sealed: slot.sealed
    )
  }

  /// The slot, or nil if this version does not know its kind.
  package var record: SlotRecord? {
    SlotRecord.Kind(rawValue: kind).map {
      SlotRecord(id: id, kind: $0, parameters: parameters, sealed: sealed)
    }
  }
}

// MARK: - Both copies

extension FileHeader {
  /// Whether bytes begin as a sealed file does.
  ///
  /// - Parameter bytes: At least the first 16 bytes of a file, or of the second copy.
  /// - Returns: Whether the magic is there.
  package static func hasMagic(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

  /// Reads the header that decides from its two copies; nobody has authenticated it yet.
  ///
  /// - Parameters:
  ///   - first: The bytes of the first copy; fewer if the file ends before.
  ///   - second: The bytes of the second copy; fewer if the file ends before.
  /// - Returns: The header of the higher sequence number.
  /// - Throws: `notSealed`, `headerDamaged`, `headerTampered`, `newerFormat`.
  package static func read(_ first: [UInt8], _ second: [UInt8]) throws(CryptoError) -> FileHeader {
    guard hasMagic(first) || hasMagic(second) else {
      throw CryptoError(.notSealed, message: "the file does not begin as a sealed file")
    }
    let copy: [UInt8]
    switch (try sequence(ofWhole: first), try sequence(ofWhole: second)) {
    case (nil, nil):
      throw CryptoError(.headerDamaged, message: "neither copy of the header is whole")
    case (_?, nil): copy = first
    case (nil, _?): copy = second
    case (let one?, let other?):
      guard one != other || first == second else {
        throw .badHeader("its copies differ under one sequence number")
      }
      copy = one < other ? second : first
    }
    return try FileHeader(parsing: copy)
  }

  /// The copy that a writer of the next header overwrites before the other, 0 or 1.
  ///
  /// It is the older or damaged one; if both are alike, it is the second.
  ///
  /// - Parameters:
  ///   - first: The bytes of the first copy; fewer if the file ends before.
  ///   - second: The bytes of the second copy; fewer if the file ends before.
  /// - Returns: The copy's index.
  /// - Throws: `internalFailure`.
  package static func copyToOverwrite(
    _ first: [UInt8],
    _ second: [UInt8]
  ) throws(CryptoError) -> Int {
    guard let one = try sequence(ofWhole: first) else { return 0 }
    guard let other = try sequence(ofWhole: second) else { return 1 }
    return one < other ? 0 : 1
  }

  /// The sequence number of a copy that is whole, or nil; nobody has authenticated it.
  ///
  /// - Parameter copy: The bytes of the copy; fewer if the file ends before.
  /// - Returns: The number; nil if the copy was damaged.
  /// - Throws: `internalFailure`.
  package static func sequence(ofWhole copy: [UInt8]) throws(CryptoError) -> UInt64? {
    guard copy.count == copyByteCount, hasMagic(copy),
      try SHA256.digest(Array(copy[..<digestOffset])).elementsEqual(copy[digestOffset...])
    else { return nil }
    return copy[sequenceOffset..<sequenceOffset + 8].reduce(0) { $0 << 8 | UInt64($1) }
  }
}

// MARK: - Bytes

extension FileHeader {
  /// The copy's 32,768 bytes.
  ///
  /// - Throws: `internalFailure`.
  package func encode() throws(CryptoError) -> [UInt8] {
    let bytes = authenticated() + mac
    return bytes + (try SHA256.digest(bytes))
  }

  /// The bytes that the MAC covers.
  func macMessage() -> [UInt8] { Array("nacre/header/1".utf8) + authenticated() }

  /// Everything before the MAC.
  private func authenticated() -> [UInt8] {
    let body = body()
    var bytes = FileHeader.magic
    bytes.reserveCapacity(FileHeader.copyByteCount)
    bytes.append(bigEndian: FileHeader.version)
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: pageByteCount))
    bytes += storeID.bytes
    bytes.append(bigEndian: sequence)
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: body.count))
    bytes += body
    // The limits keep the body well below this size.
    bytes += [UInt8](repeating: 0, count: max(0, FileHeader.macOffset - bytes.count))
    return bytes
  }

  private func body() -> [UInt8] {
    var body: [UInt8] = formerStoreKey.map { [1] + $0 } ?? [0]
    body.append(bigEndian: UInt16(truncatingIfNeeded: slots.count))
    for slot in slots {
      body.append(bigEndian: slot.id)
      for part in [Array(slot.kind.utf8), Array(slot.parameters.utf8), slot.sealed] {
        body.append(bigEndian: UInt16(truncatingIfNeeded: part.count))
        body += part
      }
    }
    body.append(bigEndian: UInt16(truncatingIfNeeded: keys.count))
    for key in keys {
      body.append(bigEndian: key.id.rawValue)
      body += [key.purpose.rawValue, key.suite.rawValue, key.state.rawValue]
      body.append(bigEndian: key.created)
      body += (key.wrapped ?? []) + (key.check ?? [])
    }
    return body
  }
}

// MARK: - Limits

extension FileHeader {
  /// Throws unless a writer may write the fields.
  ///
  /// - Throws: `headerFull` if there are too many slots or keys, `badParameters` for anything else.
  func checkLimits() throws(CryptoError) {
    guard slots.count <= FileHeader.limit, keys.count <= FileHeader.limit else {
      throw CryptoError(
        .headerFull,
        message: "the header has room for \(FileHeader.limit) slots and \(FileHeader.limit) keys"
      )
    }
    guard isWellFormed else {
      throw CryptoError(.badParameters, message: "the header's fields are not within its limits")
    }
  }

  /// Whether all fields are within the limits of the format.
  var isWellFormed: Bool {
    let isPowerOfTwo = pageByteCount & (pageByteCount - 1) == 0
    guard FileHeader.pageByteCounts.contains(pageByteCount), isPowerOfTwo,
      sequence >= 1, sequence <= UInt64(Int64.max)
    else { return false }
    if let formerStoreKey, formerStoreKey.count != KeyRecord.wrappedByteCount { return false }
    return areSlotsWellFormed && areKeysWellFormed
  }

  private var areSlotsWellFormed: Bool {
    (1...FileHeader.limit).contains(slots.count) && slots.allSatisfy(\.isWellFormed)
      && FileHeader.areAscending(slots.map(\.id))
  }

  private var areKeysWellFormed: Bool {
    (1...FileHeader.limit).contains(keys.count) && keys.allSatisfy(\.isOfFile)
      && FileHeader.areAscending(keys.map(\.id.rawValue))
      && keys.filter { $0.state == .primary }.count == 1
  }

  /// Whether ids are in order, without 0 and repeats.
  private static func areAscending(_ ids: [UInt32]) -> Bool {
    ids.first != 0 && zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }
  }
}

extension FileSlot {
  fileprivate var isWellFormed: Bool {
    kind.utf8.count <= FileSlot.maximumKindByteCount
      && parameters.utf8.count <= FileSlot.maximumParametersByteCount
      && sealed.count == KeyRecord.wrappedByteCount
  }
}

extension KeyRecord {
  fileprivate var isOfFile: Bool {
    purpose == .file && suite == .xaes256GCM && created <= UInt64(Int64.max) && isWellFormed
  }
}

extension CryptoError {
  /// `headerTampered` with what was found.
  static func badHeader(_ finding: String) -> CryptoError {
    CryptoError(.headerTampered, message: "the sealed file's header is not acceptable: \(finding)")
  }
}
