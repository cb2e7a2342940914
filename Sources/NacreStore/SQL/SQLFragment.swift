package import NacreEngine

/// A piece of SQL with the arguments of its parameters, in order.
///
/// It is built by interpolation: another fragment brings its arguments along, and a bound value
/// becomes a `?`.
package struct SQLFragment: Sendable, ExpressibleByStringInterpolation {
  package private(set) var text: String
  package private(set) var arguments: [Value]

  package init(stringLiteral value: String) {
    text = value
    arguments = []
  }

  package init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
    arguments = stringInterpolation.arguments
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    fileprivate var arguments: [Value] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    package mutating func appendLiteral(_ literal: String) { text += literal }

    package mutating func appendInterpolation(_ fragment: SQLFragment) {
      text += fragment.text
      if !fragment.arguments.isEmpty { arguments += fragment.arguments }
    }

    /// Appends the name of a table or column, in quotes.
    package mutating func appendInterpolation(name: String) { text += SQLText.name(name) }

    /// Appends a word of SQL, or the name of a function.
    package mutating func appendInterpolation(word: String) { text += word }

    /// Appends a `?` for a value, and the value to the arguments.
    package mutating func appendInterpolation(bound value: Value) {
      text += "?"
      arguments.append(value)
    }
  }
}
