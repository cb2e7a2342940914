import Nacre

extension Tour {
  /// Stores every manufacturer with its cars, their engines and owners.
  func save(_ inventory: Inventory) throws {
    Page.step(
      2,
      "Save them, one cascade a manufacturer",
      code: "for manufacturer in all { try manufacturer.save(cascade: true) }"
    )
    let progress = ProgressLine(total: inventory.manufacturers.count, unit: "manufacturers")
    let duration = try ContinuousClock().measure {
      for (index, manufacturer) in inventory.manufacturers.enumerated() {
        try manufacturer.save(cascade: true)
        progress.show(index + 1)
      }
    }
    Page.gap()
    let counts = try Counts.now()
    counts.write()
    Page.gap()
    Page.line("\(counts.total.grouped) objects stored in \(duration.milliseconds).")
  }
}
