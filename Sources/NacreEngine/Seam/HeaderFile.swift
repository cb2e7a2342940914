/// The bytes before the first page of a sealed file, which belong to its sealer.
///
/// They are read and written through the engine's own file system: if the process opened the file in
/// another way, closing that descriptor would drop the engine's locks.
package protocol HeaderFile: AnyObject, Sendable {
  /// Fills a buffer with the bytes from an offset on.
  ///
  /// - Returns: Whether they are there.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Bool
  /// Writes bytes at an offset, and waits until they are on the disk.
  ///
  /// - Throws: `HomeError`.
  func write(_ bytes: [UInt8], at offset: Int) throws
  /// Makes the file with these bytes, as a whole or not at all.
  ///
  /// - Returns: Whether it was made; false if there is a file.
  /// - Throws: `HomeError`.
  func create(_ bytes: [UInt8]) throws -> Bool
}
