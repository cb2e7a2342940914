import Nacre

/// The example from its first step to its last.
struct Tour {
  let workplace: Workplace
  private var isOnServer: Bool { workplace.server != nil }

  /// Takes every step in turn.
  func run() throws {
    let place = isOnServer ? "a database of a PostgreSQL server" : "a sealed SQLite file"
    print("Nacre's garage: 406 real cars in \(place)")
    let clock = ContinuousClock()
    let duration = try clock.measure {
      try workplace.server?.logStatements()
      let inventory = try read()
      var options = StoreOptions()
      // The pages of a server can't be sealed by its client.
      if !isOnServer { options.seals = .file }
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
      if let server = workplace.server { try show(server) } else { try showPage(of: store) }
      try delete()
      if isOnServer { try rotateOnServer(store) } else { try rotate(store) }
      try store.close()
      try openWithWrongKey()
    }
    Page.gap()
    if isOnServer {
      Page.line("All of this took \(duration.milliseconds).")
    } else {
      let size = (workplace.databaseByteCount / 1024).grouped
      Page.line("All of this took \(duration.milliseconds); garage.db has \(size) KiB.")
    }
    if !workplace.isTemporary {
      Page.line("Kept: \(isOnServer ? "" : workplace.database)")
      Page.line("      \(workplace.keyFile)")
    }
  }
}
