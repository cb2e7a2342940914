import NacreCore
import NacreOpen

/// What the command line says: a verb, the store, and options with a value each.
struct Invocation {
  let verb: String
  let store: String
  private var options: [String: [String]] = [:]

  static let usage = """
    usage: Traffic make    STORE --key-file F --count N [--seed S] [--log L] [--seals properties|file]
           Traffic write   STORE --key-file F --seed S [--pause-us N] [--log L]   until SIGTERM, or standard input ends
           Traffic read    STORE --key-file F --seed S [--pause-us N]             likewise
           Traffic check   STORE --key-file F [--log L]…
           Traffic convert STORE --key-file F --to plain|sealed|back
           Traffic outlast STORE --key-file F --seed S --log L                    likewise, through failures
           Traffic survived STORE --key-file F --log L…
    """

  init(_ arguments: [String]) throws {
    let known: Set = ["--key-file", "--count", "--seed", "--log", "--pause-us", "--to", "--seals"]
    guard arguments.count >= 2, arguments.count.isMultiple(of: 2) else {
      throw Deviation(Invocation.usage)
    }
    verb = arguments[0]
    store = arguments[1]
    for index in stride(from: 2, to: arguments.count, by: 2) {
      guard known.contains(arguments[index]) else { throw Deviation(Invocation.usage) }
      options[arguments[index], default: []].append(arguments[index + 1])
    }
  }

  func values(_ name: String) -> [String] { options[name, default: []] }

  func value(_ name: String) throws -> String {
    guard let value = values(name).first else { throw Deviation("\(name) is missing") }
    return value
  }

  func number(_ name: String, default preset: Int) throws -> Int {
    guard let text = values(name).first else { return preset }
    guard let number = Int(text), number >= 0 else {
      throw Deviation("\(name) \(text) is no number")
    }
    return number
  }

  func generator() throws -> SeededGenerator {
    SeededGenerator(seed: UInt64(try number("--seed", default: 1)))
  }

  /// Where the secret comes from; only `make` makes a key file.
  func unlock() throws -> Unlock {
    .keyFile(try value("--key-file"), createIfMissing: verb == "make")
  }

  /// Opens the store; only `make` makes one.
  func open() throws -> Store {
    var options = StoreOptions()
    options.createIfMissing = verb == "make"
    options.seals = try seals()
    let store = try Store.open(self.store, unlock: unlock(), options: options)
    try store.makeDefault()
    return store
  }

  /// What a new store's file seals.
  private func seals() throws -> StoreOptions.Seals {
    switch values("--seals").first {
    case nil, "properties": return .properties
    case "file": return .file
    default: throw Deviation(Invocation.usage)
    }
  }
}
