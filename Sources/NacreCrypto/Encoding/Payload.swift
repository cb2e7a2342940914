/// The type byte of a payload, without the padding bit.
package enum PayloadType: UInt8, Sendable, CaseIterable {
  case null = 0
  case integer = 1
  case real = 2
  case text = 3
  case blob = 4

  /// If bit 7 is set, `length u32 ‖ value ‖ zeros` follows.
  static let paddingBit: UInt8 = 0x80
}

/// Encodes values as `type u8 ‖ value` into memory that it reuses.
///
/// The result of a call is valid until the next call. Not thread-safe; use one per session.
package final class PayloadWriter {
  private let scratch = ScratchBuffer()

  /// How the next payloads hide their length; one writer serves properties with different policies.
  // Computed, because another module's access to a stored property is checked for exclusivity, at every value.
  package var padding: Padding {
    get { chosenPadding }
    set { chosenPadding = newValue }
  }
  private var chosenPadding = Padding.none

  package init() {}

  /// Overwrites the encoded bytes with zeros; `deinit` does so too.
  package func cleanse() { scratch.cleanse() }

  /// Encodes NULL, used only if the property hides which values are nil.
  package func null() throws(CryptoError) -> UnsafeRawBufferPointer {
    try value(.null, UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// Encodes an integer as 8 bytes big-endian.
  package func integer(_ value: Int64) throws(CryptoError) -> UnsafeRawBufferPointer {
    try word(.integer, UInt64(bitPattern: value))
  }

  /// Encodes a floating-point number as 8 bytes of IEEE 754 big-endian.
  package func real(_ value: Double) throws(CryptoError) -> UnsafeRawBufferPointer {
    try word(.real, value.bitPattern)
  }

  /// Encodes a text and copies its UTF-8 once.
  ///
  /// - Throws: `lengthTooLarge`.
  package func text(_ text: String) throws(CryptoError) -> UnsafeRawBufferPointer {
    var text = text
    let scratch = scratch
    let padding = chosenPadding
    // The closure of `withUTF8` cannot throw a typed error.
    let result = text.withUTF8 { utf8 -> Result<UnsafeRawBufferPointer, CryptoError> in
      PayloadWriter.encode(.text, UnsafeRawBufferPointer(utf8), padding, scratch)
    }
    return try result.get()
  }

  /// Encodes a blob.
  ///
  /// - Throws: `lengthTooLarge`.
  package func blob(_ bytes: UnsafeRawBufferPointer) throws(CryptoError) -> UnsafeRawBufferPointer {
    try value(.blob, bytes)
  }

  /// Encodes a value that is bytes already: text, a blob, or no bytes for NULL.
  ///
  /// - Throws: `lengthTooLarge`.
  package func value(
    _ type: PayloadType,
    _ bytes: UnsafeRawBufferPointer
  ) throws(CryptoError) -> UnsafeRawBufferPointer {
    try PayloadWriter.encode(type, bytes, padding, scratch).get()
  }

  private func word(
    _ type: PayloadType,
    _ word: UInt64
  ) throws(CryptoError) -> UnsafeRawBufferPointer {
    if padding == .none {
      let out = try scratch.reserve(9)
      guard let base = out.baseAddress else { return UnsafeRawBufferPointer(out) }
      base.storeBytes(of: type.rawValue, as: UInt8.self)
      base.store(bigEndian: word, at: 1)
      return UnsafeRawBufferPointer(out)
    }
    return try withUnsafeBytes(of: word.bigEndian) {
      PayloadWriter.encode(type, $0, padding, scratch)
    }.get()
  }

  private static func encode(
    _ type: PayloadType,
    _ value: UnsafeRawBufferPointer,
    _ padding: Padding,
    _ scratch: ScratchBuffer
  ) -> Result<UnsafeRawBufferPointer, CryptoError> {
    // This check precedes the arithmetic, so that nothing overflows.
    guard value.count <= Int(Int32.max) - 1 else { return .failure(.tooLong(value.count)) }
    // `!=` would compare the raw values, which are strings.
    let isPadded = !(padding == .none)
    let start = isPadded ? 5 : 1
    let count = padding.paddedByteCount(start + value.count)
    guard count <= Int(Int32.max) else { return .failure(.tooLong(count)) }
    let out: UnsafeMutableRawBufferPointer
    do { out = try scratch.reserve(count) } catch { return .failure(error) }
    out[0] = type.rawValue | (isPadded ? PayloadType.paddingBit : 0)
    if isPadded {
      out.baseAddress?.store(bigEndian: UInt32(value.count), at: 1)
    }
    UnsafeMutableRawBufferPointer(rebasing: out[start..<start + value.count])
      .copyMemory(from: value)
    if start + value.count < count {
      UnsafeMutableRawBufferPointer(rebasing: out[(start + value.count)...])
        .initializeMemory(as: UInt8.self, repeating: 0)
    }
    return .success(UnsafeRawBufferPointer(out))
  }
}

/// Reads a payload in place: its type, and the bytes of its value.
package struct PayloadReader {
  /// The type.
  package let type: PayloadType
  /// The value's bytes, a slice of the payload.
  package let value: UnsafeRawBufferPointer

  /// Reads a payload and rejects any deviation from the format.
  ///
  /// - Throws: `malformedPayload` for an unknown type, a wrong length or padding bytes other than zero.
  package init(_ payload: UnsafeRawBufferPointer) throws(CryptoError) {
    guard let start = payload.baseAddress, payload.count >= 1 else { throw Self.malformed }
    let isPadded = payload[0] & PayloadType.paddingBit != 0
    guard let type = PayloadType(rawValue: payload[0] & ~PayloadType.paddingBit) else {
      throw Self.malformed
    }
    if isPadded {
      guard payload.count >= 5 else { throw Self.malformed }
      let count = Int(start.bigEndian32(at: 1))
      guard count <= payload.count - 5 else { throw Self.malformed }
      guard payload[(5 + count)...].allSatisfy({ $0 == 0 }) else { throw Self.malformed }
      value = UnsafeRawBufferPointer(start: start + 5, count: count)
    } else {
      value = UnsafeRawBufferPointer(start: start + 1, count: payload.count - 1)
    }
    self.type = type
    switch type {
    case .null: guard value.isEmpty else { throw Self.malformed }
    case .integer, .real: guard value.count == 8 else { throw Self.malformed }
    case .text, .blob: break
    }
  }

  /// Whether the value is NULL.
  package var isNull: Bool { type == .null }

  /// The integer.
  ///
  /// - Throws: `wrongPayloadType`.
  package func integer() throws(CryptoError) -> Int64 {
    Int64(bitPattern: try word(.integer))
  }

  /// The floating-point number.
  ///
  /// - Throws: `wrongPayloadType`.
  package func real() throws(CryptoError) -> Double {
    Double(bitPattern: try word(.real))
  }

  /// The text.
  ///
  /// - Throws: `wrongPayloadType`, or `malformedPayload` if the bytes are not UTF-8.
  package func text() throws(CryptoError) -> String {
    try expect(.text)
    // Decoding repairs invalid UTF-8 and so changes it. Decoding and comparing is faster than a validating initialiser.
    var text = String(decoding: value, as: UTF8.self)
    let isUnchanged = text.withUTF8 { UnsafeRawBufferPointer($0).isSame(as: value) }
    guard isUnchanged else { throw Self.malformed }
    return text
  }

  /// The bytes of a blob.
  ///
  /// - Throws: `wrongPayloadType`.
  package func blob() throws(CryptoError) -> UnsafeRawBufferPointer {
    try expect(.blob)
    return value
  }

  /// Checks the type.
  ///
  /// - Throws: `wrongPayloadType`.
  package func expect(_ expected: PayloadType) throws(CryptoError) {
    if type != expected {
      throw CryptoError(
        .wrongPayloadType,
        message: "the sealed value is of type \(type), not \(expected)"
      )
    }
  }

  private func word(_ expected: PayloadType) throws(CryptoError) -> UInt64 {
    try expect(expected)
    return value.baseAddress?.bigEndian64(at: 0) ?? 0
  }

  private static var malformed: CryptoError {
    CryptoError(
      .malformedPayload,
      message: "the value was opened, but it is not a payload of this format"
    )
  }
}
