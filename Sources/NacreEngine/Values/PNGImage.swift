public import Foundation

/// An image as the bytes of a PNG file, stored as a BLOB: the same on every platform.
///
/// Nacre checks only the header; the rest of the file is not decoded until somebody draws the image.
public struct PNGImage: StorableValue, Hashable, Sendable {
  /// The bytes of the file.
  public let data: Data
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int

  /// Takes the bytes of a PNG file.
  ///
  /// - Throws: ``ValueError/malformed(type:)`` when they do not begin with a PNG's signature and a sound image header
  ///   (ISO/IEC 15948, sections 5.2 and 11.2.2).
  public init(_ data: Data) throws {
    let head = [UInt8](data.prefix(33))
    guard head.count == 33, head[..<16] == Self.beginning[...],
      Self.number(head[29..<33]) == Self.checksum(head[12..<29])
    else { throw ValueError.malformed(type: "PNGImage") }
    let (width, height) = (Self.number(head[16..<20]), Self.number(head[20..<24]))
    let sizes: ClosedRange<UInt32> = 1...UInt32(Int32.max)
    guard sizes.contains(width), sizes.contains(height) else {
      throw ValueError.malformed(type: "PNGImage")
    }
    self.data = data
    self.width = Int(width)
    self.height = Int(height)
  }

  /// BLOB.
  public static var storageClass: StorageClass { .blob }

  /// The bytes of the file.
  public var storedValue: Value { .blob(data) }

  /// Takes the bytes of a PNG file.
  ///
  /// - Throws: ``ValueError`` when the value is not a blob, or the blob is not a PNG.
  public init(storedValue: Value) throws { try self.init(Data(storedValue: storedValue)) }

  /// The signature, and the length and type of the first chunk.
  private static let beginning: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The CRC of a chunk's type and data (ISO/IEC 15948, annex D).
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 {
        let isOdd = sum & 1 == 1
        sum >>= 1
        if isOdd { sum ^= 0xEDB8_8320 }
      }
    }
    return ~sum
  }
}
