extension UInt8 {
  /// Whether SQL would read this sign and the next one, side by side, as parts of one word, number or operator.
  func joins(_ next: UInt8) -> Bool {
    if isWordPart || self == UInt8(ascii: "?"), next.isWordPart { return true }
    switch self {
    case UInt8(ascii: "-"): return next == self || next == UInt8(ascii: ">")
    case UInt8(ascii: "/"): return next == UInt8(ascii: "*")
    case UInt8(ascii: "|"), UInt8(ascii: "="): return next == self
    case UInt8(ascii: "!"): return next == UInt8(ascii: "=")
    case UInt8(ascii: "<"): return next == self || "=>".utf8.contains(next)
    case UInt8(ascii: ">"): return next == self || next == UInt8(ascii: "=")
    case UInt8(ascii: "."): return next.isDigit
    // `x'41'` is bytes.
    case UInt8(ascii: "x"), UInt8(ascii: "X"): return next == UInt8(ascii: "'")
    default: return isDigit && next == UInt8(ascii: ".")
    }
  }

  /// Whether this sign ends quotes that the next one would go on with, because a doubled quote stands for itself.
  func reopens(_ next: UInt8) -> Bool { self == next && "'\"`".utf8.contains(self) }

  /// Whether this sign and the next one would begin a comment.
  func beginsComment(_ next: UInt8) -> Bool {
    self == UInt8(ascii: "-") && next == self
      || self == UInt8(ascii: "/") && next == UInt8(ascii: "*")
  }
}
