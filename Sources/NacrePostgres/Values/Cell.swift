#if PostgreSQL
import Foundation
import NacreEngine

/// A value of a row, as the server sent it; its bytes belong to the result.
struct Cell {
  /// The value's class and content.
  enum Content {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)
  }

  /// Reads the binary form of a value.
  static func binary(_ type: WireType, _ bytes: UnsafeRawBufferPointer) -> Content {
    switch type {
    case .bigint:
      bytes.count == 8 ? .integer(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))) : .null
    case .integer:
      bytes.count == 4
        ? .integer(Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))) : .null
    case .smallint:
      bytes.count == 2
        ? .integer(Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))) : .null
    case .oid:
      bytes.count == 4
        ? .integer(Int64(UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))) : .null
    case .bool: bytes.count == 1 ? .integer(Int64(bytes[0])) : .null
    case .doublePrecision:
      bytes.count == 8
        ? .real(Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))) : .null
    case .real:
      bytes.count == 4
        ? .real(Double(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))))
        : .null
    case .bytea, .uuid, .uuidArray: .blob(bytes)
    case .text, .varchar, .bpchar, .name, .unknown, .json: .text(bytes)
    case .numeric: Numeric(bytes).map(\.content) ?? .null
    case .any: anyField(bytes)
    }
  }

  /// Reads the one field that is not NULL of a value of the composite type.
  private static func anyField(_ bytes: UnsafeRawBufferPointer) -> Content {
    var offset = 4
    for number in 0..<AnyField.count {
      guard offset + 8 <= bytes.count, let field = AnyField(rawValue: number) else { return .null }
      let length = Int(
        Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset + 4, as: Int32.self))
      )
      offset += 8
      if length < 0 { continue }
      guard offset + length <= bytes.count else { return .null }
      return binary(field.type, UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + length)]))
    }
    return .null
  }
}

/// A `numeric` in its binary form (numeric_send in PostgreSQL's sources): digits to the base 10,000.
struct Numeric {
  private let bytes: UnsafeRawBufferPointer
  private let digitCount: Int
  /// The exponent of the first digit, to the base 10,000.
  private let weight: Int
  private let sign: UInt16
  /// The number of decimal digits after the point.
  private let scale: Int

  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 8 else { return nil }
    func word(_ index: Int) -> UInt16 {
      UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
    }
    digitCount = Int(word(0))
    weight = Int(Int16(bitPattern: word(1)))
    sign = word(2)
    scale = Int(word(3))
    self.bytes = bytes
    guard bytes.count >= 8 + digitCount * 2, (0..<digitCount).allSatisfy({ digit($0) < 10_000 })
    else { return nil }
  }

  /// The number as an integer if it has no digits after the point and fits 64 bits; as a real otherwise.
  ///
  /// A cast to `text` keeps all digits.
  var content: Cell.Content {
    switch sign {
    case 0xc000: return .real(.nan)
    case 0xd000: return .real(.infinity)
    case 0xf000: return .real(-.infinity)
    default: break
    }
    if scale == 0, let integer { return .integer(integer) }
    return .real(real)
  }

  private func digit(_ index: Int) -> Int64 {
    guard index < digitCount else { return 0 }
    return Int64(
      UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 8 + index * 2, as: UInt16.self))
    )
  }

  private var isNegative: Bool { sign == 0x4000 }

  private var integer: Int64? {
    if digitCount == 0 || weight < 0 { return 0 }
    // 64 bits have 19 digits, and five digits to this base have at most 20.
    guard weight < 5 else { return nil }
    var value: Int64 = 0
    for index in 0...weight {
      let (product, isLarge) = value.multipliedReportingOverflow(by: 10_000)
      let digit = isNegative ? -digit(index) : digit(index)
      let (sum, isLarger) = product.addingReportingOverflow(digit)
      if isLarge || isLarger { return nil }
      value = sum
    }
    return value
  }

  private var real: Double {
    // The text of all digits, so that the nearest real is found.
    var text = isNegative ? "-0" : "0"
    for index in 0..<digitCount {
      let digits = String(digit(index))
      text += String(repeating: "0", count: 4 - digits.count) + digits
    }
    return Double("\(text)e\((weight - digitCount + 1) * 4)") ?? .nan
  }
}
#endif
