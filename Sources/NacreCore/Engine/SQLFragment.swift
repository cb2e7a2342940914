/// A piece of SQL with the arguments of its parameters, in order.
///
/// It is put together by interpolation: another fragment brings its arguments along, and a bound value becomes a `?`.
struct SQLFragment: Sendable, ExpressibleByStringInterpolation {
  private(set) var text: String
  private(set) var arguments: [Value]

  init(stringLiteral value: String) {
    text = value
    arguments = []
  }

  init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
    arguments = stringInterpolation.arguments
  }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    fileprivate var arguments: [Value] = []

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ fragment: SQLFragment) {
      text += fragment.text
      if !fragment.arguments.isEmpty { arguments += fragment.arguments }
    }

    /// The name of a table or column.
    mutating func appendInterpolation(name: String) { text += SQLText.name(name) }

    /// A word of the dialect, or the name of a function.
    mutating func appendInterpolation(word: String) { text += word }

    /// A value, as the argument of a parameter.
    mutating func appendInterpolation(bound value: Value) {
      text += "?"
      arguments.append(value)
    }
  }
}
