#if PostgreSQL
import Foundation
import NacreEngine

extension Cell {
  /// Reads the text form of a value.
  ///
  /// A statement's values come as texts if one of its columns has a type whose binary form this module does not know.
  ///
  /// - Parameters:
  ///   - type: The column's type; nil for one that stays a text.
  ///   - bytes: The text.
  ///   - scratch: Receives the bytes of a blob, and keeps them until the next row.
  /// - Returns: The value.
  static func text(
    _ type: WireType?,
    _ bytes: UnsafeRawBufferPointer,
    _ scratch: Scratch
  ) -> Content {
    switch type {
    case .bigint, .integer, .smallint, .oid: Int64(string(bytes)).map { .integer($0) } ?? .null
    case .bool: .integer(bytes.first == UInt8(ascii: "t") ? 1 : 0)
    case .doublePrecision, .real: .real(number(string(bytes)))
    case .numeric: numeric(string(bytes))
    // The text of a blob is `\x` and hex digits; that of an identifier has hyphens.
    case .bytea: .blob(scratch.blob(hex: bytes.dropFirst(2)))
    case .uuid: .blob(scratch.blob(hex: bytes[...]))
    case .text, .varchar, .bpchar, .name, .unknown, .json, .uuidArray, .any, nil: .text(bytes)
    }
  }

  private static func string(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// Reads a real, also `NaN` and `Infinity`.
  private static func number(_ text: String) -> Double { Double(text) ?? .nan }

  private static func numeric(_ text: String) -> Content {
    if !text.utf8.contains(UInt8(ascii: ".")), let integer = Int64(text) {
      return .integer(integer)
    }
    return .real(number(text))
  }
}

/// The bytes of blobs that came as hex digits, valid until the next row.
final class Scratch {
  // Unchecked, like the places of a stream's rows: one thread looks at them for each row.
  @exclusivity(unchecked) private var blobs: [UnsafeMutableRawBufferPointer] = []

  deinit { clear() }

  /// Frees the bytes.
  func clear() {
    for blob in blobs { blob.deallocate() }
    blobs = []
  }

  /// Returns the bytes of hex digits; anything else between them is left out.
  func blob(hex digits: Slice<UnsafeRawBufferPointer>) -> UnsafeRawBufferPointer {
    let blob = UnsafeMutableRawBufferPointer.allocate(byteCount: digits.count / 2 + 1, alignment: 1)
    blobs.append(blob)
    var count = 0
    var high: UInt8?
    for digit in digits {
      guard let value = Self.value(digit) else { continue }
      if let first = high {
        blob[count] = first << 4 | value
        count += 1
        high = nil
      } else {
        high = value
      }
    }
    return UnsafeRawBufferPointer(rebasing: blob[..<count])
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
#endif
