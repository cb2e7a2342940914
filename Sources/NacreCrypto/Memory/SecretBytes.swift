/// Bytes that must stay secret, such as a key or a passphrase.
///
/// They exist only once, on libcrypto's secure heap, which is locked in memory and kept out of core dumps if the system
/// allows it. They are cleansed when the last reference goes. The class offers no description of the contents, no
/// coding and no `==`.
public final class SecretBytes: @unchecked Sendable {
  // Sendable holds, because only `init` writes the memory and only `deinit` frees it.
  private let memory: UnsafeMutableRawPointer
  /// The number of bytes.
  public let count: Int

  /// Allocates secret memory that a derivation fills in place, so that no copy exists elsewhere.
  init(
    count: Int,
    filledBy body: (UnsafeMutableRawBufferPointer) throws(CryptoError) -> Void
  ) throws(CryptoError) {
    guard let memory = SecureMemory.allocate(count) else {
      throw CryptoError(.internalFailure, message: "no memory for a secret of \(count) bytes")
    }
    self.memory = memory
    self.count = count
    try body(UnsafeMutableRawBufferPointer(start: memory, count: count))
  }

  /// Copies bytes; the caller should then cleanse its own.
  ///
  /// - Parameter bytes: The secret; may be empty.
  /// - Throws: `internalFailure` if memory is exhausted.
  public convenience init(copying bytes: UnsafeRawBufferPointer) throws(CryptoError) {
    try self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
  }

  /// Draws fresh bytes from libcrypto's private generator.
  ///
  /// - Parameter count: the number of bytes.
  /// - Throws: `randomFailure` or `internalFailure`.
  public convenience init(random count: Int) throws(CryptoError) {
    try self.init(count: count, filledBy: Randomness.fillPrivate)
  }

  deinit {
    SecureMemory.free(memory, count)
  }

  /// Calls a closure with the bytes; the pointer must not outlive the call.
  ///
  /// - Parameter body: Reads the bytes.
  /// - Returns: The closure's result.
  /// - Throws: The closure's error.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: memory, count: count))
  }

  /// Whether two secrets are equal, in a time that depends only on their lengths.
  package func matches(_ other: SecretBytes) -> Bool {
    other.withUnsafeBytes { matches($0) }
  }

  /// Whether these bytes equal the secret, in a time that depends only on the lengths.
  package func matches(_ other: UnsafeRawBufferPointer) -> Bool {
    withUnsafeBytes { SecureMemory.equal($0, other) }
  }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Only the length, such as `SecretBytes(32)`.
  public var description: String { "SecretBytes(\(count))" }
  /// Only the length, such as `SecretBytes(32)`.
  public var debugDescription: String { description }
  /// A mirror without children, so that `dump` shows only the length.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
