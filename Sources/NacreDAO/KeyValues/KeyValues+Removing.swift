import NacreCore

extension KeyValues {
  /// Removes the value of a key; does nothing if there is none.
  ///
  /// - Throws: ``NacreError``.
  public func remove(_ key: String, business: String = "") throws {
    try remove(StoredItem.where("business = ? AND name = ?", business, key))
  }

  /// Removes the value of a key; does nothing if there is none.
  ///
  /// - Throws: ``NacreError``.
  public func remove(_ key: String, business: String = "") async throws {
    try await Store.onThread { try self.remove(key, business: business) }
  }

  /// Removes the values of a business whose keys match a pattern of SQL's LIKE: `%` is any text, `_` any character.
  ///
  /// LIKE stops reading at a NUL. If a key contains one, the part behind it matches only a `%` that ends the pattern.
  ///
  /// - Throws: ``NacreError``, with code `badArgument` for a pattern with a NUL.
  public func removeItems(like pattern: String, business: String = "") throws {
    guard !pattern.utf8.contains(0) else {
      throw NacreError.dao(.badArgument, "a pattern can't contain a NUL; use removeItems(prefix:)")
    }
    let found = StoredItem.where("business = ? AND name LIKE ?", business, pattern)
    // A server holds no NUL.
    let isWhole = try source.store.engine.capabilities.contains(.onServer)
    try remove(isWhole || pattern.hasSuffix("%") ? found : found.where("instr(name, char(0)) = 0"))
  }

  /// Removes the values of a business whose keys match a pattern of SQL's LIKE: `%` is any text, `_` any character.
  ///
  /// LIKE stops reading at a NUL. If a key contains one, the part behind it matches only a `%` that ends the pattern.
  ///
  /// - Throws: ``NacreError``, with code `badArgument` for a pattern with a NUL.
  public func removeItems(like pattern: String, business: String = "") async throws {
    try await Store.onThread { try self.removeItems(like: pattern, business: business) }
  }

  /// Removes the values of a business whose keys begin with a prefix, compared by Unicode scalars.
  ///
  /// - Throws: ``NacreError``.
  public func removeItems(prefix: String, business: String = "") throws {
    // SQLite orders texts by their bytes, whatever they are; length() and LIKE would stop at a NUL.
    guard let end = Self.end(ofPrefix: prefix) else {
      return try remove(StoredItem.where("business = ? AND name >= ?", business, prefix))
    }
    try remove(StoredItem.where("business = ? AND name >= ? AND name < ?", business, prefix, end))
  }

  /// Removes the values of a business whose keys begin with a prefix, compared by Unicode scalars.
  ///
  /// - Throws: ``NacreError``.
  public func removeItems(prefix: String, business: String = "") async throws {
    try await Store.onThread { try self.removeItems(prefix: prefix, business: business) }
  }

  /// The first text after all texts that begin with a prefix; nil if there is none.
  private static func end(ofPrefix prefix: String) -> String? {
    var scalars = prefix.unicodeScalars
    while let last = scalars.popLast() {
      // No text contains the code points between U+D7FF and U+E000.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let next = Unicode.Scalar(next) else { continue }
      scalars.append(next)
      return String(scalars)
    }
    return nil
  }

  /// Removes all values that were set as purgeable, of all businesses.
  ///
  /// - Throws: ``NacreError``.
  public func removePurgeableItems() throws { try remove(StoredItem.where("isPurgeable <> 0")) }

  /// Removes all values that were set as purgeable, of all businesses.
  ///
  /// - Throws: ``NacreError``.
  public func removePurgeableItems() async throws {
    try await Store.onThread { try self.removePurgeableItems() }
  }

  /// Removes everything.
  ///
  /// - Throws: ``NacreError``.
  public func reset() throws {
    try source.withStore { store in try store.write { _ in _ = try StoredItem.truncate() } }
  }

  /// Removes everything.
  ///
  /// - Throws: ``NacreError``.
  public func reset() async throws { try await Store.onThread { try self.reset() } }

  private func remove(_ items: Query<StoredItem>) throws {
    try source.withStore { store in try store.write { _ in _ = try items.deleteAll() } }
  }
}
