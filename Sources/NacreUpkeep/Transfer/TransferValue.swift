import Foundation
import NacreEngine
import NacreStore

/// The value of one column in a line.
enum TransferValue {
  case plain(Value)
  /// An envelope.
  case sealed(Data)
  /// The value of an envelope that was opened.
  case opened(Value)
  /// A value that the application's own provider has sealed, and its blind index.
  case hooked(Data, index: Data?)

  /// - Throws: ``ImportFault``.
  init(_ value: JSONValue) throws {
    guard case .object(let members) = value else {
      self = .plain(try TransferValue.plain(value))
      return
    }
    if let sealed = members["sealed"], members.count == 1 {
      self = .sealed(try TransferValue.bytes(sealed))
    } else if let opened = members["open"], members.count == 1 {
      self = .opened(try TransferValue.plain(opened))
    } else if let hooked = members["hooked"], Set(members.keys).isSubset(of: ["hooked", "index"]) {
      self = .hooked(
        try TransferValue.bytes(hooked),
        index: try members["index"].map { try TransferValue.bytes($0) }
      )
    } else {
      self = .plain(try TransferValue.plain(value))
    }
  }

  /// A value as ``JSONWriter/value(_:)`` writes it.
  static func plain(_ value: JSONValue) throws -> Value {
    switch value {
    case .null: return .null
    case .integer(let number): return .integer(number)
    case .number(let number): return .real(number)
    case .string(let text): return .text(text)
    case .object(let members) where members.count == 1:
      if let bytes = members["base64"] { return .blob(try TransferValue.bytes(bytes)) }
      if case .string(let text)? = members["real"], let real = real(text) { return .real(real) }
    case .object, .array, .bool: break
    }
    throw ImportFault("a value does not have a form that an export writes")
  }

  private static func real(_ text: String) -> Double? {
    switch text {
    case "inf": return .infinity
    case "-inf": return -.infinity
    default:
      let digits = text.dropFirst(4)
      guard text.hasPrefix("nan:"), digits.utf8.count == 16, digits.allSatisfy(\.isHexDigit),
        let bits = UInt64(digits, radix: 16)
      else { return nil }
      let value = Double(bitPattern: bits)
      return value.isNaN ? value : nil
    }
  }

  private static func bytes(_ value: JSONValue) throws -> Data {
    guard case .string(let text) = value, let bytes = Data(base64Encoded: text) else {
      throw ImportFault("a value is not in base64")
    }
    return bytes
  }
}
