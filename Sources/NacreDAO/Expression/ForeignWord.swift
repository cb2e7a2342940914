/// Knows what other languages, such as that of MyBatis, write in expressions, and the word for it here.
enum ForeignWord {
  /// The word in place of a sign; nil if there is none.
  static func sign(_ sign: Character) -> String? {
    switch sign {
    case "=": "=="
    case "!": "not"
    case "&": "and"
    case "|": "or"
    default: nil
    }
  }

  /// The operator in place of a word; nil if there is none.
  static func comparison(_ word: String) -> String? {
    switch word.lowercased() {
    case "eq": "=="
    case "ne", "neq": "!="
    case "lt": "&lt;"
    case "lte": "&lt;="
    case "gt": ">"
    case "gte": ">="
    default: nil
    }
  }

  /// The message for the call of a method.
  static func call(of method: String) -> String {
    let advice =
      switch method.lowercased() {
      case "size", "length": "; write .count for \(method)()"
      case "isempty": "; write .count == 0 for \(method)()"
      case "equals": "; write == for \(method)()"
      default: ""
      }
    return "an expression calls no methods\(advice)"
  }
}
