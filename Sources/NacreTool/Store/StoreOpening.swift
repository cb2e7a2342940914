#if Tool
import Foundation
import NacreOpen
import NacreStore
import NacreUpkeep

extension UnlockOptions {
  /// Opens an existing store to change it; never creates the file or a key ring.
  ///
  /// - Parameter path: the store's file.
  /// - Returns: the open store.
  /// - Throws: ``NacreError``; `CommandFailure` if the store has no key ring, or if no secret was given.
  func openStore(at path: String) throws -> Store { try openStoreAndSecret(at: path).store }

  /// Opens an existing store to change it, and prints its header before anything changes.
  func openStoreShowingHeader(at path: String) throws -> Store {
    let store = try openStore(at: path)
    Output.standard.show(try StoreHeader(store).lines)
    return store
  }

  /// Opens an existing store, and also returns the secret that unlocked it, which is asked for only once.
  func openStoreAndSecret(
    at path: String,
    options: StoreOptions = .existingOnly
  ) throws -> (store: Store, secret: Unlock) {
    // Look at the file without writing first, because opening would turn an empty file into a store, and add a missing
    // ring. A sealed file is begun with its secret, and opening only finishes what was left half made.
    guard try StoreInspection.beforeUnlocking(path)?.hasKeyRing() ?? true else {
      throw CommandFailure(
        .of(.noKeyRing),
        "\(path) has no key ring; the application makes one when it opens the store with a secret"
      )
    }
    guard let secret = try unlock() else {
      throw CommandFailure(
        .of(.storeLocked),
        "\(path) is locked: give --key-file, --passphrase, --passphrase-fd, --key-env or "
          + "--key-command"
      )
    }
    do {
      return (try Store.openToWrite(path, unlock: secret, options, expecting: expect), secret)
    } catch let error as NacreError where [.pageTampered, .corrupt].contains(error.code) {
      // SQLite stops at the first page that it needs and can't have.
      if let report = try? Store.framing(of: path, unlock: secret) {
        Output.error.show(BadPage.lines(report.badPages, count: report.badPageCount))
      }
      throw error
    }
  }

  /// Opens an existing store, locked if the command line names no secret: the library throws if it needs one.
  ///
  /// - Parameters:
  ///   - path: the store's file.
  ///   - options: how the store is opened.
  /// - Returns: the open store.
  /// - Throws: ``NacreError``; `CommandFailure` if a secret was given for a store that has no key ring.
  func openStoreLockedIfNeeded(
    at path: String,
    options: StoreOptions = .existingOnly
  ) throws -> Store {
    try given > 0 || expect != nil
      ? openStoreAndSecret(at: path, options: options).store
      : Store.openLocked(at: path, options: options)
  }

  /// Opens an existing store for inspection, verified if the command line names a secret.
  ///
  /// - Parameter path: the store's file.
  /// - Returns: the inspection.
  /// - Throws: ``NacreError``.
  func inspectStore(at path: String) throws -> StoreInspection {
    try inspectStoreAndSecret(at: path).inspection
  }

  /// Opens an existing store for inspection, and also returns the secret that verified it, if the command line names
  /// one; it is asked for only once.
  func inspectStoreAndSecret(
    at path: String
  ) throws -> (inspection: StoreInspection, secret: Unlock?) {
    guard given > 0 else { return (try StoreInspection(path: path, options: .usual), nil) }
    // Check the store first, so that nobody types a passphrase for a store that does not exist.
    _ = try StoreInspection.beforeUnlocking(path)
    let secret = try unlock()
    let inspection = try StoreInspection(
      path: path,
      unlock: secret,
      options: .usual,
      expecting: expect
    )
    return (inspection, secret)
  }
}

extension StoreInspection {
  /// Looks at a store before its secret is asked for; nil for a sealed file, of which nothing can be read without it.
  fileprivate static func beforeUnlocking(_ path: String) throws -> StoreInspection? {
    do {
      return try StoreInspection(path: path, options: .usual)
    } catch let error as NacreError where error.code == .storeLocked {
      return nil
    }
  }
}

extension Store {
  /// Opens an existing store without a secret; never creates anything.
  ///
  /// - Parameters:
  ///   - path: the store's file, or the URL of its database.
  ///   - options: how the store is opened.
  /// - Returns: the open store.
  /// - Throws: ``NacreError``.
  static func openLocked(at path: String, options: StoreOptions = .existingOnly) throws -> Store {
    // Opening would turn an empty file into a store, so look at it first.
    _ = try StoreInspection(path: path, options: .usual)
    return try openToWrite(path, unlock: nil, options)
  }

  /// Opens an existing store.
  ///
  /// - Throws: ``NacreError``; `CommandFailure` if SQLite can't make a log.
  fileprivate static func openToWrite(
    _ path: String,
    unlock: Unlock?,
    _ options: StoreOptions,
    expecting anchor: Anchor? = nil
  ) throws -> Store {
    do {
      return try open(path, unlock: unlock, options: options, expecting: anchor)
    } catch let error as NacreError where error.code == .cannotOpen || error.code == .readOnly {
      if isOnServer(path) { throw error }
      let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
      guard access(directory, W_OK) != 0 else { throw error }
      throw CommandFailure(
        .of(error.code),
        "\(path) can't be opened: SQLite has to make a log beside it, and its directory can't "
          + "be written; make the directory writable, or copy the store to one that is ('nacre "
          + "status' and 'nacre inspect' can read the store where it is)"
      )
    }
  }
}

extension StoreOptions {
  /// Options with which the command opens every store: a person is asked for the password that a server wants.
  static var usual: StoreOptions {
    #if PostgreSQL
    var options = StoreOptions()
    options.postgres.password = .asking(TypedPassword.ask)
    return options
    #else
    return StoreOptions()
    #endif
  }

  /// Options that make a missing file an error.
  static var existingOnly: StoreOptions {
    var options = usual
    options.createIfMissing = false
    return options
  }

  /// Options to check a store, whatever somebody has put into its schema; nothing is written.
  static var onlyLook: StoreOptions {
    var options = existingOnly
    options.isOnlyLookedAt = true
    return options
  }
}
#endif
