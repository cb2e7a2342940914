/// SQL while a template is rendered.
///
/// This type implements the rules for blanks. The blanks at a part's ends are left out. Where a tag begins or ends, two
/// words, numbers, operators or texts in quotes never become one: `a = 1<if …>and b = 2</if>` becomes `a = 1 and b = 2`,
/// and `5 -<if …>-1</if>` becomes `5 - -1`. A comment `-- …` that begins in a tag ends with it. Everything else stays as
/// it is, so that SQL in quotes does not change. Blanks of values are never touched.
struct RenderedSQL {
  private var bytes: [UInt8] = []
  /// The beginning of the part whose first blanks are left out.
  private var floor = 0
  /// The end of the last value that was added.
  private var valueEnd = 0
  /// Whether a tag begins or ends here.
  private var isSeam = false
  /// Whether a line break has to stand before the next text, because the comment that is open would go on with it.
  private var isBreakDue = false
  /// Whether the text contains a minus sign, without which it has no comments that end with their line.
  private var hasMinus = false
  private var quotes = SQLQuotes()

  /// A part whose blanks at its ends are left out; parts end in the reverse order of their beginnings.
  struct Part {
    fileprivate let start: Int
    fileprivate let floor: Int
    fileprivate let isSeam: Bool
    fileprivate let isBreakDue: Bool
    fileprivate let isInComment: Bool
    fileprivate let quotes: SQLQuotes
  }

  /// Reserves room for a statement of usual length, so that the text need not be moved as it grows.
  init() { bytes.reserveCapacity(512) }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The quotes or comment that are open where the text ends.
  mutating func state() -> SQLQuotes.State {
    quotes.read(bytes)
    return quotes.state
  }

  /// Whether the text ends with this byte.
  func ends(with byte: UInt8) -> Bool { bytes.last == byte }

  mutating func seam() { isSeam = true }

  /// Adds SQL of the configuration; blanks at the beginning of a part are left out unless they are kept.
  mutating func append(_ text: String, keepsBlanks: Bool = false) {
    let isAdded: Void? = text.utf8.withContiguousStorageIfAvailable {
      append($0, keepsBlanks: keepsBlanks)
    }
    if isAdded == nil {
      Array(text.utf8).withUnsafeBufferPointer { append($0, keepsBlanks: keepsBlanks) }
    }
  }

  /// Adds a value, and keeps its blanks.
  mutating func append(value: String) {
    append(value, keepsBlanks: true)
    valueEnd = bytes.count
  }

