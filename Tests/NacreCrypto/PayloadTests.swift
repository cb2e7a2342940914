import NacreCrypto
import Testing

@Suite struct PayloadTests {
  private func read<Result>(
    _ payload: [UInt8],
    _ body: (PayloadReader) throws -> Result
  ) throws -> Result {
    try atEndOfMemory(payload) { try body(PayloadReader($0)) }
  }

  @Test func `every type has the bytes of the format`() throws {
    let writer = PayloadWriter()
    #expect(Array(try writer.null()) == [0])
    #expect(Array(try writer.integer(-2)) == [1, 255, 255, 255, 255, 255, 255, 255, 254])
    #expect(Array(try writer.integer(258)) == [1, 0, 0, 0, 0, 0, 0, 1, 2])
    #expect(Array(try writer.real(1)) == [2, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0])
    #expect(Array(try writer.text("é")) == [3, 0xC3, 0xA9])
    let blob: [UInt8] = [9, 0, 255]
    #expect(Array(try blob.withUnsafeBytes { Array(try writer.blob($0)) }) == [4, 9, 0, 255])
    #expect(Array(try writer.text("")) == [3])
  }

  @Test func `padding has the bytes of the format`() throws {
    let writer = PayloadWriter()
    writer.padding = .padme
    let zeros = [UInt8](repeating: 0, count: 27)
    #expect(Array(try writer.null()) == [0x80, 0, 0, 0, 0] + zeros[..<11])
    #expect(Array(try writer.text("abc")) == [0x83, 0, 0, 0, 3, 97, 98, 99] + zeros[..<8])
    #expect(Array(try writer.integer(5)) == [0x81, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0])
    #expect(Array(try writer.real(1)) == [0x82, 0, 0, 0, 8, 0x3F, 0xF0] + zeros[..<9])
    writer.padding = .bucketed
    #expect(Array(try writer.null()) == [0x80, 0, 0, 0, 0] + zeros)
    #expect(Array(try writer.text("abc")) == [0x83, 0, 0, 0, 3, 97, 98, 99] + zeros[..<24])
    writer.padding = .none
    #expect(Array(try writer.text("abc")) == [3, 97, 98, 99])
  }

  @Test(arguments: Padding.allCases)
  func `every type comes back with and without padding`(_ padding: Padding) throws {
    let writer = PayloadWriter()
    writer.padding = padding
    for number in [0, 1, -1, Int64.min, Int64.max] {
      #expect(try read(Array(writer.integer(number))) { try $0.integer() } == number)
    }
    for number in [0, -0.0, 1.5, .infinity, .leastNonzeroMagnitude] {
      #expect(
        try read(Array(writer.real(number))) { try $0.real().bitPattern } == number.bitPattern
      )
    }
    #expect(try read(Array(writer.real(.nan))) { try $0.real().isNaN })
    for text in ["", "x", "Grüße, 東京 🚗", String(repeating: "long ", count: 1000), "a\0b"] {
      #expect(try read(Array(writer.text(text))) { try $0.text() } == text)
    }
    for count in [0, 1, 15, 16, 17, 300] {
      let blob = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      let payload = try blob.withUnsafeBytes { Array(try writer.blob($0)) }
      #expect(try read(payload) { Array(try $0.blob()) } == blob)
      let header = padding == .none ? 1 : 5
      #expect(payload.count == padding.paddedByteCount(header + count))
    }
    #expect(try read(Array(writer.null())) { $0.isNull })
  }

  @Test(
    arguments: [
      [], [5], [0x7F], [0x85], [0, 0], [1], [1, 0, 0, 0, 0, 0, 0, 0],
      [1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      [2, 1], [0x80], [0x83, 0, 0, 0], [0x83, 0, 0, 0, 1], [0x83, 0xFF, 0xFF, 0xFF, 0xFF, 1],
      [0x83, 0, 0, 0, 1, 97, 1], [0x80, 0, 0, 0, 1, 0], [0x81, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0],
      [0x83, 0, 0, 0, 0, 0, 0, 1],
    ] as [[UInt8]]
  )
  func `a malformed payload is refused`(_ payload: [UInt8]) {
    #expect(code { try read(payload) { _ in } } == .malformedPayload)
  }

  @Test func `a text that is not UTF-8 is refused`() {
    #expect(code { _ = try read([3, 0xFF, 0xFE]) { try $0.text() } } == .malformedPayload)
    #expect(code { _ = try read([3, 0xC0, 0x80]) { try $0.text() } } == .malformedPayload)
    // Cut within a scalar: the character that repairs it has as many bytes.
    #expect(code { _ = try read([3, 0xF0, 0x9F, 0x9A]) { try $0.text() } } == .malformedPayload)
  }

  @Test func `asking for another type is an error`() throws {
    let writer = PayloadWriter()
    let integer = Array(try writer.integer(1))
    #expect(code { _ = try read(integer) { try $0.text() } } == .wrongPayloadType)
    #expect(code { _ = try read(integer) { try $0.real() } } == .wrongPayloadType)
    #expect(code { _ = try read(integer) { try $0.blob() } } == .wrongPayloadType)
    #expect(code { _ = try read([0]) { try $0.integer() } } == .wrongPayloadType)
    #expect(code { _ = try read([4, 97]) { try $0.text() } } == .wrongPayloadType)
  }
}
