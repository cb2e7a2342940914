package import NacreCrypto
package import NacreEngine

/// A header that was saved in a file of its own, on its way back into a store's.
package struct HeaderImport {
  /// The header; nobody has authenticated it.
  package let header: FileHeader
  private let copy: [UInt8]

  /// Reads a header from the file in which it was saved.
  ///
  /// - Throws: `headerDamaged`, `headerTampered`, `notSealed` or `newerFormat`.
  package init(from file: any HeaderFile) throws {
    header = try FileSealer.header(file.read(at:into:))
    copy = try NacreError.wrapping { [header] in try header.encode() }
  }

  /// Unlocks the header.
  ///
  /// - Throws: `wrongSecret`, `headerTampered`, or an error of the secret's source.
  package func sealer(_ unlock: Unlock) throws -> FileSealer {
    try NacreError.wrapping {
      let secret = try unlock.secret(false)
      let keys = try FileKeys.unlock(header, with: secret, slot: unlock.slot)
      return FileSealer(keys: keys, unlock: unlock)
    }
  }

  /// Whether the store's file lacks the header: both of its copies were damaged, or are others.
  ///
  /// - Parameters:
  ///   - file: The store's file.
  ///   - replacesNewer: Whether a newer header that is whole may be replaced.
  /// - Returns: Whether to write the header.
  /// - Throws: `otherStore`; `olderHeader` if the file has a newer one that may not be replaced;
  ///   `headerTampered` if it has another one under the same number; `newerFormat`; `notSealed` for a plain
  ///   SQLite file.
  package func isNeeded(in file: any HeaderFile, replacesNewer: Bool) throws -> Bool {
    let present: FileHeader
    do {
      present = try FileSealer.header(file.read(at:into:))
    } catch let error as NacreError where error.code != .newerFormat {
      guard !FileUnlocking.isPlain(file) else { throw NacreError(.notSealed) }
      return true
    }
    guard present.storeID == header.storeID, present.pageByteCount == header.pageByteCount else {
      throw NacreError(
        .otherStore,
        detail: "the header to import is that of store \(header.storeID), and the file that of "
          + "store \(present.storeID)"
      )
    }
    if header.sequence < present.sequence {
      guard replacesNewer else {
        throw NacreError(
          .olderHeader,
          detail: "it has number \(header.sequence), and that of the store \(present.sequence)"
        )
      }
      return true
    }
    guard header.sequence > present.sequence || header == present else {
      throw NacreError(
        .headerTampered,
        detail: "the header to import differs from that of the store under one number"
      )
    }
    return FileSealer.copies(of: file) != [copy, copy]
  }

  /// Writes both copies, each synced before the next, and reads them back.
  ///
  /// The caller has the file to itself.
  ///
  /// - Throws: `headerTampered` if something else is read back; an error of writing.
  package func write(to file: any HeaderFile) throws {
    try FileSealer.write(copy, to: file)
    guard FileSealer.copies(of: file) == [copy, copy] else { throw FileSealer.notAsWritten }
  }
}
