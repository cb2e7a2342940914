extension String {
  /// Returns the text with each of these quotes doubled.
  ///
  /// It works byte by byte: in Swift a quote and a following accent are one other character, but an engine still sees a
  /// quote.
  package func doubling(_ quote: UInt8) -> String {
    // Hardly any name contains a quote.
    guard utf8.contains(quote) else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count + 8)
    for byte in utf8 {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
