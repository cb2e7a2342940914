import NacreCrypto
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

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

/// Gives bytes that lie at the very end of readable memory: a read beyond them crashes.
func atEndOfMemory<Result>(
  _ bytes: [UInt8],
  _ body: (UnsafeRawBufferPointer) throws -> Result
) throws -> Result {
  let page = Int(getpagesize())
  let room = (bytes.count / page + 1) * page
  let flags = MAP_PRIVATE | MAP_ANON
  let memory = try #require(mmap(nil, room + page, PROT_READ | PROT_WRITE, flags, -1, 0))
  try #require(memory != MAP_FAILED)
  defer { munmap(memory, room + page) }
  try #require(mprotect(memory + room, page, PROT_NONE) == 0)
  let copy = UnsafeMutableRawBufferPointer(
    start: memory + room - bytes.count,
    count: bytes.count
  )
  copy.copyBytes(from: bytes)
  return try body(UnsafeRawBufferPointer(copy))
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

extension BlindIndex {
  /// The token of a text.
  func token(text: String) throws -> [UInt8] {
    try Array(text.utf8).withUnsafeBytes { try token(.text, $0) }
  }
}

extension ObjectIDBytes {
  /// Makes the words from 16 bytes; nil for any other number of bytes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.init(
      high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
      low: bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    )
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
