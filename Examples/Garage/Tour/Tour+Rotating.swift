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
    write(rotation, of: "\(rotation.resealedPages) pages")
    let found = rotation.remnants == 0 ? "nothing" : "\(rotation.remnants) remnants"
    Page.item("searched", "garage.db and its log: \(found) under the old key is there")
    Page.item(
      "verified",
      "\(verification.rowCount.grouped) rows: every page, value, index and link is sound"
    )
  }

  /// Rotates the keys of a store on a server, and verifies every value.
  func rotateOnServer(_ store: Store) throws {
    Page.step(
      9,
      "Change the keys while the store is open, and verify everything",
      code: "try store.rotate()"
    )
    let rotation: RotationReport
    do {
      rotation = try store.rotate()
    } catch let error as NacreError where error.code == .serverCannot {
      return Page.sentence("Left out: \(error)")
    }
    let verification = try store.verify()
    guard rotation.outcome == .finished, verification.isSound else {
      throw MissingError(what: "a sound store under new keys")
    }
    write(rotation)
    Page.item(
      "verified",
      "\(verification.rowCount.grouped) rows: every value, index and link is sound"
    )
    Page.sentence("The server's log, its replicas and backups may still hold old envelopes.")
  }

  /// Writes what a rotation has sealed anew, and its keys.
  private func write(_ rotation: RotationReport, of pages: String? = nil) {
    let values = "\(rotation.resealed.grouped) values"
    let indexes = "\(rotation.reindexed) indexes"
    Page.item(
      "sealed anew",
      pages.map { "\(values), \(indexes) and \($0)" } ?? "\(values) and \(indexes)"
    )
    for (former, next) in zip(rotation.from, rotation.to) {
      Page.item("key", "\(former), disabled now, to \(next)")
    }
  }
}
