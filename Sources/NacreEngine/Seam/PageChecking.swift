/// Opens every page of one database whose pages are sealed, and each committed frame of its log.
///
/// It reads below the engine, so that it also meets pages that no table reaches. Others read and write
/// meanwhile. Only one thread uses it at a time.
package protocol PageChecking: AnyObject {
  /// Looks at the frames that the log has got since the last batch, and then at the next pages.
  ///
  /// - Parameter first: The number of the first page to look at, from 1.
  /// - Returns: What was found; pages that do not open are among it, and no error.
  /// - Throws: An `EngineError` if the log is another store's, or of a later version.
  func check(from first: UInt32) throws -> PageFindings
  /// Ends the connection.
  func close() throws
}

/// The findings of one batch of pages.
package struct PageFindings: Sendable, Equatable {
  /// The number of the page after the last one; nil if that was the last one of file and database.
  package var next: UInt32?
  /// How many pages there are.
  package var pageCount = 0
  /// How many pages of the file were read.
  package var pagesRead = 0
  /// How many committed frames of the log were read.
  package var framesRead = 0
  /// The pages and frames that do not open.
  package var faults: [PageFault] = []

  /// Makes the findings of no page.
  package init() {}
}

/// A page that does not open, of the database's file or in a frame of its log.
package struct PageFault: Sendable, Hashable {
  /// Why a page does not open.
  package enum Kind: Sendable {
    /// It is not what was sealed for that place.
    case notAuthentic
    /// It names a key that the header does not have, or that opens no longer.
    case unknownKey
    /// The file does not have it, or not all of it.
    case missing
    /// The system can't read it.
    case unreadable
  }

  /// The page's number, from 1; for a frame, the number that its header says.
  package let number: UInt32
  /// The frame's number, from 1; nil for a page of the file.
  package let frame: UInt32?
  /// Why it does not open.
  package let kind: Kind

  /// Describes a page of the file, or of a frame.
  package init(number: UInt32, frame: UInt32? = nil, kind: Kind) {
    self.number = number
    self.frame = frame
    self.kind = kind
  }
}
