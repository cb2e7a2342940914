public import NacreCrypto
public import NacreStore

extension Store {
  /// Makes a store's file a sealed file, or a sealed file a plain one.
  ///
  /// The other file is made beside it, with the same store id, key ring, slots and values, and a fresh file key if it is
  /// sealed. It is verified, and takes the file's name in one step; then the former file is given up and deleted. If the
  /// process is killed, either file bears the name as a whole, and the next call deletes what is left of the other.
  /// Sealed properties stay sealed. Rows without a key of their own may get other rowids, as by VACUUM.
  ///
  /// Nobody may have the store open. A process that has it open with a rollback journal is not noticed unless it reads or
  /// writes at the moment; its next statement fails.
  ///
  /// Disks and file systems may keep the blocks of a plain file that was deleted.
  /// ```swift
  /// try Store.convertFile(at: "garage.db", to: .file, unlock: .keyFile("garage.key"))
  /// ```
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - seals: What the file is to seal.
  ///   - unlock: Where the secret comes from.
  ///   - anchor: An anchor than which the store must not be older.
  /// - Returns: What was done.
  /// - Throws: ``NacreError``, with the store as it was: `storeIsOpen`; `rotationUnfinished`; `unsound` if the
  ///   verification finds anything; `noKeyRing`, `wrongSecret`, `headerFull`, `diskFull`, and the errors of opening.
  @discardableResult
  public static func convertFile(
    at path: String,
    to seals: StoreOptions.Seals,
    unlock: Unlock,
    expecting anchor: Anchor? = nil
  ) throws -> FileConversionReport {
    try FileConversion(path, seals, unlock).run(expecting: anchor)
  }

  /// Makes a store's file a sealed file, or a sealed file a plain one; the async version of
  /// ``convertFile(at:to:unlock:expecting:)-(_,_,Unlock,_)``.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - seals: What the file is to seal.
  ///   - unlock: Where the secret comes from.
  ///   - anchor: An anchor than which the store must not be older.
  /// - Returns: What was done.
  /// - Throws: ``NacreError``, with the store as it was.
  @discardableResult
  public static func convertFile(
    at path: String,
    to seals: StoreOptions.Seals,
    unlock: Unlock,
    expecting anchor: Anchor? = nil
  ) async throws -> FileConversionReport {
    try await onThread {
      try convertFile(at: path, to: seals, unlock: unlock, expecting: anchor)
    }
  }
}
