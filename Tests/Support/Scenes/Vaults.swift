import NacreCore
import NacreStore
import NacreUpkeep
import Testing

/// Saves vaults whose secrets are told from their numbers.
func saveVaults(
  _ numbers: Range<Int>,
  labelled label: String = "label",
  in store: Store
) throws {
  try store.write { _ in
    for number in numbers {
      let vault = Vault.create()
      vault.label = "\(label)-\(number)"
      vault.secret = "\(Marker.text)-\(number)"
      vault.number = number
      try vault.save()
    }
  }
}

/// Fails the test unless the store has so many vaults, each as `saveVaults` saved it, and nothing bad in it.
func expectVaults(
  _ count: Int,
  in store: Store,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let found = try store.read { _ in try Vault.fetchAll() }
  #expect(found.count == count, sourceLocation: sourceLocation)
  #expect(
    found.allSatisfy { $0.secret == "\(Marker.text)-\($0.number)" },
    sourceLocation: sourceLocation
  )
  #expect(try store.verify().isSound, sourceLocation: sourceLocation)
}
