import NacreSQLite
public import NacreStore

extension Store {
  /// Makes a new store in memory, for tests and previews, under a key of its own.
  ///
  /// It works as a store in a file does, with the same connections, locks and log, so cursors, reads
  /// and writes go on at once. Nothing of it reaches a disk, temporary tables included, unless
  /// ``backup(to:)-(String)`` copies it there. It ends when it is closed or released.
  ///
  /// Other processes can't open it, and neither can a second call in this one: ``path`` leads to no
  /// file, and calls that take a path refuse it with ``NacreError/Code/inMemory``, as
  /// ``anchor(after:)-(Anchor?)`` refuses the store.
  ///
  /// - Parameter options: Timeouts, limits and the rest. What concerns a disk, such as
  ///   `durability`, changes nothing.
  /// - Returns: The open store.
  /// - Throws: ``NacreError`` with code `inMemory` for options that only an existing store can
  ///   have: `createIfMissing = false` and `isOnlyLookedAt`.
  public static func inMemory(options: StoreOptions = StoreOptions()) throws -> Store {
    try inMemory(unlock: .drawnOnce(), options: options)
  }

  /// Makes a new store in memory, for tests and previews.
  ///
  /// - Parameters:
  ///   - unlock: Where the secret comes from; nil for a store whose sealed properties are locked.
  ///   - options: Timeouts, limits and the rest.
  /// - Returns: The open store.
  /// - Throws: ``NacreError``, as ``inMemory(options:)-(StoreOptions)`` does; the errors of the
  ///   secret's source.
  public static func inMemory(
    unlock: Unlock?,
    options: StoreOptions = StoreOptions()
  ) throws -> Store {
    try open(memoryHome(options), unlock: unlock, options: options)
  }

  /// Makes a store in memory that is a copy of a store's file, for tests that start from one.
  ///
  /// The copy has the file's keys, ids and catalog. The file stays as it is, whatever happens to
  /// the copy; another process may have it open.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - unlock: Where the file's secret comes from; nil leaves sealed properties locked.
  ///   - options: Timeouts, limits and the rest.
  /// - Returns: The open copy.
  /// - Throws: ``NacreError``, as ``open(_:unlock:options:expecting:)-(_,Unlock?,_,_)`` does for a
  ///   file that must exist.
  public static func inMemory(
    copyOf path: String,
    unlock: Unlock?,
    options: StoreOptions = StoreOptions()
  ) throws -> Store {
    try refuseServer(path)
    let home = try memoryHome(options)
    guard !FileUnlocking.isSealed(SealedHeaderFile(path: path)) else {
      throw NacreError(.sealedFileCannot, detail: "\(path) can't be copied to memory")
    }
    try NacreError.wrapping { try home.fill(fromFile: path) }
    return try open(home, unlock: unlock, options: options)
  }

  private static func memoryHome(_ options: StoreOptions) throws -> SQLiteHome {
    guard options.createIfMissing, !options.isOnlyLookedAt else {
      throw NacreError(
        .inMemory,
        detail: "it is made anew, so `createIfMissing` has to be true and `isOnlyLookedAt` false"
      )
    }
    guard options.seals == .properties else {
      throw NacreError(.inMemory, detail: "there is no file whose pages could be sealed")
    }
    return SQLiteHome(
      in: MemoryDatabase(),
      pragmas: options.pragmas,
      maximumPageCount: options.maximumPageCount
    )
  }
}

// MARK: - Async

extension Store {
  /// Makes a new store in memory, for tests and previews, under a key of its own.
  ///
  /// - Parameter options: Timeouts, limits and the rest.
  /// - Returns: The open store.
  /// - Throws: ``NacreError``.
  public static func inMemory(options: StoreOptions = StoreOptions()) async throws -> Store {
    try await onThread { try inMemory(options: options) }
  }

  /// Makes a new store in memory, for tests and previews.
  ///
  /// - Parameters:
  ///   - unlock: Where the secret comes from; nil for a store whose sealed properties are locked.
  ///   - options: Timeouts, limits and the rest.
  /// - Returns: The open store.
  /// - Throws: ``NacreError``.
  public static func inMemory(
    unlock: Unlock?,
    options: StoreOptions = StoreOptions()
  ) async throws -> Store {
    try await onThread { try inMemory(unlock: unlock, options: options) }
  }

  /// Makes a store in memory that is a copy of a store's file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - unlock: Where the file's secret comes from; nil leaves sealed properties locked.
  ///   - options: Timeouts, limits and the rest.
  /// - Returns: The open copy.
  /// - Throws: ``NacreError``.
  public static func inMemory(
    copyOf path: String,
    unlock: Unlock?,
    options: StoreOptions = StoreOptions()
  ) async throws -> Store {
    try await onThread { try inMemory(copyOf: path, unlock: unlock, options: options) }
  }
}
