import Nacre

extension Tour {
  /// Rotates the keys of the store, and verifies every value.
  func rotate(_ store: Store) throws {
    Page.step(
      9,
      "Change the keys while the store is open, and verify everything",
      code: "options.purposes = [.field, .index, .file]; try store.rotate(options)"
    )
    var options = RotationOptions()
    options.purposes = [.field, .index, .file]
    let rotation = try store.rotate(options)
    let verification = try store.verify()
    guard rotation.outcome == .finished, verification.isSound else {
      throw MissingError(what: "a sound store under new keys")
    }
    Page.item(
      "sealed anew",
      "\(rotation.resealed.grouped) values, \(rotation.reindexed) indexes and "
        + "\(rotation.resealedPages) pages"
    )
    for (former, next) in zip(rotation.from, rotation.to) {
      Page.item("key", "\(former), disabled now, to \(next)")
    }
    let found = rotation.remnants == 0 ? "nothing" : "\(rotation.remnants) remnants"
    Page.item("searched", "garage.db and its log: \(found) under the old key is there")
    Page.item(
      "verified",
      "\(verification.rowCount.grouped) rows: every page, value, index and link is sound"
    )
  }
}
