/// Reads the files of one sealed database from outside: where things lie, and no page's content.
///
/// It needs no key. Others read and write meanwhile.
package protocol OutsideReading: Sendable {
  /// The bytes before the first page.
  var header: any HeaderFile { get }
  /// Goes through the pages of the file, and before them through the frames of its log.
  ///
  /// - Parameters:
  ///   - shape: The sizes of header and pages, as the header says them.
  ///   - body: Called with each page that is there as a whole; returns whether to read it again,
  ///     because somebody may be just writing it.
  /// - Returns: What there is beside the pages.
  /// - Throws: `HomeError` if the file can't be opened or read.
  func read(_ shape: PageShape, _ body: (OutsidePage) -> Bool) throws -> FileOutline
}

/// The sizes of a sealed file's parts, in bytes.
package struct PageShape: Sendable, Equatable {
  /// The bytes before the first page.
  package let headerByteCount: Int
  /// The size of a page.
  package let pageByteCount: Int
  /// The bytes at the end of a page that belong to its seal.
  package let trailerByteCount: Int

  /// Makes the sizes of a file.
  package init(headerByteCount: Int, pageByteCount: Int, trailerByteCount: Int) {
    self.headerByteCount = headerByteCount
    self.pageByteCount = pageByteCount
    self.trailerByteCount = trailerByteCount
  }
}

/// A sealed page, as it shows without a key.
package struct OutsidePage {
  /// The page's number, from 1.
  package let number: UInt32
  /// The frame of the log that holds it, from 1; nil for a page of the file.
  package let frame: UInt32?
  /// Whether a frame of the log says that it has the content of this page of the file.
  package let isReplaced: Bool
  /// Whether the page is not read again, whatever is in it.
  package let isLastLook: Bool
  /// The bytes at the page's end that belong to its seal.
  package let trailer: [UInt8]

  /// Describes a page.
  package init(
    number: UInt32,
    frame: UInt32?,
    isReplaced: Bool,
    isLastLook: Bool,
    trailer: [UInt8]
  ) {
    self.isLastLook = isLastLook
    self.number = number
    self.frame = frame
    self.isReplaced = isReplaced
    self.trailer = trailer
  }
}

/// The sizes and headers that a sealed database's files show beside their pages.
package struct FileOutline: Sendable, Equatable {
  /// How many whole pages the file has.
  package var pageCount = 0
  /// How many bytes follow the last whole page.
  package var restByteCount = 0
  /// Whether a frame of the log says that it has the page of which only a part is there.
  package var isRestReplaced = false
  /// The log; nil if there is none, or none with a whole header.
  package var log: LogOutline?
  /// The size of the rollback journal; 0 if there is none.
  package var journalByteCount = 0
  /// The size of the journal of a change of the file's key; 0 if there is none.
  package var rekeyJournalByteCount = 0
  /// Whether a conversion of the file was cut short, and has left its draft.
  package var hasDraft = false

  /// Makes the outline of no file.
  package init() {}
}

/// The header of a log, which nobody has authenticated, and how many frames follow it.
package struct LogOutline: Sendable, Equatable {
  /// The version of the log's format.
  package let version: UInt32
  /// The size of a page.
  package let pageByteCount: Int
  /// The 16 bytes that tell the database's files from another's.
  package let identity: [UInt8]
  /// The two salts, as one big-endian number.
  package let salts: UInt64
  /// How many frames from the first one on have these salts, committed or not.
  package var frameCount = 0

  /// Makes the outline of a log without a frame.
  package init(version: UInt32, pageByteCount: Int, identity: [UInt8], salts: UInt64) {
    self.version = version
    self.pageByteCount = pageByteCount
    self.identity = identity
    self.salts = salts
  }
}
