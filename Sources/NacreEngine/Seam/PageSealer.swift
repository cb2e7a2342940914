/// Seals the pages of one database; a module that knows keys makes it and hands it to a home.
///
/// Any number of threads use it at once. Each open file seals by a ``PageSealing`` of its own.
package protocol PageSealer: AnyObject, Sendable {
  /// How many bytes of the database's file stand before the first page, and belong to the sealer.
  var headerByteCount: Int { get }
  /// The size of a page, from 1,024 to 65,536 bytes.
  var pageByteCount: Int { get }
  /// How many bytes at the end of each page the sealer needs for itself.
  var trailerByteCount: Int { get }
  /// The 16 bytes that tell the database's files from another's.
  var identity: [UInt8] { get }

  /// Makes what one open file needs to seal and open pages.
  ///
  /// - Throws: An error if memory or the keys are missing.
  func sealing() throws -> any PageSealing
  /// Makes the cipher of one temporary file, under a key that is drawn for it alone.
  ///
  /// - Throws: An error if no key can be drawn.
  func temporaryCipher() throws -> any BlockCipher
  /// Makes the sealer of a copy of the database, under keys of its own, and the copy's header.
  ///
  /// - Throws: An error if no keys can be drawn.
  func forCopy() throws -> (sealer: any PageSealer, header: [UInt8])
  /// Takes over the header of the file if it has changed, so that nobody seals under a former key.
  ///
  /// - Parameter read: Fills a buffer with the bytes of the header from an offset on, through the
  ///   engine's own descriptor; returns whether they are there.
  /// - Throws: An error if the header is not what its keys' holder wrote.
  func follow(_ read: (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool) throws
}

/// Seals and opens the pages of one open file; only one thread uses it at a time.
package protocol PageSealing: AnyObject {
  /// Draws what the next seals share; called for each lock under which pages are written.
  func beginLock()
  /// Seals a page.
  ///
  /// - Parameters:
  ///   - page: The whole page as SQLite has it; its last `trailerByteCount` bytes are not read.
  ///   - number: The page's number, from 1.
  ///   - place: Where the page will lie.
  ///   - checksum: Eight bytes that are sealed with it.
  ///   - sealed: Receives as many bytes as the page has; may be the same memory as `page`.
  /// - Throws: An error if the page must not be written.
  func seal(
    _ page: UnsafeRawBufferPointer,
    number: UInt32,
    at place: PageLocation,
    checksum: UInt64,
    into sealed: UnsafeMutableRawBufferPointer
  ) throws
  /// Whether a sealed page names the key under which pages are sealed now; that it opens is not said.
  func isCurrent(_ sealed: UnsafeRawBufferPointer) -> Bool
  /// Opens a sealed page.
  ///
  /// - Parameters:
  ///   - sealed: The page as it lies in the file.
  ///   - number: The number under which it was sealed.
  ///   - place: Where it lies.
  ///   - page: Receives as many bytes, the trailer's as zeros; all are zero unless the page opens. It may be the
  ///     same memory as `sealed`.
  /// - Returns: What became of it.
  /// - Throws: An error of the cipher itself.
  func open(
    _ sealed: UnsafeRawBufferPointer,
    number: UInt32,
    at place: PageLocation,
    into page: UnsafeMutableRawBufferPointer
  ) throws -> PageOpening
  /// Authenticates the header of a log or journal.
  ///
  /// - Parameters:
  ///   - kind: Which header it is.
  ///   - bytes: All that the mark covers.
  /// - Returns: The mark, ``PageMark/byteCount`` bytes.
  /// - Throws: An error if the header must not be written.
  func mark(_ kind: PageMark, _ bytes: [UInt8]) throws -> [UInt8]
  /// Checks the mark of a header; `checksum` of the result means nothing.
  ///
  /// - Throws: An error of the cipher itself.
  func check(_ kind: PageMark, _ bytes: [UInt8], _ mark: [UInt8]) throws -> PageOpening
}

/// Where a sealed page lies, to which it is bound.
package enum PageLocation: Sendable, Equatable {
  /// In the database's file.
  case file
  /// In a frame of the write-ahead log.
  ///
  /// - Parameters:
  ///   - salts: The two salts of the log's header, as one big-endian number.
  ///   - frame: The frame's number, from 1.
  ///   - size: The database's size in pages that the frame commits; 0 if it commits nothing.
  case log(salts: UInt64, frame: UInt32, size: UInt32)
  /// In a record of the rollback journal.
  ///
  /// - Parameters:
  ///   - high: The first 8 bytes of the journal's id, as a big-endian number.
  ///   - low: The last 8 bytes.
  ///   - offset: Where the record begins in the file.
  case journal(high: UInt64, low: UInt64, offset: UInt64)
}

/// The outcome of opening a page, or of checking a mark.
package enum PageOpening: Sendable, Equatable {
  /// It is authentic; with the eight bytes that were sealed with it.
  case opened(checksum: UInt64)
  /// It is not what was sealed for that place.
  case notAuthentic
  /// It names a key that the header does not have, or that opens no longer.
  case unknownKey
}

/// The header that a mark authenticates.
package enum PageMark: Sendable {
  /// The header of a write-ahead log.
  case log
  /// The header of a rollback journal.
  case journal
  /// The header of a rekey's journal, and its pages.
  case rekey

  /// The size of a mark: tag, nonce and key id.
  package static let byteCount = 16 + 24 + 4
}

/// Encrypts the blocks of one temporary file; only one thread uses it at a time.
package protocol BlockCipher: AnyObject {
  /// The size of a block in bytes.
  var blockByteCount: Int { get }
  /// Encrypts a block in place.
  ///
  /// - Throws: An error of the cipher.
  func encrypt(_ block: UnsafeMutableRawBufferPointer, number: UInt64) throws
  /// Decrypts a block in place.
  ///
  /// - Throws: An error of the cipher.
  func decrypt(_ block: UnsafeMutableRawBufferPointer, number: UInt64) throws
}
