/// The header of a frame (sqlite.org/fileformat2.html, section 4.1).
struct FrameHeader {
  let number: UInt32
  let size: UInt32
  var salts: UInt64
  let checksum: UInt64

  init(_ bytes: UnsafeRawBufferPointer) {
    number = bytes.loadUnaligned(as: UInt32.self).bigEndian
    size = bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self).bigEndian
    salts = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian
    checksum = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self).bigEndian
  }

  /// The 24 bytes, with another checksum.
  func bytes(_ checksum: UInt64) -> (UInt32, UInt32, UInt64, UInt64) {
    (number.bigEndian, size.bigEndian, salts.bigEndian, checksum.bigEndian)
  }
}
