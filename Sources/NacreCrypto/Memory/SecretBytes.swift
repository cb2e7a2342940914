/// Bytes that nobody may see: a key, a passphrase.
///
/// They live once, on libcrypto's secure heap (locked in memory and kept out of core dumps where
/// the system allows), and are cleansed when the last reference goes. There is no description of
/// the contents, no coding and no `==`.
public final class SecretBytes: @unchecked Sendable {
  // Sendable because the memory is written in `init` only and freed in `deinit` only.
  private let memory: UnsafeMutableRawPointer
  /// The number of bytes.
  public let count: Int

  /// Uninitialised memory for `filling`.
  private init(uninitialized count: Int) throws(CryptoError) {
    guard let memory = SecureMemory.allocate(count) else {
      throw CryptoError(.internalFailure, message: "no memory for a secret of \(count) bytes")
    }
    self.memory = memory
    self.count = count
  }

  /// Copies bytes, which the caller should then cleanse.
  ///
  /// - Parameter bytes: the secret; may be empty.
  /// - Throws: `internalFailure` when memory is exhausted.
  public convenience init(copying bytes: UnsafeRawBufferPointer) throws(CryptoError) {
    try self.init(uninitialized: bytes.count)
    UnsafeMutableRawBufferPointer(start: memory, count: count).copyMemory(from: bytes)
  }

  /// Draws fresh bytes from libcrypto's private generator.
  ///
  /// - Parameter count: the number of bytes.
  /// - Throws: `randomFailure` or `internalFailure`.
  public convenience init(random count: Int) throws(CryptoError) {
    try self.init(uninitialized: count)
    let buffer = UnsafeMutableRawBufferPointer(start: memory, count: count)
    try Randomness.fillPrivate(buffer)
  }

  /// Secret memory that a derivation fills in place, so that no copy lies elsewhere.
  convenience init(
    count: Int,
    filledBy body: (UnsafeMutableRawBufferPointer) throws(CryptoError) -> Void
  ) throws(CryptoError) {
    try self.init(uninitialized: count)
    try body(UnsafeMutableRawBufferPointer(start: memory, count: count))
  }

  deinit {
    SecureMemory.free(memory, count)
  }

  /// Gives the bytes for the duration of a call; the pointer must not outlive it.
  ///
  /// - Parameter body: what reads the bytes.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: memory, count: count))
  }

  /// Whether two secrets are the same, in a time that depends on their lengths only.
  package func matches(_ other: SecretBytes) -> Bool {
    other.withUnsafeBytes { matches($0) }
  }

  /// Whether these bytes are the secret, in a time that depends on the lengths only.
  package func matches(_ other: UnsafeRawBufferPointer) -> Bool {
    withUnsafeBytes { SecureMemory.equal($0, other) }
  }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The length alone, as `SecretBytes(32)`.
  public var description: String { "SecretBytes(\(count))" }
  /// The length alone, as `SecretBytes(32)`.
  public var debugDescription: String { description }
  /// A mirror without children, so that `dump` shows the length alone.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
