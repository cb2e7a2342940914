package import NacreEngine

/// SQL text with a value for each of its parameters.
package struct SQLArguments {
  package let text: String
  package let values: [Value]

  /// Takes arguments by position; the text stays as it is, unless an argument is a list.
  ///
  /// - Throws: `valueMismatch` for a value without a stored form, such as a NaN; `badStatement` if
  ///   there are lists and the text has another number of parameters; `ambiguousDate`.
  package init(
    _ text: String,
    _ arguments: [(any QueryArgument)?],
    dates: DateArguments? = nil
  ) throws {
    var values: [Value] = []
    values.reserveCapacity(arguments.count)
    for argument in arguments {
      guard case .value(let value) = try Self.form(argument, dates) else {
        let forms = try arguments.map { try Self.form($0, dates) }
        self = try SQLParameters(text).replaced(by: forms)
        return
      }
      values.append(value)
    }
    self.init(text: text, values: values)
  }

  /// Takes arguments by name.
  ///
  /// - Throws: `valueMismatch` for a value without a stored form; `badStatement` for a parameter
  ///   without an argument, an argument whose name the text does not have, and a parameter without
  ///   a name; `ambiguousDate`.
  package init(_ text: String, _ arguments: NamedArguments, dates: DateArguments? = nil) throws {
    let parameters = SQLParameters(text)
    let names = try parameters.orderedNames()
    if let other = arguments.arguments.keys.sorted().first(where: { !names.contains($0) }) {
      throw NacreError(.badStatement, detail: "no parameter is named :\(other)")
    }
    let forms = try names.map { name in
      guard let argument = arguments.arguments[name] else {
        throw NacreError(.badStatement, detail: "no argument for :\(name)")
      }
      return try Self.form(argument, dates)
    }
    let values = forms.compactMap { if case .value(let value) = $0 { value } else { nil } }
    self =
      try values.count == forms.count
      ? SQLArguments(text: text, values: values) : parameters.replaced(by: forms)
  }

  package init(text: String, values: [Value]) {
    self.text = text
    self.values = values
  }

  /// Returns the same SQL with a separate `?` for every place, so that the text can follow other
  /// parameters.
  ///
  /// - Throws: `badStatement` if the numbers of parameters and values differ.
  package func flattened() throws -> SQLArguments {
    try SQLParameters(text).replaced(by: values.map { .value($0) })
  }

  private static func form(
    _ argument: (any QueryArgument)?,
    _ dates: DateArguments?
  ) throws -> ArgumentForm {
    guard let argument else { return .value(.null) }
    return try NacreError.wrapping { try dates?.form(of: argument) ?? argument.argumentForm }
  }
}

/// The parameters of SQL text, numbered as SQLite numbers them
/// (sqlite.org/lang_expr.html#parameters).
package struct SQLParameters {
  private let scanner: SQLScanner
  /// The place of each parameter in the text, and its number, from 1.
  private var places: [(range: Range<Int>, number: Int)] = []
  /// The names by number; `?` and `?12` have none.
  private var names: [Int: String] = [:]
  /// The greatest number.
  private var count = 0

  package init(_ text: String) {
    var scanner = SQLScanner(text)
    self.scanner = scanner
    var numbers: [String: Int] = [:]
    while let token = scanner.next() {
      guard case .parameter(let range) = token else { continue }
      let text = scanner.text(range)
      let number: Int
      if text.utf8.first == UInt8(ascii: "?") {
        number = text.utf8.count == 1 ? count + 1 : Self.number(text)
      } else {
        number = numbers[text] ?? count + 1
        numbers[text] = number
        names[number] = String(text.dropFirst())
      }
      count = max(count, number)
      places.append((range, number))
      if number == .max { break }
    }
  }

  /// Returns the number of the parameter that begins at an offset; nil if none begins there.
  package func number(at offset: Int) -> Int? {
    // By halves, because a list of thousands has a parameter for each element.
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].range.lowerBound < offset { low = middle + 1 } else { high = middle }
    }
    guard low < places.count, places[low].range.lowerBound == offset else { return nil }
    return places[low].number
  }

  /// Returns the number of `?12`; a number that SQLite refuses becomes greater than any number of
  /// arguments.
  private static func number(_ text: String) -> Int {
    guard let number = Int(text.dropFirst()), number > 0 else { return .max }
    return number
  }

  /// Returns the parameters' names in the order of their numbers.
  func orderedNames() throws -> [String] {
    guard names.count == count else {
      throw NacreError(.badStatement, detail: "a `?` among named parameters has no name")
    }
    return names.keys.sorted().compactMap { names[$0] }
  }

  /// Returns the text with a `?` for every value, in place of each parameter.
  func replaced(by forms: [ArgumentForm]) throws -> SQLArguments {
    guard count == forms.count else {
      throw NacreError(
        .badStatement,
        detail: count.counted("parameter") + " and " + forms.count.counted("argument")
      )
    }
    var text: [UInt8] = []
    var values: [Value] = []
    var end = 0
    for place in places {
      text += scanner.bytes[end..<place.range.lowerBound]
      end = place.range.upperBound
      switch forms[place.number - 1] {
      case .value(let value):
        text.append(UInt8(ascii: "?"))
        values.append(value)
      case .list(let list):
        text += Array(repeating: "?", count: list.count).joined(separator: ", ").utf8
        values += list
      }
    }
    text += scanner.bytes[end...]
    return SQLArguments(text: String(decoding: text, as: UTF8.self), values: values)
  }
}
