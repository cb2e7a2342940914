/// What the command line says.
struct Invocation {
  /// The kinds of runs; all of them if none is named.
  private(set) var kinds: Set<String> = []
  /// The seeds of power cuts under each setting.
  private(set) var seeds = 0..<1_000
  /// Only settings and kinds of calls whose names hold one of these.
  private var only: [String] = []
  /// The seeds of changed files.
  private(set) var files = 0..<1_000_000
  /// Of the calls of a session, only every so manieth fails.
  private(set) var every = 1
  private(set) var isVerbose = false

  private static let known: Set = ["fail", "cut", "files"]
  static let usage = """
    usage: FaultRuns [cut] [fail] [files] [--seeds N | --seed S] [--every N] [--files N | --files FROM-TO |
      --file S] [--only TEXT]… [--verbose]
    """

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if Self.known.contains(word) {
        kinds.insert(word)
      } else if word == "--verbose" {
        isVerbose = true
      } else {
        try take(word, rest.popFirst())
      }
    }
    if kinds.isEmpty { kinds = Self.known }
  }

  private mutating func take(_ option: String, _ value: String?) throws {
    guard let value else { throw Deviation(Self.usage) }
    switch option {
    case "--only": only.append(value)
    case "--seeds": seeds = 0..<(try Self.number(value))
    case "--seed":
      let seed = try Self.number(value)
      seeds = seed..<seed + 1
    case "--every": every = max(1, try Self.number(value))
    case "--files": files = try Self.range(value)
    case "--file":
      let seed = try Self.number(value)
      files = seed..<seed + 1
    default: throw Deviation(Self.usage)
    }
  }

  /// Reads `N`, for those below N, or `FROM-TO`, for those from FROM on below TO.
  private static func range(_ text: String) throws -> Range<Int> {
    let ends = try text.split(separator: "-").map { try number(String($0)) }
    guard (1...2).contains(ends.count), let last = ends.last else { throw Deviation(usage) }
    return (ends.count == 2 ? min(ends[0], last) : 0)..<last
  }

  private static func number(_ text: String) throws -> Int {
    guard let number = Int(text), number >= 0 else { throw Deviation("\(text) is no number") }
    return number
  }

  /// Whether runs under a setting were asked for.
  func names(_ setting: Setting) -> Bool {
    chosen(from: Setting.all.map(\.description), "\(setting)")
  }

  /// Whether calls of a kind are to fail.
  func names(_ kind: FailingCalls) -> Bool {
    chosen(from: FailingCalls.all.map(\.description), "\(kind)")
  }

  /// Whether a name holds one of the words that are in any of the names.
  private func chosen(from names: [String], _ name: String) -> Bool {
    let words = only.filter { word in names.contains { $0.contains(word) } }
    return words.isEmpty || words.contains { name.contains($0) }
  }
}
