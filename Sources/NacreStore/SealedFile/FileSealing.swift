import NacreCrypto
import NacreEngine

/// Seals and opens the pages of one open file under the newest keys of its sealer.
final class FileSealing: PageSealing {
  private let sealer: FileSealer
  private let cipher: PageCipher

  init(of sealer: FileSealer) {
    self.sealer = sealer
    cipher = PageCipher(keys: sealer.keys)
  }

  func beginLock() {
    // Both keys are of the sealer's one file, so the cipher takes them.
    try? cipher.adopt(sealer.keys)
    cipher.beginLock()
  }

  func seal(
    _ page: UnsafeRawBufferPointer,
    number: UInt32,
    at place: PageLocation,
    checksum: UInt64,
    into sealed: UnsafeMutableRawBufferPointer
  ) throws {
    do throws(CryptoError) {
      try cipher.seal(page, number: number, at: place.sealed, checksum: checksum, into: sealed)
    } catch {
      throw NacreError.wrap(error)
    }
  }

  func isCurrent(_ sealed: UnsafeRawBufferPointer) -> Bool {
    cipher.isUnderPrimary(sealed)
  }

  func open(
    _ sealed: UnsafeRawBufferPointer,
    number: UInt32,
    at place: PageLocation,
    into page: UnsafeMutableRawBufferPointer
  ) throws -> PageOpening {
    try opening { () throws(CryptoError) in
      try cipher.open(sealed, number: number, at: place.sealed, into: page)
    }
  }

  func mark(_ kind: PageMark, _ bytes: [UInt8]) throws -> [UInt8] {
    try NacreError.wrapping { try cipher.mark(kind.header, bytes) }
  }

  func check(_ kind: PageMark, _ bytes: [UInt8], _ mark: [UInt8]) throws -> PageOpening {
    try opening { () throws(CryptoError) in
      try cipher.check(kind.header, bytes, mark: mark)
      return 0
    }
  }

  /// Tries to open, and once more if the sealer has newer keys and the key is not among these.
  private func opening(_ body: () throws(CryptoError) -> UInt64) throws -> PageOpening {
    while true {
      do throws(CryptoError) {
        return .opened(checksum: try body())
      } catch {
        switch error.code {
        case .authenticationFailed: return .notAuthentic
        case .unknownKey, .disabledKey, .destroyedKey:
          let newest = sealer.keys
          if newest === cipher.keys { return .unknownKey }
          try NacreError.wrapping { try cipher.adopt(newest) }
        default: throw NacreError.wrap(error)
        }
      }
    }
  }
}

extension PageLocation {
  /// The same place as the cipher knows it.
  @inline(__always)
  fileprivate var sealed: SealedPlace {
    switch self {
    case .file: .file
    case .log(let salts, let frame, let size): .log(salts: salts, frame: frame, size: size)
    case .journal(let high, let low, let offset): .journal(high: high, low: low, offset: offset)
    }
  }
}

extension PageMark {
  fileprivate var header: MarkedHeader {
    switch self {
    case .log: .log
    case .journal: .journal
    case .rekey: .rekey
    }
  }
}
