#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// C takes bytes as `uint8_t *`; this module binds raw memory to no other type.

extension UnsafeRawPointer {
  /// The same address as C's bytes.
  @inline(__always)
  var octets: UnsafePointer<UInt8> { assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawPointer {
  /// The same address as C's bytes.
  @inline(__always)
  var octets: UnsafeMutablePointer<UInt8> { assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeRawBufferPointer {
  /// The first address as C's bytes; nil for an empty buffer without memory.
  @inline(__always)
  var octets: UnsafePointer<UInt8>? { baseAddress?.octets }
}

extension UnsafeMutableRawBufferPointer {
  /// The first address as C's bytes; nil for an empty buffer without memory.
  @inline(__always)
  var octets: UnsafeMutablePointer<UInt8>? { baseAddress?.octets }
}

extension UnsafeRawBufferPointer {
  /// Whether both hold the same bytes; not in constant time, so never use it for secrets.
  @inline(__always)
  package func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let baseAddress, let start = other.baseAddress else {
      return count == other.count
    }
    return memcmp(baseAddress, start, count) == 0
  }
}
