import NacreCrypto
import NacreEngine
import NacreSQLite
public import NacreStore
import NacreUpkeep

extension Store {
  /// Saves the header of a sealed file in a new file of mode 0600, while others read and write.
  ///
  /// Without its header nothing of a sealed file opens. The header changes with the slots and with the store key and the
  /// file key, so export it again after such a change. Keep it as you keep the store's file: a secret that was removed
  /// since opens it still.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - file: The file to make, of 65,536 bytes.
  ///   - unlock: Where the secret comes from, with which the header is verified; nil leaves it unverified.
  /// - Returns: Which header it is.
  /// - Throws: ``NacreError``: `cannotOpen` if there is a file at `file`, or none at `path`; `notSealed`,
  ///   `headerDamaged`, `headerTampered`, `newerFormat`, `wrongSecret`.
  @discardableResult
  public static func exportHeader(
    of path: String,
    to file: String,
    unlock: Unlock? = nil
  ) throws -> HeaderReport {
    let saved = try HeaderImport(from: sealedFile(path))
    let header = try unlock.map { try saved.sealer($0).keys.header } ?? saved.header
    try NacreError.wrapping {
      try refuseServer(file)
      let copy = try header.encode()
      guard try SealedHeaderFile(path: file).create(copy + copy) else {
        throw NacreError(.cannotOpen, detail: "\(file) exists already")
      }
    }
    return HeaderReport(header, isAuthenticated: unlock != nil)
  }

  /// Puts a header that ``exportHeader(of:to:unlock:)`` has saved back into the file of its store.
  ///
  /// The file's own header may be damaged. If it is whole, it has to be one of the same store, and a newer one is
  /// replaced only if `replacesNewer` says so. Whatever it is, pages of the file have to be under keys of the header;
  /// with a secret they have to open, and the header must not be older than they ask for. Both copies are written,
  /// synced and read back. Nobody may have the store open.
  ///
  /// - Parameters:
  ///   - file: The file with the header.
  ///   - path: The store's file.
  ///   - unlock: Where the secret comes from; nil verifies neither header nor pages.
  ///   - replacesNewer: Whether a newer header that is whole may be replaced, for which the secret is needed.
  /// - Returns: Which header it is, and whether it was written.
  /// - Throws: ``NacreError``, with nothing changed: `olderHeader`, `otherStore`, `storeIsOpen`; `headerDamaged` if
  ///   `file` has no whole header; `headerTampered`, `newerFormat`, `wrongSecret`; `storeLocked` where a secret is
  ///   needed; `cannotOpen`, `readOnly`.
  @discardableResult
  public static func importHeader(
    from file: String,
    into path: String,
    unlock: Unlock? = nil,
    replacesNewer: Bool = false
  ) throws -> HeaderReport {
    try refuseServer(path, "only a sealed file has a header")
    guard unlock != nil || !replacesNewer else {
      throw NacreError(
        .storeLocked,
        detail: "a newer header is replaced only if the secret shows that the older one fits"
      )
    }
    let saved = try savedHeader(in: file)
    let target = try sealedFile(path)
    let sealer = try unlock.map(saved.sealer)
    guard try saved.isNeeded(in: target, replacesNewer: replacesNewer) else {
      return HeaderReport(saved.header, isAuthenticated: sealer != nil, isWritten: false)
    }
    let strangers = try strangePages(of: path, saved, sealer)
    try alone(with: target, path) {
      // Somebody may have changed it since.
      guard try saved.isNeeded(in: target, replacesNewer: replacesNewer) else { return }
      try saved.write(to: target)
    }
    return HeaderReport(
      saved.header,
      isAuthenticated: sealer != nil,
      strangePageCount: strangers
    )
  }

  // MARK: - Files

  private static func sealedFile(_ path: String) throws -> SealedHeaderFile {
    try requireFile(at: path, because: "only a sealed file has a header")
    return SealedHeaderFile(path: SQLiteHome.resolved(path))
  }

  private static func savedHeader(in file: String) throws -> HeaderImport {
    let source = try sealedFile(file)
    guard source.hasByte(at: 65_535), !source.hasByte(at: 65_536) else {
      throw NacreError(
        .headerDamaged,
        detail: "\(file) is no header that was exported, which has 65,536 bytes",
        advice: "Check the path; nothing was changed."
      )
    }
    return try HeaderImport(from: source)
  }

  private static func alone<T>(
    with file: SealedHeaderFile,
    _ path: String,
    _ body: () throws -> T
  ) throws -> T {
    do {
      return try NacreError.wrapping { try file.whileNobodyHasIt(body) }
    } catch let error as NacreError where error.code == .busy {
      throw NacreError(.storeIsOpen, detail: path)
    }
  }

  // MARK: - Pages

  /// Counts the pages that do not fit a header.
  ///
  /// - Throws: `otherStore` if none does; `olderHeader` if they ask for a newer one.
  private static func strangePages(
    of path: String,
    _ saved: HeaderImport,
    _ sealer: FileSealer?
  ) throws -> Int {
    // First, because whoever opens pages follows to the header that is in the file.
    if let sealer { try refuseOlder(than: path, sealer) }
    let file = SQLiteHome.resolved(path)
    var framing = try Framing(of: path, SealedOutside(path: file), by: saved.header)
    let pages = try sealer.map { sealer in
      try NacreError.wrapping { try FilePageCheck(path: file, sealer: sealer) }
    }
    defer { try? pages?.close() }
    let report = try framing.look(opening: pages)
    guard report.soundPageCount > 0 else {
      throw NacreError(
        .otherStore,
        detail: "no page of \(path) is under a key of the header, which is that of store "
          + "\(saved.header.storeID)"
      )
    }
    return report.badPageCount
  }

  /// Throws if the pages say that the header must be newer.
  private static func refuseOlder(than path: String, _ sealer: FileSealer) throws {
    do {
      try NacreError.wrapping {
        let home = SQLiteHome(path: path)
        // SQLite may take a lock at which the sealer would follow to the header that is in the file.
        try home.seal(with: SteadySealer(sealer))
        let connection = try home.connect(.inspector)
        defer { try? connection.close() }
        guard let least = try FileSealer.leastSequence(on: connection) else { return }
        try sealer.keys.check(leastSequence: least)
      }
    } catch let error as NacreError where error.code == .headerTampered {
      throw NacreError(.olderHeader, detail: error.finding)
    } catch is NacreError {
      // Where SQLite can't read the store, nobody knows; each page was opened before.
    }
  }
}

extension SealedHeaderFile {
  /// Whether the file has a byte at an offset.
  fileprivate func hasByte(at offset: Int) -> Bool {
    var byte: UInt8 = 0
    return withUnsafeMutableBytes(of: &byte) { read(at: offset, into: $0) }
  }
}
