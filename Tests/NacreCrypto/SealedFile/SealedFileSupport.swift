import Testing

@testable import NacreCrypto

extension PageCipher {
  /// Seals a page, whose last 64 bytes are ignored.
  func seal(
    _ page: [UInt8],
    _ number: UInt32 = 1,
    _ place: SealedPlace = .file,
    checksum: UInt64 = 0
  ) throws -> [UInt8] {
    var sealed = [UInt8](repeating: 0xEE, count: page.count)
    try page.withUnsafeBytes { page in
      try sealed.withUnsafeMutableBytes {
        try seal(page, number: number, at: place, checksum: checksum, into: $0)
      }
    }
    return sealed
  }

  /// Opens a page; what does not open must leave zeros.
  func open(
    _ sealed: [UInt8],
    _ number: UInt32 = 1,
    _ place: SealedPlace = .file
  ) throws -> (page: [UInt8], checksum: UInt64) {
    var page = [UInt8](repeating: 0xEE, count: sealed.count)
    do {
      let checksum = try sealed.withUnsafeBytes { sealed in
        try page.withUnsafeMutableBytes { try open(sealed, number: number, at: place, into: $0) }
      }
      return (page, checksum)
    } catch {
      #expect(page.allSatisfy { $0 == 0 })
      throw error
    }
  }
}

/// A sealed file's keys with a secret.
struct FileBench {
  let secret: SlotSecret
  let keys: FileKeys

  init(pageByteCount: Int = 1_024) throws {
    secret = .raw(try SecretBytes(random: 32))
    keys = try FileKeys.create(
      storeID: StoreID.random(),
      pageByteCount: pageByteCount,
      createdAt: 1_700_000_000_000,
      slot: NewSlot(id: 1, secret: secret)
    )
  }

  /// A page of random bytes, with zeros at its end as SQLite has them.
  func page() throws -> [UInt8] {
    let body = try SecretBytes(random: keys.pageByteCount - PageCipher.trailerByteCount).array
    return body + [UInt8](repeating: 0, count: PageCipher.trailerByteCount)
  }

  /// The keys as another process reads them from the file.
  func stored(_ keys: FileKeys) throws -> FileKeys {
    let copy = try keys.header.encode()
    return try FileKeys.unlock(FileHeader.read(copy, copy), with: secret)
  }
}

/// A copy whose digest was made again, as whoever changes a copy would do.
func redigested(_ copy: [UInt8]) throws -> [UInt8] {
  let bytes = Array(copy[..<FileHeader.digestOffset])
  return bytes + (try SHA256.digest(bytes))
}
