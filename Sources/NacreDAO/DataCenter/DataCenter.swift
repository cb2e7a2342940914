import Foundation
public import NacreCore
import NacreOpen
import Synchronization

/// The stores of an application and its users in one directory, and the DAOs on them.
///
/// There is a common store and one for each user. Everything that depends on the user follows ``currentUser``, however
/// often you switch it.
/// ```swift
/// let dao = try DataCenter.shared.dao(config: url, userDependent: true, models: [Message.self])
/// DataCenter.shared.currentUser = "ada"
/// ```
public final class DataCenter: Sendable {
  /// The purpose of a data center's store.
  public enum Place: Hashable, Sendable {
    /// The data that all users share.
    case common
    /// The data of one user.
    case user(String)
    /// A separate file, by its path.
    case file(String)
  }

  /// Says how to open a store.
  public struct Opening: Sendable {
    /// The source of the secret; nil leaves sealed properties locked.
    public var unlock: Unlock?
    /// Durability, timeouts, limits.
    public var options: StoreOptions

    /// Makes an opening.
    public init(unlock: Unlock? = nil, options: StoreOptions = StoreOptions()) {
      self.unlock = unlock
      self.options = options
    }
  }

  /// The directory with the files; it is made when the first store is opened.
  public let directory: String
  private let opening: @Sendable (Place) throws -> Opening
  let state = Mutex(DataCenterState())
  /// Held while a store is opened, or looked up to be closed.
  ///
  /// Without this lock, two openings of one new file would each make a key ring. It is recursive because opening runs
  /// code of the application, which may ask for another store. Others wait without a time limit until the opening ends:
  /// only the end of a migration or of a slow secret says whether there is a store.
  let openings = NSRecursiveLock()
  /// Signalled whenever a store has been closed.
  let closings = NSCondition()

  /// The data center of the application, in `Nacre` below the user's directory for the data of applications.
  public static let shared: DataCenter = {
    let files = FileManager.default
    let home =
      files.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      ?? files.homeDirectoryForCurrentUser
    let name = ProcessInfo.processInfo.processName
    return DataCenter(directory: home.appendingPathComponent("Nacre/\(name)").path)
  }()

  /// Makes a data center; no file is touched before a store is asked for.
  ///
  /// - Parameters:
  ///   - directory: where the files are.
  ///   - opening: says how to open each store; it must not ask for that store. By default the key file `center.key` in
  ///     the directory unlocks every store; it is made if it is missing.
  public init(
    directory: String,
    opening: (@Sendable (Place) throws -> Opening)? = nil
  ) {
    self.directory = directory
    self.opening =
      opening ?? { _ in
        Opening(unlock: .keyFile(directory + "/center.key", createIfMissing: true))
      }
  }

  // MARK: - Stores

  /// The store that all users share.
  ///
  /// - Throws: ``NacreError`` when it can't be opened.
  public var commonStore: Store { get throws { try store(at: .common) } }

  /// The store of a place, opened if it is not yet.
  ///
  /// - Parameter place: what the store is for; the path of a file is absolute, or relative to the directory.
  /// - Returns: the store; everyone who asks for the same file gets the same one, whatever the path. It is opened as it
  ///   was first asked for.
  /// - Throws: ``NacreError`` if it can't be opened, if its file was replaced while it was open, and for a user whose
  ///   name is too long; with code `transactionState` if the code that opens this very store calls this, such as a step
  ///   of its migration.
  public func store(at place: Place) throws -> Store {
    if let open = state.withLock({ $0.open(place) }) { return open }
    while true {
      // Outside of the state's lock, because a migration may take long, and its steps may look at the current user.
      switch try openings.withLock({ try open(place) }) {
      case .open(let store): return store
      case .closing(let store): try waitForEnd(of: store)
      }
    }
  }

  /// The store of a place, opened if it is not yet, on a thread that no task is waiting for.
  ///
  /// - Parameter place: what the store is for; the path of a file is absolute, or relative to the directory.
  /// - Returns: the store; everyone who asks for the same file gets the same one.
  /// - Throws: ``NacreError`` when it can't be opened, and for a user whose name is too long.
  public func store(at place: Place) async throws -> Store {
    try await Store.onThread { try self.store(at: place) }
  }

