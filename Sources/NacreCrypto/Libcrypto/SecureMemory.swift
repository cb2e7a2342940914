internal import COpenSSL

/// libcrypto's secure heap, its cleansing and its constant-time comparison.
package enum SecureMemory {
  /// Starts the secure heap once, before libcrypto is used for anything else.
  ///
  /// If the system has no room for it, libcrypto's ordinary heap serves instead, and everything is still cleansed.
  static let isStarted: Bool = nacre_secure_heap_start() == 1

  /// Allocates `count` bytes; nil if there is no memory.
  static func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
    _ = isStarted
    return nacre_secure_allocate(max(count, 1))
  }

  /// Cleanses and frees memory from `allocate`.
  static func free(_ memory: UnsafeMutableRawPointer, _ count: Int) {
    nacre_secure_free(memory, max(count, 1))
  }

  /// Overwrites with zeros in a way that no optimiser removes.
  package static func cleanse(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return }
    OPENSSL_cleanse(base, bytes.count)
  }

  /// Whether two buffers are equal, in a time that does not depend on where they differ.
  static func equal(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count else { return false }
    guard let left = one.baseAddress, let right = other.baseAddress else { return true }
    return CRYPTO_memcmp(left, right, one.count) == 0
  }

  /// Whether two arrays are equal, in a time that does not depend on where they differ.
  static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.withUnsafeBytes { left in other.withUnsafeBytes { right in equal(left, right) } }
  }
}
