/// A configuration, read and checked: what its methods do, and how its table is made and upgraded.
struct DAOModule: Sendable {
  var name = ""
  /// The method that makes the table.
  var initializer: String?
  var tableName: String?
  var version: DAOVersion?
  /// Whether a table of another version is made anew instead of upgraded.
  var resetsOnUpgrade = false
  /// Tables of earlier versions are made anew.
  var upgradeMinimum: DAOVersion?
  var methods: [MethodKey: DAOMethod] = [:]
  var maps: [String: ResultMap] = [:]
  /// In the order of their versions.
  var upgrades: [Upgrade] = []
  /// The properties whose values are sealed, each with where its rule stands.
  var cryptPlaces: [CryptRules.Place: CryptPlaces] = [:]
  var crypts: Set<CryptRules.Place> { Set(cryptPlaces.keys) }

  /// Whether a call looks for its table first, and makes or upgrades it.
  var makesTable: Bool { initializer != nil || version != nil }

  /// A method is known by its id and how many arguments it takes.
  struct MethodKey: Hashable, Sendable {
    let id: String
    let arity: Int
  }

  /// What leads to a version.
  struct Upgrade: Sendable {
    let version: DAOVersion
    let body: MethodBody
  }

  /// Which columns go into which properties; a column that is not named goes into the property of its name.
  struct ResultMap: Sendable {
    let type: String
    let properties: [String: String]
    let places: MapPlaces
  }

  /// Where a map's attributes stand: its class, and the property of each column.
  struct MapPlaces: Sendable {
    let type: ConfigurationPlace
    var properties: [String: ConfigurationPlace] = [:]
  }

  /// Where a rule's attributes stand.
  struct CryptPlaces: Sendable {
    let type: ConfigurationPlace
    let property: ConfigurationPlace
  }
}

/// A method of a configuration.
struct DAOMethod: Sendable {
  enum Kind: String, Sendable {
    case select, insert, update, delete
  }

  struct Argument: Equatable, Sendable {
    let name: String
    /// `$name`: whether nil fails the call.
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
  /// What a select gives.
  let result: ResultType?
  let loop: Loop?
  /// Whether a select reads beside the transaction of its thread.
  let isParallel: Bool
  let body: MethodBody
  let place: ConfigurationPlace
}

/// The statements of a method.
enum MethodBody: Equatable, Sendable {
  case statement([TemplateNode])
  case steps([Step])
  /// The second, where the first fails.
  case attempt([TemplateNode], except: [TemplateNode])

  struct Step: Equatable, Sendable {
    let nodes: [TemplateNode]
    /// Whether those behind it run although it failed.
    let isResumable: Bool
  }
}

/// What a select gives: of the first row, or an array over all rows.
struct ResultType: Equatable, Sendable {
  enum Element: Equatable, Sendable {
    case int, longLong, bool, double, string, binary
    /// `{}`: columns by their names.
    case dictionary
    /// A class or struct by its name.
    case object(String)
    /// `:id` of a `<map>`.
    case map(String)
  }

  let element: Element
  let isArray: Bool

  /// The words for what is no model.
  static let scalars = "int, long long, bool, double, string, binary, {}"

  /// Reads `[long long]`, `:map`, `{}`, `AType`; nil for what is none of these.
  init?(_ text: String) {
    var text = text.trimmed
    isArray = text.hasPrefix("[")
    if isArray {
      guard text.hasSuffix("]") else { return nil }
      text = String(text.dropFirst().dropLast()).trimmed
    }
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    switch words {
    case "int": element = .int
    case "long long": element = .longLong
    case "bool": element = .bool
    case "double": element = .double
    case "string": element = .string
    case "binary": element = .binary
    case "{}", "{ }": element = .dictionary
    default:
      let isMap = words.hasPrefix(":")
      let name = (isMap ? String(words.dropFirst()) : words).trimmed
      guard !name.isEmpty,
        name.split(separator: ".").allSatisfy({ ReferencePath.isName(String($0)) })
      else { return nil }
      element = isMap ? .map(name) : .object(name)
    }
  }
}

extension ResultType.Element: CustomStringConvertible {
  /// As the configuration writes it.
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

  /// Whether the versions are the same, however many zeros end them.
  public static func == (a: DAOVersion, b: DAOVersion) -> Bool { a.parts == b.parts }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(parts) }

  /// Compares part by part.
  public static func < (a: DAOVersion, b: DAOVersion) -> Bool {
    a.parts.lexicographicallyPrecedes(b.parts)
  }
}