  private func open(_ place: Place) throws -> DataCenterState.Found {
    let path = try path(of: place)
    try Self.makeDirectory((path as NSString).deletingLastPathComponent)
    // The link is followed now, because it may lead elsewhere before the store's last connection is opened.
    let file = Self.resolved(path)
    if let found = try state.withLock({ try $0.findOrBegin(file, for: place) }) { return found }
    defer { state.withLock { _ = $0.begun.remove(file) } }
    var opening = try opening(place)
    // A store without a name could become the default store of the process.
    if opening.options.name == nil { opening.options.name = "DataCenter \(UUID().uuidString)" }
    let store = try Store.open(file, unlock: opening.unlock, options: opening.options)
    state.withLock { state in
      state.stores.append(store)
      state.places[place] = store
    }
    return .open(store)
  }

  private static func makeDirectory(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      let reason = FileFailure.reason(error)
      throw NacreError.dao(.cannotOpen, "the directory \(path) can't be made: \(reason)")
    }
  }

  /// The file to which a path leads through links, even if the file does not exist yet.
  static func resolved(_ path: String) -> String {
    var path = path
    // Systems follow no more links than this.
    for _ in 0..<40 {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
        break
      }
      let directory = (path as NSString).deletingLastPathComponent
      path = target.hasPrefix("/") ? target : directory + "/" + target
    }
    let url = URL(fileURLWithPath: path)
    let directory = url.deletingLastPathComponent().resolvingSymlinksInPath()
    return directory.appendingPathComponent(url.lastPathComponent).path
  }

  /// The default crypt methods; from now on they can't be replaced.
  func usedSealing() -> DAOSealing {
    state.withLock { state in
      state.isUsed = true
      return state.sealing
    }
  }

  /// Replaces the default methods that seal and open the values of `<crypt>` and of key-value stores.
  ///
  /// Without these methods the stores seal by their key rings, which `nacre rotate` and `nacre verify` then know of.
  /// Values of key-value stores are sealed by these methods first, and then by the store.
  ///
  /// - Parameters:
  ///   - encrypt: seals a value; it receives class and property, or business and key.
  ///   - decrypt: opens a value that `encrypt` has sealed.
  /// - Throws: ``NacreError`` with code `alreadyUsed` once the data center has opened a store or made a DAO, because
  ///   values that are already sealed would not open.
  public func installDefault(
    encrypt: @escaping CryptMethod,
    decrypt: @escaping CryptMethod
  ) throws {
    // The former methods are released outside of the lock, because that may run code of the application.
    _ = try state.withLock { state in
      if state.isUsed {
        throw NacreError.dao(.alreadyUsed, "a store was already opened or a DAO made")
      }
      defer { state.sealing = DAOSealing(encrypt: encrypt, decrypt: decrypt) }
      return state.sealing
    }
  }

  /// The path of a place's file.
  ///
  /// - Parameter place: what the file is for.
  /// - Returns: an absolute path, or one below ``directory``.
  /// - Throws: ``NacreError`` with code `cannotOpen` for a user whose name is too long for a file, `serverCannot` or
  ///   `onServer` for the URL of a server.
  public func path(of place: Place) throws -> String {
    // It would become a directory, or a file, of that name.
    try Self.refuseServer(directory)
    switch place {
    case .common: return directory + "/common.db"
    case .user(let user): return directory + "/" + (try Self.fileName(ofUser: user)) + ".db"
    case .file(let path):
      try Self.refuseServer(path)
      let whole = path.hasPrefix("/") ? path : directory + "/" + path
      return URL(fileURLWithPath: whole).standardizedFileURL.path
    }
  }

  private static func refuseServer(_ path: String) throws {
    try Store.refuseServer(
      path,
      "the stores of a data center are files",
      advice: "Give the path of a file; `Store.open` opens a store on a server."
    )
  }

  /// A file name that is unique on every file system: no two users share it, even if their names differ only in case.
  private static func fileName(ofUser user: String) throws -> String {
    let kept = Set("abcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var name = "user-"
    for byte in user.utf8 {
      if kept.contains(byte) {
        name.append(Character(Unicode.Scalar(byte)))
      } else {
        name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    // File systems take 255 bytes, and SQLite adds `-journal`.
    guard name.utf8.count <= 200 else {
      throw NacreError.dao(.cannotOpen, "the user's name is too long for a file")
    }
    return name
  }
}
