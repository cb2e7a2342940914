/// A cipher suite; the first byte of an envelope is its number.
public enum Suite: UInt8, Sendable, CaseIterable {
  /// XAES-256-GCM (C2SP): a 24-byte nonce, and in practice no limit on the seals of one key.
  case xaes256GCM = 1
  /// AES-256-GCM with a random 12-byte nonce: at most 2^32 seals a key, which Nacre counts and enforces.
  case aes256GCM = 2

  /// The number of bytes of a nonce.
  public var nonceByteCount: Int { self == .xaes256GCM ? 24 : 12 }

  /// The maximum number of seals under one key, or nil if there is no limit in practice.
  package var sealLimit: UInt64? { self == .xaes256GCM ? nil : 1 << 32 }
}
