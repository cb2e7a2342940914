import Foundation
import NacreCore
import NacreUpkeep

extension UnlockOptions {
  /// Opens an existing store to change it; nothing is ever made here, neither the file nor a key ring.
  ///
  /// - Parameter path: the store's file.
  /// - Returns: the open store.
  /// - Throws: ``NacreError``; `CommandFailure` when the store has no key ring, or no secret was given.
  func openStore(at path: String) throws -> Store { try openStoreAndSecret(at: path).store }

  /// The same, and prints what the store is before anything of it changes.
  func openStore(at path: String, showingHeader output: Output) throws -> Store {
    let store = try openStore(at: path)
    output.show(try StoreHeader(store).lines)
    return store
  }

  /// The same with the secret that unlocked it, which is asked for once.
  func openStoreAndSecret(
    at path: String,
    options: StoreOptions = .existingOnly
  ) throws -> (store: Store, secret: Unlock) {
    // Looked at without writing first: opening would make a store of an empty file, and a ring where there is none.
    guard try StoreInspection(path: path).hasKeyRing() else {
      throw CommandFailure(
        status: .of(.noKeyRing),
        message:
          "\(path) has no key ring; the application makes one when it opens the store with a secret"
      )
    }
    guard let secret = try unlock() else {
      throw CommandFailure(
        status: .of(.storeLocked),
        message: "\(path) is locked: give --key-file, --passphrase, --passphrase-fd, --key-env or "
          + "--key-command"
      )
    }
    return (try Store.openToWrite(path, unlock: secret, options, expecting: expect), secret)
  }

  /// Opens an existing store, locked if the command line names no secret: the library asks for one where it needs it.
  ///
  /// - Parameter path: the store's file.
  /// - Returns: the open store.
  /// - Throws: ``NacreError``; `CommandFailure` when a secret was given for a store that has no key ring.
  func openStoreLockedIfNeeded(at path: String) throws -> Store {
    try given > 0 || expect != nil ? openStore(at: path) : Store.openLocked(at: path)
  }

  /// Opens an existing store to look it over, whatever somebody has put into its schema, and writes nothing; locked if
  /// the command line names no secret.
  ///
  /// - Parameter path: the store's file.
  /// - Returns: the open store.
  /// - Throws: ``NacreError``; `CommandFailure` when a secret was given for a store that has no key ring.
  func openStoreToLook(at path: String) throws -> Store {
    guard given > 0 || expect != nil else { return try Store.openToLook(at: path) }
    return try openStoreAndSecret(at: path, options: .onlyLook).store
  }

  /// Opens an existing store to look at it, verified if the command line names a secret.
  ///
  /// - Parameter path: the store's file.
  /// - Returns: what reads the store.
  /// - Throws: ``NacreError``.
  func inspectStore(at path: String) throws -> StoreInspection {
    let inspection = try StoreInspection(path: path)
    // Nobody is asked for a passphrase for a store that is not there.
    guard let secret = try unlock() else { return inspection }
    return try StoreInspection(path: path, unlock: secret, expecting: expect)
  }
}

extension Store {
  /// Opens an existing store without a secret; nothing is ever made.
  ///
  /// - Parameter path: the store's file.
  /// - Returns: the open store.
  /// - Throws: ``NacreError``.
  static func openLocked(at path: String) throws -> Store {
    // Opening would make a store of an empty file.
    _ = try StoreInspection(path: path)
    return try openToWrite(path, unlock: nil)
  }

  /// The same to look it over, whatever somebody has put into its schema; nothing is written.
  ///
  /// - Parameter path: the store's file.
  /// - Returns: the open store.
  /// - Throws: ``NacreError``.
  static func openToLook(at path: String) throws -> Store {
    _ = try StoreInspection(path: path)
    return try openToWrite(path, unlock: nil, .onlyLook)
  }
}

extension Store {
  /// Opens an existing store.
  ///
  /// - Throws: ``NacreError``; `CommandFailure` where SQLite can't make a log.
  fileprivate static func openToWrite(
    _ path: String,
    unlock: Unlock?,
    _ options: StoreOptions = .existingOnly,
    expecting anchor: Anchor? = nil
  ) throws -> Store {
    do {
      return try open(path, unlock: unlock, options: options, expecting: anchor)
    } catch let error as NacreError where error.code == .cannotOpen || error.code == .readOnly {
      let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
      guard access(directory, W_OK) != 0 else { throw error }
      throw CommandFailure(
        status: .of(error.code),
        message:
          "\(path) can't be opened: a log has to be made beside it, and its directory can't be "
          + "written; make that possible, or copy the store to where it is ('nacre status' and "
          + "'nacre inspect' read it where it lies)"
      )
    }
  }
}

extension StoreOptions {
  /// A path that leads nowhere is an error.
  static var existingOnly: StoreOptions {
    var options = StoreOptions()
    options.createIfMissing = false
    return options
  }

  /// Nothing is written.
  static var onlyLook: StoreOptions {
    var options = existingOnly
    options.isOnlyLookedAt = true
    return options
  }
}
