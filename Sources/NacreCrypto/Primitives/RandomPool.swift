/// Random bytes drawn 4 KiB at a time and handed out in slices.
///
/// A call of libcrypto's generator costs about a microsecond, a slice of the pool about twenty nanoseconds. The pool
/// overwrites bytes that it has handed out, and after `fork` the child draws again. Not thread-safe; use one per
/// session.
package final class RandomPool {
  private static let byteCount = 4096

  private let memory = UnsafeMutableRawBufferPointer.allocate(
    byteCount: RandomPool.byteCount,
    alignment: 16
  )
  private var used = RandomPool.byteCount
  private let fork = ForkGeneration.shared
  private var generation: UInt64

  /// Makes an empty pool, which draws at the first use.
  package init() {
    _ = SecureMemory.isStarted
    generation = fork.value
  }

  deinit {
    SecureMemory.cleanse(memory)
    memory.deallocate()
  }

  /// Writes 12 random bytes, for example for a nonce.
  @inline(__always)
  func write12(to target: UnsafeMutableRawPointer) throws(CryptoError) {
    guard let slice = try next(12).baseAddress else { return }
    target.storeBytes(of: slice.loadUnaligned(as: UInt64.self), as: UInt64.self)
    target.storeBytes(
      of: slice.loadUnaligned(fromByteOffset: 8, as: UInt32.self),
      toByteOffset: 8,
      as: UInt32.self
    )
    slice.storeBytes(of: 0, as: UInt64.self)
    slice.storeBytes(of: 0, toByteOffset: 8, as: UInt32.self)
  }

  /// Returns 16 random bytes as two words, for example for a UUID.
  ///
  /// - Throws: `randomFailure`.
  package func next16() throws(CryptoError) -> (UInt64, UInt64) {
    guard let slice = try next(16).baseAddress else { return (0, 0) }
    let words = (
      slice.loadUnaligned(as: UInt64.self),
      slice.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    )
    slice.storeBytes(of: 0, as: UInt64.self)
    slice.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self)
    return words
  }

  /// Lends the next `count` bytes, at most a full pool; the caller overwrites them.
  @inline(__always)
  private func next(_ count: Int) throws(CryptoError) -> UnsafeMutableRawBufferPointer {
    if used + count > RandomPool.byteCount || generation != fork.value { try refill() }
    defer { used += count }
    return UnsafeMutableRawBufferPointer(rebasing: memory[used..<used + count])
  }

  @inline(never)
  private func refill() throws(CryptoError) {
    // The pool counts as empty until the draw has succeeded.
    used = RandomPool.byteCount
    generation = fork.value
    try Randomness.fill(memory)
    used = 0
  }
}
