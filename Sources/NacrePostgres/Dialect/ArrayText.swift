#if PostgreSQL
import NacreEngine

/// The text of an array of values of one class (PostgreSQL's documentation, section 8.15.2).
struct ArrayText {
  let text: String
  let type: String

  /// Makes the text; nil for blobs, for values of several classes, and for NULL.
  init?(_ values: [Value]) {
    var items: [String] = []
    items.reserveCapacity(values.count)
    switch values.first {
    case .integer:
      type = "bigint[]"
      for case .integer(let value) in values { items.append(String(value)) }
    case .real:
      type = "double precision[]"
      for case .real(let value) in values { items.append(Self.text(of: value)) }
    case .text:
      type = "text[]"
      for case .text(let value) in values { items.append(Self.quoted(value)) }
    default: return nil
    }
    guard items.count == values.count else { return nil }
    text = "{" + items.joined(separator: ",") + "}"
  }

  private static func text(of value: Double) -> String {
    value.isFinite ? "\(value)" : value < 0 ? "-Infinity" : "Infinity"
  }

  private static func quoted(_ value: String) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    for byte in value.utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes.append(UInt8(ascii: "\\"))
      }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
    return String(decoding: bytes, as: UTF8.self)
  }
}
#endif
