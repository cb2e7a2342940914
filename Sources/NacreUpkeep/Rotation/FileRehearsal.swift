import NacreCrypto
import NacreEngine
import NacreStore

/// Works out what a rotation of a sealed file's key would do, by reading every page.
struct FileRehearsal {
  /// The factor from the time that reading and opening takes to that of the rotation, which also seals each page, writes
  /// it twice, and looks at it once more.
  private static let writingFactor = 4.0

  private(set) var purposes: Set<KeyPurpose> = []
  private(set) var from: [KeyID] = []
  private(set) var to: [KeyID] = []
  private(set) var pageCount = 0
  private(set) var seconds = 0.0

  /// Reads the file.
  ///
  /// - Throws: `notSealed`; `pageTampered` for a page that does not open.
  init(_ store: Store, _ options: RotationOptions) throws {
    guard let slots = store.engine.fileHeader else {
      throw NacreError(.notSealed, detail: "\(store.path) has no file key")
    }
    let keys = try slots.keys()
    guard keys.isRekeyUnfinished || !options.onlyResumes && options.isOldEnough(keys) else {
      return
    }
    purposes = [.file]
    (from, to) =
      keys.isRekeyUnfinished ? (keys.formerIDs, [keys.primaryID]) : ([keys.primaryID], [])
    let begun = ContinuousClock.now
    var byteCount = 0
    try store.withReader { database in
      try store.engine.readRaw(.database, under: database.connection) { byteCount += $0.count }
    }
    pageCount = byteCount / keys.pageByteCount
    seconds = (ContinuousClock.now - begun) / .seconds(1) * Self.writingFactor
    guard let rate = options.rowsPerSecond, rate > 0 else { return }
    seconds = max(seconds, 2 * Double(pageCount) / rate)
  }
}

extension RotationOptions {
  /// Whether a file's primary key is as old as the options want.
  func isOldEnough(_ keys: FileKeys) -> Bool {
    guard let olderThan else { return true }
    guard let key = keys.header.keys.first(where: { $0.id == keys.primaryID }) else { return false }
    return Double(CreationTime.now()) - Double(key.created) > olderThan * 1000
  }
}
