extension ReferencePath {
  /// The number of the element that a name such as `[0]` means; nil for the name of a property.
  static func index(_ name: String) -> Int? {
    name.hasPrefix("[") ? Int(name.dropFirst().dropLast()) : nil
  }

  /// The names of the elements that a text such as `[0][1]` means; nil for any other text that is not empty.
  static func indices(_ text: Substring) -> [String]? {
    var names: [String] = []
    var rest = text
    while !rest.isEmpty {
      guard rest.first == "[", let end = rest.firstIndex(of: "]") else { return nil }
      let digits = rest[rest.index(after: rest.startIndex)..<end]
      guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits) else {
        return nil
      }
      names.append("[\(number)]")
      rest = rest[rest.index(after: end)...]
    }
    return names
  }
}
