import NacreCrypto
package import NacreEngine

/// Finds out whether a store's file is sealed, and unlocks its header before SQLite sees a page.
package enum FileUnlocking {
  /// Returns the sealer of a file.
  ///
  /// - Parameters:
  ///   - file: The file's header; the file need not exist.
  ///   - path: The file's path, for messages.
  ///   - unlock: Where the secret comes from.
  ///   - isWanted: Whether the caller wants a sealed file.
  ///   - creates: Whether a missing file is made, if a sealed one is wanted.
  ///   - exists: Whether there is a file.
  /// - Returns: The sealer; nil if the file is not sealed, or is missing and not wanted sealed.
  /// - Throws: `storeLocked` without a secret; `notSealed` for a file that has to be sealed and is not;
  ///   `headerDamaged`, `headerTampered`, `newerFormat`, `wrongSecret`, or an error of the secret's source.
  package static func sealer(
    of file: any HeaderFile,
    path: String,
    unlock: Unlock?,
    isWanted: Bool,
    creates: Bool,
    exists: Bool
  ) throws -> FileSealer? {
    if exists {
      guard isSealed(file) else {
        guard !isWanted else {
          throw NacreError(.notSealed, detail: "\(path) is to be a sealed file")
        }
        return nil
      }
      return try open(file, path, unlock)
    }
    guard isWanted, creates else { return nil }
    let keys = try makeKeys(path, unlock)
    let header = try NacreError.wrapping { try keys.header.encode() }
    // Another process may make the same store at once; then its header is the store's.
    guard try NacreError.wrapping({ try file.create(header + header) }) else {
      return try open(file, path, unlock)
    }
    return FileSealer(keys: keys, unlock: unlock)
  }

  /// Whether a file begins as a sealed one does, or its second copy of the header does.
  package static func isSealed(_ file: any HeaderFile) -> Bool {
    // A plain file may hold anything where the second copy would be.
    if isPlain(file) { return false }
    return FileHeader.hasMagic(bytes(of: file, at: 0))
      || FileHeader.hasMagic(bytes(of: file, at: FileHeader.copyByteCount))
  }

  /// Whether a file begins as a plain SQLite file.
  static func isPlain(_ file: any HeaderFile) -> Bool { bytes(of: file, at: 0) == plainBeginning }

  /// The first 16 bytes of a plain SQLite file (sqlite.org/fileformat2.html, section 1.3.1).
  private static let plainBeginning = Array("SQLite format 3\0".utf8)

  private static func bytes(of file: any HeaderFile, at offset: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16)
    let isThere = bytes.withUnsafeMutableBytes { file.read(at: offset, into: $0) }
    return isThere ? bytes : []
  }

  private static func open(
    _ file: any HeaderFile,
    _ path: String,
    _ unlock: Unlock?
  ) throws -> FileSealer {
    let header = try FileSealer.header(file.read(at:into:))
    let secret = try secret(path, unlock, isNew: false)
    let slot = unlock?.slot
    if let slot, !header.slots.contains(where: { $0.id == slot }) {
      throw NacreError(.noSuchSlot, detail: "slot \(slot)")
    }
    return FileSealer(
      keys: try NacreError.wrapping { try FileKeys.unlock(header, with: secret, slot: slot) },
      unlock: unlock
    )
  }

  private static func makeKeys(_ path: String, _ unlock: Unlock?) throws -> FileKeys {
    let secret = try secret(path, unlock, isNew: true)
    return try NacreError.wrapping {
      try FileKeys.create(
        storeID: .random(),
        pageByteCount: pageByteCount,
        createdAt: CreationTime.now(),
        slot: NewSlot(id: 1, secret: secret)
      )
    }
  }

  private static func secret(_ path: String, _ unlock: Unlock?, isNew: Bool) throws -> SlotSecret {
    guard let unlock else {
      throw NacreError(
        .storeLocked,
        detail: "\(path) is a sealed file, which opens only with its secret"
      )
    }
    return try NacreError.wrapping { try unlock.secret(isNew) }
  }

  /// The size of the pages of new files: SQLite's own usual size.
  private static let pageByteCount = 4096
}

extension Unlock {
  /// The one slot on which the secret is tried, as the header numbers it; nil for all.
  var slot: UInt32? { slotID.map { UInt32(exactly: $0) ?? 0 } }
}
