#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// SQL text as a key that compares bytes.
///
/// Swift compares strings by Unicode's canonical equivalence. To SQLite, `é` in one code point and in two are different
/// literals.
struct StatementText: Hashable {
  let sql: String

  static func == (left: StatementText, right: StatementText) -> Bool {
    var left = left.sql
    var right = right.sql
    return left.withUTF8 { left in
      right.withUTF8 { right in
        guard left.count == right.count else { return false }
        guard let a = left.baseAddress, let b = right.baseAddress else { return true }
        return a == b || memcmp(a, b, left.count) == 0
      }
    }
  }

  /// The address of the text while the string is held, or 0 if the string may keep its bytes within itself.
  var address: UInt {
    if sql.utf8.count < 16 { return 0 }
    return sql.utf8.withContiguousStorageIfAvailable { UInt(bitPattern: $0.baseAddress) } ?? 0
  }

  func hash(into hasher: inout Hasher) {
    var sql = sql
    sql.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Whether NUL-terminated SQL text holds only blanks, semicolons and comments (sqlite.org/lang_comment.html).
  static func isBlank(_ tail: UnsafePointer<CChar>) -> Bool {
    var next = tail
    while true {
      switch UInt8(bitPattern: next[0]) {
      case 0: return true
      case UInt8(ascii: " "), UInt8(ascii: ";"), 0x09, 0x0a, 0x0c, 0x0d: next += 1
      case UInt8(ascii: "-"):
        guard UInt8(bitPattern: next[1]) == UInt8(ascii: "-") else { return false }
        while next[0] != 0 && next[0] != 0x0a { next += 1 }
      case UInt8(ascii: "/"):
        guard UInt8(bitPattern: next[1]) == UInt8(ascii: "*") else { return false }
        next = endOfBlockComment(next + 2)
      default: return false
      }
    }
  }

  private static func endOfBlockComment(_ start: UnsafePointer<CChar>) -> UnsafePointer<CChar> {
    var next = start
    while next[0] != 0 {
      if UInt8(bitPattern: next[0]) == UInt8(ascii: "*"),
        UInt8(bitPattern: next[1]) == UInt8(ascii: "/")
      {
        return next + 2
      }
      next += 1
    }
    return next
  }
}
