import NacreSQLite
public import NacreStore
public import NacreUpkeep

extension Store {
  /// Looks at the files of a sealed store from outside; nothing is changed.
  ///
  /// Without a secret it compares the copies of the header, and looks which keys the pages and the frames of the log
  /// name, whether pages are whole, and whose log it is. With one it verifies the header and opens every page as well,
  /// also where SQLite can't open the store. Others may read and write meanwhile.
  ///
  /// - Parameters:
  ///   - path: The file of a sealed store.
  ///   - unlock: Where the secret comes from; nil for a look from outside alone.
  /// - Returns: What was found.
  /// - Throws: ``NacreError``: `cannotOpen` if there is no file, `notSealed`, `headerDamaged`, `headerTampered`,
  ///   `newerFormat`, `wrongSecret`, `inputOutput`.
  public static func framing(of path: String, unlock: Unlock? = nil) throws -> FramingReport {
    try requireFile(at: path, because: "only a sealed file has pages and a header")
    // SQLite keeps the log beside the file itself, also if the path leads there by a link.
    let file = SQLiteHome.resolved(path)
    let outside = SealedOutside(path: file)
    var framing = try Framing(of: path, outside)
    guard let unlock else { return try framing.look(opening: nil) }
    let sealer = try FileUnlocking.sealer(
      of: outside.header,
      path: path,
      unlock: unlock,
      isWanted: true,
      creates: false,
      exists: true
    )
    guard let sealer else { throw NacreError(.notSealed, detail: path) }
    let pages = try NacreError.wrapping { try FilePageCheck(path: file, sealer: sealer) }
    defer { try? pages.close() }
    return try framing.look(opening: pages)
  }

  /// Looks at the files of a sealed store from outside; the async version of ``framing(of:unlock:)-(_,Unlock?)``.
  ///
  /// - Parameters:
  ///   - path: The file of a sealed store.
  ///   - unlock: Where the secret comes from; nil for a look from outside alone.
  /// - Returns: What was found.
  /// - Throws: ``NacreError``.
  public static func framing(of path: String, unlock: Unlock? = nil) async throws -> FramingReport {
    try await onThread { try framing(of: path, unlock: unlock) }
  }
}
