import CBenchOpenSSL

/// Bare EVP AES-256-GCM under one kept key, in the envelope of Nacre's suite 1.
///
/// The key stands for the subkey that XAES-256-GCM derives from the first half of the nonce: it
/// is prepared once, and so are the two contexts.
final class FloorCipher {
  private static let headerCount = 5
  private static let nonceCount = 24
  private static let tagCount = 16
  private static let prefixCount = headerCount + nonceCount

  private let sealing: OpaquePointer
  private let opening: OpaquePointer
  private var pool = FloorNoncePool()
  // The first 37 of 53 bytes never change: D, suite and key id.
  private let associatedData: [UnsafeMutableRawBufferPointer]
  // Suite, key id, and the nonce's first half, then room for the rest of an envelope.
  private let envelope = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 16)
  private let payload = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 16)

  init(properties: Int) throws {
    guard let cipher = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil),
      let sealing = EVP_CIPHER_CTX_new(), let opening = EVP_CIPHER_CTX_new()
    else { throw FloorError(message: "libcrypto has no AES-256-GCM") }
    self.sealing = sealing
    self.opening = opening
    associatedData = (0..<properties).map { _ in
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 53, alignment: 16)
      RAND_bytes(bytes.baseAddress, 32)
      bytes.storeBytes(of: 1, toByteOffset: 32, as: UInt8.self)
      bytes.storeBytes(of: 7, toByteOffset: 33, as: UInt32.self)
      return bytes
    }
    envelope.storeBytes(of: 1, as: UInt8.self)
    envelope.storeBytes(of: 7, toByteOffset: 1, as: UInt32.self)
    RAND_bytes(envelope.baseAddress?.advanced(by: 5), 12)
    var key = [UInt8](repeating: 0, count: 32)
    RAND_bytes(&key, 32)
    EVP_EncryptInit_ex2(sealing, cipher, key, nil, nil)
    EVP_DecryptInit_ex2(opening, cipher, key, nil, nil)
    EVP_CIPHER_free(cipher)
  }

  deinit {
    EVP_CIPHER_CTX_free(sealing)
    EVP_CIPHER_CTX_free(opening)
    for bytes in associatedData { bytes.deallocate() }
    envelope.deallocate()
    payload.deallocate()
  }

  /// Seals a text and binds the envelope; nil is NULL.
  func bind(
    _ text: String?,
    property: Int,
    of identifier: Identifier,
    to statement: FloorStatement,
    at index: Int32
  ) throws {
    guard var text else { return statement.bind(text, at: index) }
    let count = text.withUTF8 { utf8 in
      // 3 is TEXT. What is longer than the benchmark's texts is cut, and then the checksum tells.
      payload[0] = 3
      let count = min(utf8.count, 400)
      if let start = utf8.baseAddress {
        payload.baseAddress?.advanced(by: 1).copyMemory(from: start, byteCount: count)
      }
      return count + 1
    }
    let total = try seal(count: count, property: property, identifier: identifier)
    statement.bind(UnsafeRawBufferPointer(rebasing: envelope[..<total]), at: index)
  }

  /// Opens the envelope in a column and reads the text in it.
  func string(
    from statement: FloorStatement,
    at index: Int32,
    property: Int,
    of identifier: Identifier
  ) throws -> String? {
    if statement.isNull(at: index) { return nil }
    let stored = statement.bytes(at: index)
    let count = stored.count - FloorCipher.prefixCount - FloorCipher.tagCount
    // One key, one first half of a nonce: whatever else stands there is not ours to open.
    guard count > 0, count <= payload.count, hasOurPrefix(stored) else {
      throw FloorError(message: "not an envelope")
    }
    try open(stored, count: count, property: property, identifier: identifier)
    guard payload[0] == 3 else { throw FloorError(message: "not a text") }
    return String(decoding: payload[1..<count], as: UTF8.self)
  }

  private func hasOurPrefix(_ stored: UnsafeRawBufferPointer) -> Bool {
    let kept = UnsafeRawBufferPointer(envelope)
    return stored.loadUnaligned(as: UInt64.self) == kept.loadUnaligned(as: UInt64.self)
      && stored.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        == kept.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      && stored[16] == kept[16]
  }

  private func seal(count: Int, property: Int, identifier: Identifier) throws -> Int {
    guard let out = envelope.bindMemory(to: UInt8.self).baseAddress else { return 0 }
    pool.fill(out + 17)
    let data = place(identifier, property)
    let plain = UnsafeRawBufferPointer(payload).bindMemory(to: UInt8.self).baseAddress
    let sealed = out + FloorCipher.prefixCount
    var written: Int32 = 0
    guard
      EVP_EncryptInit_ex2(sealing, nil, nil, out + 17, nil) == 1,
      EVP_EncryptUpdate(sealing, nil, &written, data, 53) == 1,
      EVP_EncryptUpdate(sealing, sealed, &written, plain, Int32(count)) == 1,
      EVP_EncryptFinal_ex(sealing, sealed + count, &written) == 1,
      EVP_CIPHER_CTX_ctrl(sealing, EVP_CTRL_AEAD_GET_TAG, 16, sealed + count) == 1
    else { throw FloorError(message: "libcrypto does not seal") }
    return FloorCipher.prefixCount + count + FloorCipher.tagCount
  }

  private func open(
    _ stored: UnsafeRawBufferPointer,
    count: Int,
    property: Int,
    identifier: Identifier
  ) throws {
    guard let start = stored.bindMemory(to: UInt8.self).baseAddress else { return }
    let data = place(identifier, property)
    let plain = payload.bindMemory(to: UInt8.self).baseAddress
    let sealed = start + FloorCipher.prefixCount
    let tag = UnsafeMutableRawPointer(mutating: sealed + count)
    var written: Int32 = 0
    guard
      EVP_DecryptInit_ex2(opening, nil, nil, start + 17, nil) == 1,
      EVP_CIPHER_CTX_ctrl(opening, EVP_CTRL_AEAD_SET_TAG, 16, tag) == 1,
      EVP_DecryptUpdate(opening, nil, &written, data, 53) == 1,
      EVP_DecryptUpdate(opening, plain, &written, sealed, Int32(count)) == 1,
      EVP_DecryptFinal_ex(opening, plain.map { $0 + count }, &written) == 1
    else { throw FloorError(message: "the tag does not match") }
  }

  /// The 53 bytes that bind a value to its place.
  private func place(_ identifier: Identifier, _ property: Int) -> UnsafePointer<UInt8>? {
    let bytes = associatedData[property]
    bytes.storeBytes(of: identifier.high.bigEndian, toByteOffset: 37, as: UInt64.self)
    bytes.storeBytes(of: identifier.low.bigEndian, toByteOffset: 45, as: UInt64.self)
    return UnsafeRawBufferPointer(bytes).bindMemory(to: UInt8.self).baseAddress
  }
}

/// Slices of 12 bytes from a draw of 4,096.
struct FloorNoncePool: ~Copyable {
  private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
  private var used = 4096

  deinit { bytes.deallocate() }

  mutating func fill(_ destination: UnsafeMutablePointer<UInt8>) {
    if used + 12 > bytes.count {
      RAND_bytes(bytes.baseAddress, Int32(bytes.count))
      used = 0
    }
    guard let start = bytes.baseAddress else { return }
    UnsafeMutableRawPointer(destination).copyMemory(from: start + used, byteCount: 12)
    used += 12
  }
}
