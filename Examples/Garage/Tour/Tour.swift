import Nacre

/// The example from its first step to its last.
struct Tour {
  let workplace: Workplace

  /// Takes every step in turn.
  func run() throws {
    print("Nacre's garage: 406 real cars in a sealed SQLite file")
    let clock = ContinuousClock()
    let duration = try clock.measure {
      let inventory = try read()
      var options = StoreOptions()
      options.seals = .file
      let store = try Store.open(
        workplace.database,
        unlock: .keyFile(workplace.keyFile, createIfMissing: true),
        options: options
      )
      try store.makeDefault()
      try save(inventory)
      try fetch()
      try find()
      try search()
      try showSealed(in: store)
      try showPage(of: store)
      try delete()
      try rotate(store)
      try store.close()
      try openWithWrongKey()
    }
    Page.gap()
    let size = (workplace.databaseByteCount / 1024).grouped
    Page.line("All of this took \(duration.milliseconds); garage.db has \(size) KiB.")
    if !workplace.isTemporary {
      Page.line("Kept: \(workplace.database)")
      Page.line("      \(workplace.keyFile)")
    }
  }
}
