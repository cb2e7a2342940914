package import NacreCrypto
package import NacreEngine
import Synchronization

/// Seals the pages of one sealed file under the keys of its header, and follows newer headers.
package final class FileSealer: PageSealer {
  package let headerByteCount = FileHeader.byteCount
  package let trailerByteCount = PageCipher.trailerByteCount
  package let pageByteCount: Int
  package let identity: [UInt8]

  /// The keys of the newest header that this process has seen, and those that it is about to write.
  private let state: Mutex<(known: FileKeys, coming: FileKeys?)>
  /// Where the secret comes from that unlocks the header again after a rewrap by another process.
  private let unlock: Unlock?
  /// The header under a new store key that the secret did not unlock, and the error.
  ///
  /// The secret is not asked for at every lock, but it is asked for again when the header changes.
  private let shutOut = Mutex<(header: FileHeader, why: NacreError)?>(nil)

  /// The least sequence number that the pages were last found to ask for.
  private let leastSequence = Mutex<Int64>(.max)

  /// Makes a sealer.
  ///
  /// - Parameters:
  ///   - keys: The unlocked keys of the header in the file, or of a new file's first one.
  ///   - unlock: Where the secret comes from; without it, a header under a new store key is an error.
  package init(keys: FileKeys, unlock: Unlock? = nil) {
    pageByteCount = keys.pageByteCount
    identity = keys.storeID.bytes
    self.unlock = unlock
    state = Mutex((known: keys, coming: nil))
  }

  /// The keys of the newest header that this process has seen.
  package var keys: FileKeys { state.withLock { $0.known } }

  /// Whether the pages were found to ask for an older header than the present one, because the transaction
  /// failed that was to note its number.
  var isUnnoted: Bool { leastSequence.withLock { $0 } < Int64(clamping: keys.sequence) }

  /// Takes note of the least sequence number that the pages ask for.
  func noteFound(leastSequence found: Int64) { leastSequence.withLock { $0 = found } }

  package func sealing() throws -> any PageSealing { FileSealing(of: self) }

  package func temporaryCipher() throws -> any BlockCipher {
    try NacreError.wrapping { try XTSCipher() }
  }

  package func forCopy() throws -> (sealer: any PageSealer, header: [UInt8]) {
    // The ids of file keys are checked against those of the ring when a store is opened; 32 random
    // bits meet one of a few dozen too seldom to read the ring here.
    let present = keys
    return try NacreError.wrapping {
      let keys = try present.forCopy(createdAt: CreationTime.now(), avoiding: [])
      let copy = try keys.header.encode()
      return (FileSealer(keys: keys), copy + copy)
    }
  }

  /// Notes keys whose header this process is about to write.
  ///
  /// A thread that finds the header before the writer calls ``take(_:)`` then has its keys, even if
  /// they are under a new store key.
  ///
  /// - Parameter coming: The keys, or nil if their header was not written after all.
  package func announce(_ coming: FileKeys?) { state.withLock { $0.coming = coming } }

  /// Takes over keys that this process has written, or has unlocked again after a rewrap.
  ///
  /// - Parameter newer: The keys; those of an older header change nothing.
  /// - Throws: `headerTampered` for the keys of another file.
  package func take(_ newer: FileKeys) throws {
    guard newer.storeID.bytes == identity, newer.pageByteCount == pageByteCount else {
      throw NacreError(.headerTampered, detail: "the header belongs to another file")
    }
    state.withLock { state in
      // Threads follow at the same time: never go back to older keys.
      if state.known.sequence < newer.sequence { state.known = newer }
      if let coming = state.coming, coming.sequence <= newer.sequence { state.coming = nil }
    }
  }

  /// Takes over the header of the file if its sequence number differs from the known one.
  ///
  /// If the header is under a new store key, the secret is asked for again, perhaps inside a
  /// transaction, as it is after the rewrap of a file that is not sealed.
  ///
  /// - Parameter read: Fills a buffer with the file's bytes from an offset on; returns whether they
  ///   are there.
  /// - Throws: `wrongSecret` for a header under a new store key that the secret does not unlock, and
  ///   `storeRewrapped` if the sealer was made without a secret; `headerTampered`, also for a header
  ///   that is older than one already seen; `headerDamaged`, `notSealed` or `newerFormat`.
  package func follow(
    _ read: (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool
  ) throws {
    let (known, coming) = state.withLock { $0 }
    let isKnown = FileSealer.copyOffsets.allSatisfy { offset in
      var sequence: UInt64 = 0
      let isThere = withUnsafeMutableBytes(of: &sequence) {
        read(offset + FileHeader.sequenceOffset, $0)
      }
      return isThere && UInt64(bigEndian: sequence) == known.sequence
    }
    if isKnown { return }
    try NacreError.wrapping {
      let header = try FileSealer.header(read)
      if let coming, coming.header == header { return try take(coming) }
      // Another thread may have followed meanwhile; what counts is what was known before the read.
      let isOurs = try header.sequence <= known.sequence || known.hasMade(header)
      try take(isOurs ? known.reloading(header) : unlockAgain(header, after: known))
    }
  }

  /// Unlocks a header that was made under a new store key.
  private func unlockAgain(_ header: FileHeader, after known: FileKeys) throws -> FileKeys {
    guard let unlock else { throw NacreError(.storeRewrapped) }
    if let shutOut = shutOut.withLock({ $0 }), shutOut.header == header { throw shutOut.why }
    let secret = try unlock.secret(false)
    do throws(CryptoError) {
      return try known.reloading(header, with: secret, slot: unlock.slot)
    } catch {
      guard error.code == .wrongSecret else { throw NacreError.wrap(error) }
      let why = NacreError(
        .wrongSecret,
        detail: "the store was rewrapped and this secret was not kept",
        cause: error
      )
      shutOut.withLock { $0 = (header, why) }
      throw why
    }
  }

  /// Reads the header that decides; only its slots may be used before it is unlocked.
  ///
  /// - Parameter read: Fills a buffer with the file's bytes from an offset on; returns whether they
  ///   are there.
  /// - Returns: The header.
  /// - Throws: `headerDamaged`, `headerTampered`, `notSealed` or `newerFormat`.
  package static func header(
    _ read: (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool
  ) throws -> FileHeader {
    var attempt = 1
    while true {
      let copies = copyOffsets.map { offset in
        var copy = [UInt8](repeating: 0, count: FileHeader.copyByteCount)
        return copy.withUnsafeMutableBytes { read(offset, $0) } ? copy : []
      }
      do throws(CryptoError) {
        return try FileHeader.read(copies[0], copies[1])
      } catch {
        // Between two reads a writer may have gone from one copy to the other.
        guard error.code == .headerDamaged, attempt < 3 else { throw NacreError.wrap(error) }
        attempt += 1
      }
    }
  }

  private static let copyOffsets = [0, FileHeader.copyByteCount]
}

extension XTSCipher: BlockCipher {}
