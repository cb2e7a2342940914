import Foundation
public import NacreCore
import Synchronization

/// The stores of an application and its users in one directory, and the DAOs on them.
///
/// There is a common store and one for each user. What depends on the user follows ``currentUser``, however often that
/// is switched.
/// ```swift
/// let dao = try DataCenter.shared.dao(config: url, userDependent: true, models: [Message.self])
/// DataCenter.shared.currentUser = "ada"
/// ```
public final class DataCenter: Sendable {
  /// What a store of a data center is for.
  public enum Place: Hashable, Sendable {
    /// What all users share.
    case common
    /// One user.
    case user(String)
    /// A file of its own.
    case file(String)
  }

  /// How a store is opened.
  public struct Opening: Sendable {
    /// Where the secret comes from; nil leaves sealed properties locked.
    public var unlock: Unlock?
    /// Durability, timeouts, limits.
    public var options: StoreOptions

    /// Says how a store is opened.
    public init(unlock: Unlock? = nil, options: StoreOptions = StoreOptions()) {
      self.unlock = unlock
      self.options = options
    }
  }

  /// The directory in which the files are; it is made when the first store is opened.
  public let directory: String
  private let opening: @Sendable (Place) throws -> Opening
  let state = Mutex(DataCenterState())
  /// Held while a store is opened, or looked for to be closed.
  ///
  /// Of two openings of one new file, each would make a key ring. Opening runs code of the application, which may ask for
  /// another store. Others wait for as long as that takes, without a bound: only the end of a migration or of a slow
  /// secret says whether there is a store.
  let openings = NSRecursiveLock()
  /// Told whenever a store has been closed.
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
  ///   - opening: how each store is opened; it must not ask for that store. By default every store is unlocked by the
  ///     key file `center.key` of the directory, which is made where there is none.
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

  /// The store of a place, which is opened if it is not yet.
  ///
  /// - Parameter place: what the store is for; the path of a file is absolute, or relative to the directory.
  /// - Returns: the store; the same one for all who ask for the same file, by whatever path: it is opened as it was first
  ///   asked for.
  /// - Throws: ``NacreError`` when it can't be opened, or its file was replaced while it was open, and for a user whose name
  ///   is too long; with code `transactionState` in what opening this very store calls, such as a step of its migration.
  public func store(at place: Place) throws -> Store {
    if let open = state.withLock({ $0.open(place) }) { return open }
    while true {
      // Not within the state's lock: a migration may take long, and its steps may look at the current user.
      switch try openings.withLock({ try open(place) }) {
      case .open(let store): return store
      case .closing(let store): try waitForEnd(of: store)
      }
    }
  }

  private func open(_ place: Place) throws -> DataCenterState.Found {
    let path = try path(of: place)
    try Self.makeDirectory((path as NSString).deletingLastPathComponent)
    // A link may lead elsewhere before the store's last connection is opened.
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

  /// The file to which a path leads through links, also where that is not there yet.
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

  /// What seals and opens where nothing else is set, which can't be replaced from now on.
  func usedSealing() -> DAOSealing {
    state.withLock { state in
      state.isUsed = true
      return state.sealing
    }
  }

  /// Replaces what seals and opens the values of `<crypt>` and of key-value stores where nothing else is set.
  ///
  /// Without it the stores seal by their key rings, which `nacre rotate` and `nacre verify` then know of. Values of
  /// key-value stores are sealed by these methods first, and by the store then.
  ///
  /// - Parameters:
  ///   - encrypt: seals; told class and property, or business and key.
  ///   - decrypt: opens what `encrypt` has sealed.
  /// - Throws: ``NacreError`` with code `alreadyUsed` once the data center has opened a store or made a DAO: what was sealed
  ///   so far would not open.
  public func installDefault(
    encrypt: @escaping CryptMethod,
    decrypt: @escaping CryptMethod
  ) throws {
    // The former methods go outside of the lock, for their end may be code of the application.
    _ = try state.withLock { state in
      if state.isUsed {
        throw NacreError.dao(.alreadyUsed, "a store was opened or a DAO made")
      }
      defer { state.sealing = DAOSealing(encrypt: encrypt, decrypt: decrypt) }
      return state.sealing
    }
  }

  /// The path of a place's file.
  ///
  /// - Parameter place: what the file is for.
  /// - Returns: an absolute path, or one below ``directory``.
  /// - Throws: ``NacreError`` with code `cannotOpen` for a user whose name is too long for a file.
  public func path(of place: Place) throws -> String {
    switch place {
    case .common: return directory + "/common.db"
    case .user(let user): return directory + "/" + (try Self.fileName(ofUser: user)) + ".db"
    case .file(let path):
      let whole = path.hasPrefix("/") ? path : directory + "/" + path
      return URL(fileURLWithPath: whole).standardizedFileURL.path
    }
  }

  /// A name that is one file on every file system: other users never share it, nor do names that differ in case alone.
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
