// C takes bytes as `uint8_t *`; raw memory is bound to nothing else in this room.

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
