import NacreCrypto
package import NacreEngine

extension FileSealer {
  /// Writes the next header, first over the older copy and then over the other, and reads it back.
  ///
  /// The caller holds the lock of the store's writer, so nobody else writes a header meanwhile. After
  /// a crash between the two copies, the newer one decides.
  ///
  /// A write or sync that failed may have reached the file nevertheless, or only one copy of the header.
  /// The header that decides then says what happened.
  ///
  /// - Parameters:
  ///   - next: Keys that were made from the present ones.
  ///   - file: The file.
  /// - Throws: `headerChangeUnfinished` if the header has changed or may have; `headerTampered` if
  ///   something else is read back, or an error of writing, with the header as it was.
  package func write(_ next: FileKeys, to file: any HeaderFile) throws {
    try follow(file.read(at:into:))
    guard next.sequence == keys.sequence + 1 else {
      throw NacreError(.busy, detail: "somebody else has changed the file's header meanwhile")
    }
    let copy = try NacreError.wrapping { try next.header.encode() }
    announce(next)
    do {
      try FileSealer.write(copy, to: file)
      guard try FileSealer.header(file.read(at:into:)) == next.header else {
        throw FileSealer.notAsWritten
      }
    } catch {
      let found = try? FileSealer.header(file.read(at:into:))
      if let found, found != next.header {
        announce(nil)
        throw error
      }
      if found != nil { try take(next) }
      throw NacreError(.headerChangeUnfinished, cause: error)
    }
    try take(next)
  }

  /// Writes the header that decides over a copy that differs from it.
  ///
  /// A crash between the two copies leaves an older one, which still has what the change has removed.
  /// The caller holds the lock of the store's writer.
  ///
  /// - Throws: `headerTampered` if the header that decides is not that of the keys; an error of writing.
  package func mendCopies(of file: any HeaderFile) throws {
    try follow(file.read(at:into:))
    let copies = FileSealer.copies(of: file)
    guard copies[0] != copies[1] else { return }
    let bytes = try NacreError.wrapping { try keys.header.encode() }
    let stale = try NacreError.wrapping { try FileHeader.copyToOverwrite(copies[0], copies[1]) }
    guard copies[1 - stale] == bytes else {
      throw NacreError(.headerTampered, detail: "its two copies differ, and neither is the newest")
    }
    try NacreError.wrapping { try file.write(bytes, at: stale * FileHeader.copyByteCount) }
  }

  /// Whether the two copies of the header are alike.
  package static func hasEqualCopies(_ file: any HeaderFile) -> Bool {
    let copies = copies(of: file)
    return copies[0] == copies[1]
  }

  /// Writes a header over both copies, first over the older or damaged one.
  static func write(_ copy: [UInt8], to file: any HeaderFile) throws {
    let copies = copies(of: file)
    let first = try NacreError.wrapping { try FileHeader.copyToOverwrite(copies[0], copies[1]) }
    for index in [first, 1 - first] {
      try NacreError.wrapping { try file.write(copy, at: index * FileHeader.copyByteCount) }
    }
  }

  /// Returns the bytes of both copies; none for one that the file does not have as a whole.
  static func copies(of file: any HeaderFile) -> [[UInt8]] {
    (0..<2).map { index in
      var copy = [UInt8](repeating: 0, count: FileHeader.copyByteCount)
      let isThere = copy.withUnsafeMutableBytes {
        file.read(at: index * FileHeader.copyByteCount, into: $0)
      }
      return isThere ? copy : []
    }
  }

  /// The error for a header that something else has changed meanwhile.
  static var notAsWritten: NacreError {
    NacreError(
      .headerTampered,
      detail: "reading back the header did not give what was written"
    )
  }
}
