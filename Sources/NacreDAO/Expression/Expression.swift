/// The parsed condition of an attribute `true="…"` or `false="…"`.
indirect enum Expression: Equatable, Sendable {
  case literal(Operand)
  /// A name with properties behind it: `author.name`.
  case path(ReferencePath)
  case unary(UnaryOperator, Expression)
  case binary(BinaryOperator, Expression, Expression)

  enum UnaryOperator: Equatable, Sendable {
    case plus, minus, not
  }

  enum BinaryOperator: Equatable, Sendable {
    case multiply, divide, divideWhole, remainder
    case add, subtract
    case less, lessOrEqual, greater, greaterOrEqual, equal, notEqual
    case and, xor, or
  }
}

/// A value as expressions know it.
enum Operand: Equatable, Sendable {
  case null
  case flag(Bool)
  case integer(Int64)
  case real(Double)
  case text(String)
  /// A value that is not nil but has no value of its own in an expression: a model, a collection, bytes.
  case object

  /// Only nil, 0 and false are false.
  var isTrue: Bool {
    switch self {
    case .null: false
    case .flag(let flag): flag
    case .integer(let number): number != 0
    case .real(let number): number != 0
    case .text, .object: true
    }
  }
}

/// A name and the names of properties behind it, as in `author.name` or `list.count`; an element of a list is a property
/// named by its index: `list[0]` has the name `[0]`.
struct ReferencePath: Hashable, Sendable, CustomStringConvertible {
  let root: String
  let names: [String]

  var description: String {
    names.reduce(root) { $0 + (Self.index($1) == nil ? "." : "") + $1 }
  }

  /// Reads a path; nil if the text is not a path of names.
  init?(_ text: String) {
    var parts: [String] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      let name = String(part.prefix { $0 != "[" })
      guard ReferencePath.isName(name), let indices = Self.indices(part.dropFirst(name.count))
      else {
        return nil
      }
      parts += [name] + indices
    }
    guard let root = parts.first else { return nil }
    self.init(root: root, names: Array(parts.dropFirst()))
  }

  init(root: String, names: [String]) {
    self.root = root
    self.names = names
  }

  /// Whether a text can be the name of an argument or a property.
  static func isName(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, isNameStart(first) else { return false }
    return text.unicodeScalars.allSatisfy(isNamePart)
  }

  static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic
  }

  static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    isNameStart(scalar) || scalar.properties.numericType != nil
  }
}
