import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep

/// A store in which the steps are done, one after the other.
final class Session {
  let directory: String
  let setting: Setting
  private(set) var store: Store
  /// Whether a conversion has closed the store, and could not open it again.
  private var isClosed = false
  private var objects: [String: Any] = [:]
  var path: String { Self.path(in: directory) }

  init(_ setting: Setting, in directory: String) throws {
    self.setting = setting
    self.directory = directory
    store = try Self.open(setting, in: directory)
  }

  // MARK: - Opening

  static let fileName = "store.db"

  static func path(in directory: String) -> String { directory + "/" + fileName }

  /// The secret of slot 1 or 2.
  static func unlock(_ slot: UInt8) -> Unlock {
    .callback {
      try [UInt8](repeating: slot, count: 32).withUnsafeBytes { try SecretBytes(copying: $0) }
    }
  }

  /// Opens a store by whichever secret does, also one that a conversion has made the other format, unless it
  /// is expected to be sealed.
  static func open(
    _ setting: Setting,
    at path: String,
    expecting seals: StoreOptions.Seals = .properties
  ) throws -> Store {
    var options = setting.options
    options.createIfMissing = false
    options.seals = seals
    do {
      return try Store.open(path, unlock: unlock(1), options: options)
    } catch let error as NacreError where error.code == .wrongSecret {
      return try Store.open(path, unlock: unlock(2), options: options)
    }
  }

  static func open(_ setting: Setting, in directory: String) throws -> Store {
    try open(setting, at: path(in: directory))
  }

  /// Makes the store with which every session begins.
  static func make(_ setting: Setting, in directory: String) throws {
    try FileManager.default.createDirectory(
      atPath: directory,
      withIntermediateDirectories: true
    )
    let store = try Store.open(path(in: directory), unlock: unlock(1), options: setting.options)
    try store.write { _ in for number in 0..<40 { try Parcel.make(number).save() } }
    try store.close()
  }

  // MARK: - What steps use

  /// An object of the session, which stays the same if a step is done again.
  func kept<T>(_ name: String, _ make: () -> T) -> T {
    if let object = objects[name] as? T { return object }
    let object = make()
    objects[name] = object
    return object
  }

  func parcel(_ number: Int) throws -> Parcel? {
    try Parcel.fetchAll(where: "number = ?", number).first
  }

  func change(numbers: Range<Int>, _ change: (Parcel) -> Void) throws {
    try store.write { _ in
      for parcel in try numbers.compactMap(parcel) {
        change(parcel)
        try parcel.save()
      }
    }
  }

  /// Ends what was begun before a power cut took the session that began it.
  func finishWork() throws {
    var options = RotationOptions()
    options.onlyResumes = true
    if try store.unfinishedConversions().isEmpty { _ = try store.rotate(options) }
    try store.resumeConversions()
  }

  /// Uses the store as an application would go on to do.
  func goOn() throws {
    // The class can't be used while the property is plain.
    try store.convert("note", of: "Parcel", to: Parcel.noteSealing)
    try store.write { _ in try Parcel.make(500).save() }
    try change(numbers: 500..<501) { $0.fill(501) }
    guard try store.read({ _ in try parcel(501)?.note }) == "note of 501" else {
      throw Deviation("what was just saved is not there")
    }
    try store.write { _ in try parcel(501)?.delete() }
  }

  /// Converts the file, and opens the store again.
  func convertFile(to seals: StoreOptions.Seals) throws {
    if !isClosed { try store.close() }
    isClosed = true
    let result = Result {
      try Store.convertFile(at: path, to: seals, unlock: Self.unlock(2))
    }
    try reopen()
    _ = try result.get()
  }

  private func reopen() throws {
    store = try Self.open(setting, in: directory)
    isClosed = false
  }

  /// Has the writer undo what a failed rollback has left: whoever only reads can't.
  func rollBackLeftovers() throws {
    if isClosed { try reopen() }
    _ = try store.withWriter { try $0.query("SELECT count(*) FROM nacre_store") }
  }

  /// Holds that both copies of a sealed file's header are alike, as an opening leaves them.
  func checkHeader() throws {
    let header = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      .read(upToCount: 65_536)
    guard header?.first == 0x89 else { return }
    guard let header, header.count == 65_536, header.prefix(32_768) == header.suffix(32_768) else {
      throw Deviation("the copies of the header differ")
    }
  }

  func emptyLog() throws {
    guard try store.withWriter({ try $0.connection.tryToEmptyLog() }) else {
      throw Deviation("somebody else holds the log")
    }
  }

  /// Where a backup goes.
  var copyPath: String { directory + "/copy.db" }

  /// Makes a copy.
  ///
  /// A copy that bears the name already has to be a whole one.
  func backUp() throws {
    let copy = copyPath
    if FileManager.default.fileExists(atPath: copy) {
      _ = try StoreState(of: Self.open(setting, at: copy))
      try FileManager.default.removeItem(atPath: copy)
    }
    try store.backup(to: copy)
  }
}
