/// A cipher suite, as the first byte of an envelope names it.
public enum Suite: UInt8, Sendable, CaseIterable {
  /// XAES-256-GCM (C2SP): a 24-byte nonce, and no limit in practice to what one key seals.
  case xaes256GCM = 1
  /// AES-256-GCM with a random 12-byte nonce: at most 2^32 seals a key, counted and enforced.
  case aes256GCM = 2

  /// The number of bytes of a nonce.
  public var nonceByteCount: Int { self == .xaes256GCM ? 24 : 12 }

  /// The number of bytes that an envelope has beyond its payload: 45 or 33.
  package var overheadByteCount: Int { 1 + 4 + nonceByteCount + EnvelopeHeader.tagByteCount }

  /// The most seals under one key, nil where there is no limit in practice.
  package var sealLimit: UInt64? { self == .xaes256GCM ? nil : 1 << 32 }
}
