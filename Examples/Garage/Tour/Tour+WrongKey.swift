import Nacre

extension Tour {
  /// Opens the store with a key that is not its own, and then with its own.
  func openWithWrongKey() throws {
    Page.step(
      10,
      "Open the store with a wrong key",
      code: "try Store.open(path, unlock: .callback { try SecretBytes(random: 32) })"
    )
    do {
      try Store.open(workplace.database, unlock: .callback { try SecretBytes(random: 32) }).close()
      throw UnlockedError()
    } catch let error as NacreError where error.code == .wrongSecret {
      Page.item("code", "\(error.code)")
      Page.sentence("\(error)")
    }
    Page.gap()
    let store = try Store.open(workplace.database, unlock: .keyFile(workplace.keyFile))
    try store.makeDefault()
    let owners = try Owner.fetchAll()
    Page.line("Its own key opens it: \(try Car.count()) cars, \(owners.count) owners.")
    try store.close()
  }
}

/// The error of a wrong key that has opened the store.
struct UnlockedError: Error, CustomStringConvertible {
  var description: String { "a wrong key has opened the store" }
}
