#if Tool
import ArgumentParser
import NacreStore
import NacreUpkeep

/// `nacre key promote`: makes a pending or enabled key the one that seals.
struct KeyPromote: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "promote",
    abstract: "Let a pending or enabled key seal from now on.",
    discussion: """
        nacre key promote garage.db 1f3a9c20 --key-file garage.key

      What the former primary key has sealed stays under it, and it stays enabled: 'nacre rotate' moves the values, too.
      """
  )

  @Argument(help: .store)
  var store: String

  @Argument(help: "The key's id, as 'nacre key list' shows it.")
  var key: KeyID

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func run() throws {
    let store = try unlockOptions.openStoreShowingHeader(at: store)
    try store.promoteKey(key)
    Output.standard.show(try lines(store.inspect().ring?.keys ?? []))
  }

  private func lines(_ keys: [KeyDescription]) -> [String] {
    let promoted = keys.first { $0.id == key }
    guard let promoted, promoted.purpose == .field else {
      return [
        "Promoted key \(key): it computes the blind indexes from now on. No value was touched."
      ]
    }
    let others = keys.filter { $0.id != key && $0.purpose == .field && $0.state == .primary }
    let suite = promoted.suite.name
    if others.isEmpty {
      return ["Promoted key \(key): it seals from now on, with \(suite). No value was touched."]
    }
    // A property that names no suite is sealed with the lowest suite that has a primary key.
    let isDefault = others.allSatisfy { $0.suite.rawValue > promoted.suite.rawValue }
    return [
      "Promoted key \(key): it seals from now on with \(suite), for properties that name this suite"
        + "\(isDefault ? " or none" : ""). No value was touched."
    ] + others.map { "Key \($0.id) stays the primary key of \($0.suite.name)." }
  }
}
#endif
