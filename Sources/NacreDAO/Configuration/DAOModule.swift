/// A configuration after reading and checking: what its methods do, and how its table is made and upgraded.
struct DAOModule: Sendable {
  var name = ""
  /// The id of the method that makes the table.
  var initializer: String?
  var tableName: String?
  var version: DAOVersion?
  /// Whether a table with another version is made anew instead of upgraded.
  var resetsOnUpgrade = false
  /// Tables with a version before this one are made anew.
  var upgradeMinimum: DAOVersion?
  var methods: [MethodKey: DAOMethod] = [:]
  var maps: [String: ResultMap] = [:]
  /// The upgrades, in the order of their versions.
  var upgrades: [Upgrade] = []
  /// The properties whose values are sealed, each with the places of its rule's attributes.
  var cryptPlaces: [SealedProperty: (type: ConfigurationPlace, property: ConfigurationPlace)] = [:]
  var crypts: Set<SealedProperty> { Set(cryptPlaces.keys) }

  /// Whether a call looks for its table first, and makes or upgrades it.
  var makesTable: Bool { initializer != nil || version != nil }

  /// A method is identified by its id and its number of arguments.
  struct MethodKey: Hashable, Sendable {
    let id: String
    let arity: Int
  }

  /// The statements that upgrade a table to a version.
  struct Upgrade: Sendable {
    let version: DAOVersion
    let body: MethodBody
  }

  /// Says which columns fill which properties; a column that is not named fills the property with its name.
  struct ResultMap: Sendable {
    let type: String
    /// The place at which the class is named.
    let place: ConfigurationPlace
    /// The properties by their columns, each with the place at which it is named.
    let properties: [String: (name: String, place: ConfigurationPlace)]
  }
}

/// A method of a configuration.
struct DAOMethod: Sendable {
  enum Kind: String, Sendable {
    case select, insert, update, delete
  }

  struct Argument: Equatable, Sendable {
    let name: String
    /// Whether it is written `$name`, so that nil makes the call fail.
    let refusesNil: Bool
  }

  /// `foreach="collection.item"`: the method's statements run once for each element.
  struct Loop: Equatable, Sendable {
    let collection: String
    let item: String
  }

  let kind: Kind
  let id: String
  let arguments: [Argument]
  /// The type of a select's result.
  let result: ResultType?
  let loop: Loop?
  /// Whether a select reads outside of its thread's transaction.
  let isParallel: Bool
  let body: MethodBody
  let place: ConfigurationPlace
}

/// The statements of a method.
enum MethodBody: Equatable, Sendable {
  case statement([TemplateNode])
  case steps([Step])
  /// The first statement, and the second if the first fails.
  case attempt([TemplateNode], except: [TemplateNode])

  struct Step: Equatable, Sendable {
    let nodes: [TemplateNode]
    /// Whether the steps after it run even if it failed.
    let isResumable: Bool
  }
}

/// The type of a select's result: a value from the first row, or an array over all rows.
struct ResultType: Equatable, Sendable {
  enum Element: Equatable, Sendable {
    case int, longLong, bool, double, string, binary
    /// `{}`: a dictionary of the columns by their names.
    case dictionary
    /// A class or struct by its name.
    case object(String)
    /// `:id` of a `<map>`.
    case map(String)
  }

  let element: Element
  let isArray: Bool

  /// The elements that are no models.
  private static let plain: [Element] = [
    .int, .longLong, .bool, .double, .string, .binary, .dictionary,
  ]
  /// The words for results that are not models.
  static let scalars = plain.map(\.description).joined(separator: ", ")

  /// Reads `[long long]`, `:map`, `{}`, `AType`; nil for any other text.
  init?(_ text: String) {
    var text = text.trimmed
    isArray = text.hasPrefix("[")
    if isArray {
      guard text.hasSuffix("]") else { return nil }
      text = String(text.dropFirst().dropLast()).trimmed
    }
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let word = words == "{ }" ? "{}" : words
    if let plain = Self.plain.first(where: { $0.description == word }) {
      element = plain
      return
    }
    let isMap = words.hasPrefix(":")
    let name = (isMap ? String(words.dropFirst()) : words).trimmed
    guard !name.isEmpty,
      name.split(separator: ".").allSatisfy({ ReferencePath.isName(String($0)) })
    else { return nil }
    element = isMap ? .map(name) : .object(name)
  }
}

extension ResultType.Element: CustomStringConvertible {
  /// The element as the configuration writes it.
  var description: String {
    switch self {
    case .int: "int"
    case .longLong: "long long"
    case .bool: "bool"
    case .double: "double"
    case .string: "string"
    case .binary: "binary"
    case .dictionary: "{}"
    case .object(let name): name
    case .map(let id): ":" + id
    }
  }
}

/// A version such as `1.10`, compared part by part: 1.9 is before 1.10, and 1.0 is 1.
public struct DAOVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  private let parts: [Int]
  /// The version as it was written.
  public let description: String

  /// Reads numbers with dots between them; nil for anything else.
  public init?(_ text: String) {
    let text = text.trimmed
    let words = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = words.compactMap { word in
      word.allSatisfy { $0.isASCII && $0.isNumber } ? Int(word) : nil
    }
    guard !numbers.isEmpty, numbers.count == words.count else { return nil }
    let significant = numbers.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    parts = Array(numbers.prefix(significant))
    description = text
  }

  /// Whether the versions are the same; zeros at their ends don't count.
  public static func == (a: DAOVersion, b: DAOVersion) -> Bool { a.parts == b.parts }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(parts) }

  /// Compares part by part.
  public static func < (a: DAOVersion, b: DAOVersion) -> Bool {
    a.parts.lexicographicallyPrecedes(b.parts)
  }
}
