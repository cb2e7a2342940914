internal import COpenSSL

/// libcrypto's secure heap, its cleansing and its constant-time comparison.
package enum SecureMemory {
  /// Starts the secure heap once, before libcrypto is used for anything else.
  ///
  /// Where the system has no room for it, libcrypto's ordinary heap
  /// serves, and everything is cleansed all the same.
  static let isStarted: Bool = nacre_secure_heap_start() == 1

  /// Memory for `count` bytes; nil when there is none.
  static func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
    _ = isStarted
    return nacre_secure_allocate(max(count, 1))
  }

  /// Cleanses and frees what `allocate` gave.
  static func free(_ memory: UnsafeMutableRawPointer, _ count: Int) {
    nacre_secure_free(memory, max(count, 1))
  }

  /// Overwrites with zeros in a way that no optimiser removes.
  package static func cleanse(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return }
    OPENSSL_cleanse(base, bytes.count)
  }

  /// Whether two buffers are equal; takes the same time wherever they differ.
  static func equal(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count else { return false }
    guard let left = one.baseAddress, let right = other.baseAddress else { return true }
    return CRYPTO_memcmp(left, right, one.count) == 0
  }

  /// Whether two arrays are equal; takes the same time wherever they differ.
  static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.withUnsafeBytes { left in other.withUnsafeBytes { right in equal(left, right) } }
  }
}
