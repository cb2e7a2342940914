/// Memory that is reused for payloads and envelopes, and cleansed.
///
/// Not thread-safe; use one per session. The memory that it lends is valid until the next call of `reserve`.
package final class ScratchBuffer {
  private var memory: UnsafeMutableRawBufferPointer
  /// How many bytes may have been written since they were last cleansed.
  private var touched = 0

  /// Makes an empty buffer, which allocates memory at the first use.
  package init() {
    memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }

  deinit {
    SecureMemory.cleanse(UnsafeMutableRawBufferPointer(rebasing: memory[0..<touched]))
    memory.deallocate()
  }

  /// Lends the first `count` bytes; their former content may be lost.
  ///
  /// - Throws: `lengthTooLarge` for more than Int32.max bytes plus 64 for the envelope.
  @inline(__always)
  package func reserve(_ count: Int) throws(CryptoError) -> UnsafeMutableRawBufferPointer {
    if count > memory.count { try grow(to: count) }
    if count > touched { touched = count }
    return UnsafeMutableRawBufferPointer(start: memory.baseAddress, count: count)
  }

  /// Overwrites with zeros everything that was lent since the last call.
  package func cleanse() {
    SecureMemory.cleanse(UnsafeMutableRawBufferPointer(rebasing: memory[0..<touched]))
    touched = 0
  }

  @inline(never)
  private func grow(to count: Int) throws(CryptoError) {
    guard count <= Int(Int32.max) + 64 else { throw .tooLong(count) }
    cleanse()
    memory.deallocate()
    // Doubling keeps a run of growing values from allocating each time.
    memory = .allocate(byteCount: max(256, max(count, min(count * 2, 1 << 20))), alignment: 16)
  }
}
