#if PostgreSQL
import Foundation

/// Looks in bytes for a secret, in every form in which a server, its log or a dump could show it.
struct SecretSearch {
  /// A name for people, which is not the secret, and the forms with theirs.
  let name: String
  let forms: [(name: String, bytes: [UInt8])]

  /// Searches for a text, also in small and in capital letters.
  init(_ name: String, text: String) {
    self.name = name
    var forms: [(name: String, bytes: [UInt8])] = []
    for (letters, text) in [
      ("as it is", text), ("small", text.lowercased()), ("capital", text.uppercased()),
    ] {
      forms += Self.forms(of: Array(text.utf8)).map { ("\(letters), \($0.name)", $0.bytes) }
      let units = Array(text.utf16)
      forms.append(("\(letters), UTF-16BE", units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }))
      forms.append(("\(letters), UTF-16LE", units.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }))
    }
    self.forms = forms
  }

  /// Searches for bytes, such as a key.
  init(_ name: String, bytes: [UInt8]) { (self.name, forms) = (name, Self.forms(of: bytes)) }

  /// Searches for a number, also in the 8 bytes of an integer, whichever comes first.
  init(_ name: String, integer: Int64) {
    self.name = name
    let bytes = withUnsafeBytes(of: integer.bigEndian) { Array($0) }
    forms =
      Self.forms(of: Array("\(integer)".utf8)) + Self.forms(of: bytes)
      + [("little-endian", bytes.reversed())]
  }

  private static func forms(of bytes: [UInt8]) -> [(name: String, bytes: [UInt8])] {
    let hex = bytes.map { String(format: "%02x", $0) }.joined()
    return [("bytes", bytes), ("hex", Array(hex.utf8)), ("HEX", Array(hex.uppercased().utf8))]
      + (0..<3).map { ("base64 from \($0)", base64(of: bytes, behind: $0)) }
  }

  /// The digits of base64 that bytes have behind others, but for those that they share with their neighbours.
  private static func base64(of bytes: [UInt8], behind count: Int) -> [UInt8] {
    let digits = Array(
      Data([UInt8](repeating: 0, count: count) + bytes).base64EncodedString().utf8
    )
    return Array(digits[((count * 8 + 5) / 6)..<((count + bytes.count) * 8 / 6)])
  }

  /// Returns the names of the forms that are in some bytes.
  func found(in bytes: Data) -> [String] {
    bytes.withUnsafeBytes { bytes in
      forms.filter { Self.contains(bytes, $0.bytes) }.map { "\(name): \($0.name)" }
    }
  }

  /// The tests are compiled without optimization, and C's functions are not.
  private static func contains(_ bytes: UnsafeRawBufferPointer, _ sought: [UInt8]) -> Bool {
    // Files are full of zeros.
    guard let start = bytes.baseAddress, let mark = sought.firstIndex(where: { $0 != 0 }) else {
      return false
    }
    var offset = 0
    while offset + sought.count <= bytes.count {
      let count = bytes.count - sought.count - offset + 1
      guard let place = memchr(start + offset + mark, Int32(sought[mark]), count) else {
        return false
      }
      offset = UnsafeRawPointer(place) - start - mark
      if memcmp(start + offset, sought, sought.count) == 0 { return true }
      offset += 1
    }
    return false
  }
}
#endif
