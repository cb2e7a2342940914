import NacreCore

/// The words and signs of a statement, as far as its configuration determines them.
struct SQLTokens {
  enum Kind: Equatable {
    /// A word outside of quotes, its ASCII letters in lowercase; numbers are words, too.
    case word(String)
    /// A name in quotes, its ASCII letters in lowercase.
    case name(String)
    case sign(UInt8)
    /// `${T}` as a whole name.
    case table
    case parameter(TemplateReference)
    /// A text in quotes.
    case text
    /// A piece of SQL that is not known.
    case unknown
  }

  struct Token {
    let kind: Kind
    /// The tag in which the token stands; the contents of another tag can be left out or repeated.
    let block: Int
  }

  /// The tokens, in order through all tags; empty if quotes or a comment continue into an unknown part.
  private(set) var all: [Token] = []
  /// The names that `<bind>` gives to values.
  private(set) var definitions: Set<String> = []
  private var block = 0
  private var blockCount = 0
  /// The items of the loops around a node.
  private var items: [String] = []
  private var isCertain = true

  init(_ nodes: [TemplateNode]) {
    read(nodes)
    if !isCertain { all = [] }
  }

  private mutating func add(_ kind: Kind) { all.append(Token(kind: kind, block: block)) }

  private mutating func read(_ nodes: [TemplateNode]) {
    for node in nodes { read(node) }
  }

  private mutating func read(_ node: TemplateNode) {
    switch node {
    case .text(let text): read(Array(text.utf8))
    case .tableName: add(.table)
    case .bind(let reference):
      add(items.contains(reference.path.root) ? .unknown : .parameter(reference))
    case .tablePart, .splice, .pairs: add(.unknown)
    case .definition(let definition): definitions.insert(definition.name)
    case .conditional(_, let nodes): inBlock { $0.read(nodes) }
    case .choice(let branches, let otherwise):
      for branch in branches { inBlock { $0.read(branch.nodes) } }
      inBlock { $0.read(otherwise) }
    case .loop(let loop):
      items += loop.names
      inBlock { $0.read([.text(loop.open)] + loop.nodes + [.text(loop.close)]) }
      items.removeLast(loop.names.count)
    case .trim(let trim, let nodes):
      inBlock { $0.read([.text(trim.prefix)] + nodes + [.text(trim.suffix)]) }
    }
  }

  private mutating func inBlock(_ read: (inout SQLTokens) -> Void) {
    let outer = block
    blockCount += 1
    block = blockCount
    read(&self)
    block = outer
  }

  // MARK: - Text

  private mutating func read(_ bytes: [UInt8]) {
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      let next = position + 1 < bytes.count ? bytes[position + 1] : 0
      switch byte {
      case 32, 9...13: position += 1
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["):
        position = quoted(bytes, from: position)
      case UInt8(ascii: "-") where next == byte: position = end(of: bytes, behind: "\n", position)
      case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
        position = end(of: bytes, behind: "*/", position + 2)
      case _ where byte.isWordPart:
        let word = bytes[position...].prefix(while: \.isWordPart)
        add(.word(SQLName(String(decoding: word, as: UTF8.self)).text))
        position += word.count
      default:
        add(.sign(byte))
        position += 1
      }
    }
  }

  /// Reads a text or name in quotes, and returns the position behind it.
  private mutating func quoted(_ bytes: [UInt8], from start: Int) -> Int {
    let quote = bytes[start] == UInt8(ascii: "[") ? UInt8(ascii: "]") : bytes[start]
    var name: [UInt8] = []
    var position = start + 1
    while position < bytes.count {
      if bytes[position] == quote {
        let isDoubled = position + 1 < bytes.count && bytes[position + 1] == quote
        guard isDoubled, quote != UInt8(ascii: "]") else {
          let text = SQLName(String(decoding: name, as: UTF8.self)).text
          add(quote == UInt8(ascii: "'") ? .text : .name(text))
          return position + 1
        }
        position += 1
      }
      name.append(bytes[position])
      position += 1
    }
    isCertain = false
    return position
  }

  /// The position behind a comment.
  private mutating func end(of bytes: [UInt8], behind mark: String, _ start: Int) -> Int {
    if let range = bytes[start...].firstRange(of: Array(mark.utf8)) { return range.upperBound }
    isCertain = false
    return bytes.count
  }
}
