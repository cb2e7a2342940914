/// Seals and opens the pages of a database; a module that knows keys makes it and hands it to a home.
package protocol PageSealer: AnyObject, Sendable {
  /// How many bytes at the end of each page the sealer needs for itself.
  var trailerByteCount: Int { get }
  /// Seals a page in place, with its trailer.
  ///
  /// - Throws: An error if the page must not be written.
  func seal(_ page: UnsafeMutableRawBufferPointer, number: UInt32) throws
  /// Opens a sealed page in place.
  ///
  /// - Throws: An error if the page is not what was sealed under that number; the bytes are of no use then.
  func open(_ page: UnsafeMutableRawBufferPointer, number: UInt32) throws
}
