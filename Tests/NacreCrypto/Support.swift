import NacreCrypto
import Testing

/// Runs a body and gives the code of the error it throws; a body that does not throw is a failure.
func code(
  _ location: SourceLocation = #_sourceLocation,
  of body: () throws -> Void
) -> CryptoError.Code? {
  do {
    try body()
    Issue.record("nothing was thrown", sourceLocation: location)
  } catch let error as CryptoError {
    return error.code
  } catch {
    Issue.record("an unexpected error: \(error)", sourceLocation: location)
  }
  return nil
}

/// The bytes of hex digits.
func bytes(_ hex: String) -> [UInt8] {
  let digits = Array(hex.utf8)
  return stride(from: 0, to: digits.count - 1, by: 2).map { at in
    UInt8(String(decoding: digits[at...at + 1], as: UTF8.self), radix: 16) ?? 0
  }
}

extension SecretBytes {
  convenience init(_ bytes: [UInt8]) throws {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: bytes)
    try self.init(copying: UnsafeRawBufferPointer(memory))
  }

  var array: [UInt8] { withUnsafeBytes { Array($0) } }
}

extension FieldSealer {
  func seal(
    _ payload: [UInt8],
    _ context: FieldContext,
    _ objectID: ObjectIDBytes = .zero
  ) throws -> [UInt8] {
    let count = try envelopeByteCount(payloadByteCount: payload.count)
    let out = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { out.deallocate() }
    let written = try payload.withUnsafeBytes {
      try seal($0, context: context, objectID: objectID, into: out)
    }
    #expect(written == count)
    return Array(out)
  }
}

extension FieldOpener {
  func open(
    _ envelope: [UInt8],
    _ context: FieldContext,
    _ objectID: ObjectIDBytes = .zero
  ) throws -> [UInt8] {
    let out = UnsafeMutableRawBufferPointer.allocate(byteCount: envelope.count, alignment: 1)
    defer { out.deallocate() }
    let count = try envelope.withUnsafeBytes {
      try open($0, context: context, objectID: objectID, into: out)
    }
    return Array(out[0..<count])
  }
}

/// A ring with a sealer, an opener and one property.
struct Bench {
  let ring: KeyRing
  let sealer: FieldSealer
  let opener: FieldOpener
  let vin: FieldContext
  let car = ObjectIDBytes(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)

  init(suite: NacreCrypto.Suite = .xaes256GCM, reserve: SealReservation? = { $1 }) throws {
    ring = try KeyRing.create(storeID: StoreID.random(), createdAt: 1_700_000_000_000, suite: suite)
    sealer = FieldSealer(ring: ring, pool: RandomPool(), reserveSeals: reserve)
    opener = FieldOpener(ring: ring)
    vin = try FieldContext(storeID: ring.storeID, entity: "Car", property: "vin")
  }

  /// The payload of a text.
  static func text(_ text: String) -> [UInt8] { [3] + Array(text.utf8) }
}
