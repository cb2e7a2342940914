#if Tool
import Foundation
import NacreStore

/// Reads one line into secret memory, without a copy elsewhere.
enum SecretLine {
  /// The longest line, which is longer than any passphrase that someone types or stores.
  static let maximumByteCount = 4096

  /// Reads the bytes up to the first line end, or to the end of the input.
  ///
  /// - Parameters:
  ///   - descriptor: a file descriptor that is open for reading.
  ///   - interrupt: a byte that also ends the line, and is then its last byte.
  /// - Returns: the line without its end.
  /// - Throws: `CommandFailure` if reading fails, or if there are `maximumByteCount` bytes without a line end.
  static func read(from descriptor: Int32, until interrupt: UInt8? = nil) throws -> SecretBytes {
    try withUnsafeTemporaryAllocation(byteCount: maximumByteCount, alignment: 1) { buffer in
      defer { SecureMemory.cleanse(buffer) }
      var count = 0
      while true {
        guard count < buffer.count else {
          throw failure("is longer than \(maximumByteCount) bytes")
        }
        // Read one byte at a time, because the bytes after the line are for the next reader of the descriptor.
        let read = Foundation.read(descriptor, buffer.baseAddress.map { $0 + count }, 1)
        if read < 0 && errno == EINTR { continue }
        guard read >= 0 else { throw failure("can't be read: \(String(cString: strerror(errno)))") }
        if read == 0 || buffer[count] == UInt8(ascii: "\n") { break }
        count += 1
        if buffer[count - 1] == interrupt { break }
      }
      return try SecretBytes(copying: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  private static func failure(_ reason: String) -> CommandFailure {
    CommandFailure(.badSecret, "the secret \(reason)")
  }
}
#endif
