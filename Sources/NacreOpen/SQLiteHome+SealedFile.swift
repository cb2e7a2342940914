import NacreSQLite
import NacreStore

extension SQLiteHome {
  /// Makes the home of a store's file, and unlocks its header if the file is sealed or is to be.
  ///
  /// - Parameters:
  ///   - path: The file, which need not exist.
  ///   - unlock: Where the secret comes from.
  ///   - options: How the store is opened.
  ///   - creates: Whether a missing file is made.
  /// - Returns: The home, and the keys of a sealed file.
  /// - Throws: `serverCannot` or `onServer` for the URL of a server; the errors of ``NacreStore/FileUnlocking``.
  static func ofStore(
    _ path: String,
    unlock: Unlock?,
    options: StoreOptions,
    creates: Bool
  ) throws -> SQLiteHome {
    try Store.refuseServer(path)
    let file = SealedHeaderFile(path: path)
    let exists = SQLiteHome(path: path).exists
    // The header of a new sealed file is there before SQLite makes anything.
    if !exists, creates, options.seals == .file {
      try NacreError.wrapping { try SQLiteHome.createDirectory(above: path) }
    }
    let sealer = try FileUnlocking.sealer(
      of: file,
      path: path,
      unlock: unlock,
      isWanted: options.seals == .file,
      creates: creates,
      exists: exists
    )
    let home = SQLiteHome(
      path: path,
      pragmas: options.pragmas,
      maximumPageCount: options.maximumPageCount,
      slotKeeper: sealer.map { HeaderSlots($0, in: file) }
    )
    if let sealer { try home.seal(with: sealer) }
    return home
  }
}