  private mutating func append(_ new: UnsafeBufferPointer<UInt8>, keepsBlanks: Bool) {
    var start = 0
    if !keepsBlanks && bytes.count == floor {
      while start < new.count, new[start].isBlank { start += 1 }
      // A line break that is left out here may end a comment that began before the part.
      if new[..<start].contains(UInt8(ascii: "\n")) { closeComment() }
    }
    guard start < new.count else { return }
    if new[start] == UInt8(ascii: "\n") { isBreakDue = false }
    endComment()
    if needsBlank(before: new[start]) { bytes.append(UInt8(ascii: " ")) }
    isSeam = false
    if !hasMinus { hasMinus = new.contains(UInt8(ascii: "-")) }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: new[start...]))
  }

  /// Whether the next byte would become a part of the word, operator or text before it.
  private mutating func needsBlank(before next: UInt8) -> Bool {
    guard let last = bytes.last else { return false }
    // A digit behind a parameter's `?` would make it a numbered one, which may be that of another parameter.
    let isNumbered = last == UInt8(ascii: "?") && next.isDigit
    guard isNumbered || last.reopens(next) || isSeam && last.joins(next) else { return false }
    return state() == .plain
  }

  // MARK: - Comments

  /// Whether a comment that ends with its line is open where the text ends.
  mutating func isInComment() -> Bool { hasMinus && state() == .lineComment }

  /// Ends the comment that is open, if there is one: what follows is no part of it.
  mutating func closeComment() {
    if isInComment() { isBreakDue = true }
  }

  private mutating func endComment() {
    guard isBreakDue else { return }
    isBreakDue = false
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Adds the mark of a parameter.
  mutating func appendParameter() {
    endComment()
    isSeam = false
    bytes.append(UInt8(ascii: "?"))
  }

  // MARK: - Parts

  mutating func begin() -> Part {
    endComment()
    defer { floor = bytes.count }
    return mark()
  }

  /// A position that `cancel` can go back to, without beginning a part.
  mutating func mark() -> Part {
    let isInComment = isInComment()
    return Part(
      start: bytes.count,
      floor: floor,
      isSeam: isSeam,
      isBreakDue: isBreakDue,
      isInComment: isInComment,
      quotes: quotes
    )
  }

  /// Ends a part, and removes one of `first` from its beginning and one of `last` from its end.
  ///
  /// - Returns: Whether anything is left of it.
  mutating func end(_ part: Part, dropping first: [String] = [], _ last: [String] = []) -> Bool {
    floor = part.floor
    trimEnd(part)
    drop(first: first, part)
    drop(last: last, part)
    if !part.isInComment { closeComment() }
    return bytes.count > part.start
  }

  /// Removes a part.
  mutating func cancel(_ part: Part) {
    bytes.removeLast(bytes.count - part.start)
    valueEnd = min(valueEnd, part.start)
    (floor, isSeam, quotes) = (part.floor, part.isSeam, part.quotes)
    isBreakDue = part.isBreakDue
  }

  private mutating func trimEnd(_ part: Part) {
    let limit = max(part.start, valueEnd)
    var end = bytes.count
    while end > limit, bytes[end - 1].isBlank { end -= 1 }
    guard end < bytes.count else { return }
    let hasBreak = hasMinus && bytes[end...].contains(UInt8(ascii: "\n"))
    bytes.removeLast(bytes.count - end)
    quotes = part.quotes
    // The line break that was left out has ended a comment.
    if hasBreak { closeComment() }
  }

  /// Removes the first matching word from a part's beginning.
  ///
  /// A word must not be followed by a letter, digit or underscore, so that AND is not removed from ANDROID.
  private mutating func drop(first words: [String], _ part: Part) {
    guard !words.isEmpty else { return }
    let text = bytes[part.start...].drop(while: \.isBlank)
    for word in words {
      let rest = text.dropFirst(word.utf8.count)
      guard text.starts(with: word.utf8, by: { $0.lowercased == $1.lowercased }) else { continue }
      if let last = word.utf8.last, last.isWordPart, rest.first?.isWordPart == true { continue }
      let kept = rest.drop(while: \.isBlank).startIndex
      let hasBreak = part.isInComment && bytes[part.start..<kept].contains(UInt8(ascii: "\n"))
      valueEnd = max(part.start, valueEnd - (kept - part.start))
      bytes.replaceSubrange(part.start..<kept, with: hasBreak ? [UInt8(ascii: "\n")] : [])
      quotes = part.quotes
      return
    }
  }

  private mutating func drop(last words: [String], _ part: Part) {
    let text = bytes[part.start...]
    for word in words {
      let rest = text.dropLast(word.utf8.count)
      guard text.count >= word.utf8.count,
        text[rest.endIndex...].elementsEqual(word.utf8, by: { $0.lowercased == $1.lowercased })
      else { continue }
      if let first = word.utf8.first, first.isWordPart, rest.last?.isWordPart == true { continue }
      bytes.removeSubrange(rest.endIndex...)
      valueEnd = min(valueEnd, bytes.count)
      quotes = part.quotes
      trimEnd(part)
      return
    }
  }
}

/// Follows the quotes and comments of SQL.
struct SQLQuotes {
  enum State: Equatable {
    case plain
    /// Inside of quotes of this kind, which are doubled to stand for themselves.
    case quoted(UInt8)
    /// Inside of `[ ]`, which can't contain `]`.
    case bracketed
    case lineComment
    case blockComment
  }

  private(set) var state: State
  /// How many bytes have been read.
  private(set) var position = 0

  init(_ state: State = .plain) { self.state = state }

  /// Reads on to the end; a sign that may begin or end a comment waits for the next one.
  mutating func read(_ bytes: [UInt8]) {
    while position < bytes.count { if !step(bytes) { return } }
  }

  /// Reads the next sign; returns false if it has to wait for the sign behind it.
  @inline(__always)
  mutating func step(_ bytes: [UInt8]) -> Bool {
    let byte = bytes[position]
    let isLast = position + 1 == bytes.count
    let next = isLast ? 0 : bytes[position + 1]
    switch state {
    case .plain:
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): state = .quoted(byte)
      case UInt8(ascii: "["): state = .bracketed
      case UInt8(ascii: "-"), UInt8(ascii: "/"):
        if isLast { return false }
        begin(byte, next)
      default: break
      }
    case .quoted(let quote): if byte == quote { state = .plain }
    case .bracketed: if byte == UInt8(ascii: "]") { state = .plain }
    case .lineComment: if byte == UInt8(ascii: "\n") { state = .plain }
    case .blockComment:
      if byte == UInt8(ascii: "*") {
        if isLast { return false }
        if next == UInt8(ascii: "/") {
          state = .plain
          position += 1
        }
      }
    }
    position += 1
    return true
  }

  private mutating func begin(_ byte: UInt8, _ next: UInt8) {
    if byte == UInt8(ascii: "-"), next == UInt8(ascii: "-") { state = .lineComment }
    if byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") { state = .blockComment }
    if state != .plain { position += 1 }
  }
}

extension UInt8 {
  /// Whether the byte is a blank in SQL.
  fileprivate var isBlank: Bool { self == 32 || (9...13).contains(self) }

  /// Whether the byte is a letter, digit or underscore; for SQLite any byte beyond ASCII is part of a letter.
  var isWordPart: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...0xFF: true
    default: false
    }
  }

  /// Whether the byte is a digit, 0 to 9.
  var isDigit: Bool { (0x30...0x39).contains(self) }

  fileprivate var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
