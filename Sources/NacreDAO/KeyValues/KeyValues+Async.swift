import NacreCore

// The async twins run on threads that no task is waiting for.

extension KeyValues {
  /// Stores a value, in place of any former one; nil removes it.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - key: its key.
  ///   - business: the group in which the key is looked up.
  ///   - isPurgeable: whether ``removePurgeableItems()-()`` may remove it.
  ///   - encrypt: seals the value before the store does; it receives business and key.
  /// - Throws: ``NacreError``.
  public func set<V: Encodable & Sendable>(
    _ value: V?,
    forKey key: String,
    business: String = "",
    isPurgeable: Bool = false,
    encrypt: CryptMethod? = nil
  ) async throws {
    try await Store.onThread {
      try self.set(
        value,
        forKey: key,
        business: business,
        isPurgeable: isPurgeable,
        encrypt: encrypt
      )
    }
  }

  /// The value of a key; nil if there is none.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - business: the group in which it is looked up.
  ///   - type: the type with which it was set.
  ///   - decrypt: opens a value that the caller's own method has sealed; it receives business and key.
  /// - Returns: the value; nil if there is none.
  /// - Throws: ``NacreError``, with code `valueMismatch` for a value of another type, and for one that needs `decrypt`.
  public func get<V: Decodable & Sendable>(
    _ key: String,
    business: String = "",
    as type: V.Type = V.self,
    decrypt: CryptMethod? = nil
  ) async throws -> V? {
    try await Store.onThread {
      try self.get(key, business: business, as: V.self, decrypt: decrypt)
    }
  }

  /// The value of a key, or a default if there is none.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - business: the group in which it is looked up.
  ///   - value: the default.
  /// - Returns: the value.
  /// - Throws: ``NacreError``, with code `valueMismatch` for a value of another type.
  public func get<V: Decodable & Sendable>(
    _ key: String,
    business: String = "",
    default value: V
  ) async throws -> V {
    try await Store.onThread { try self.get(key, business: business, default: value) }
  }

  /// Whether there is a value for a key.
  ///
  /// - Throws: ``NacreError``.
  public func contains(_ key: String, business: String = "") async throws -> Bool {
    try await Store.onThread { try self.contains(key, business: business) }
  }

  /// The keys of a business, or of all, in alphabetical order.
  ///
  /// - Parameter business: the group; nil is all of them.
  /// - Returns: the keys.
  /// - Throws: ``NacreError``.
  public func keys(ofBusiness business: String? = nil) async throws -> [String] {
    try await Store.onThread { try self.keys(ofBusiness: business) }
  }

  /// About how many bytes the values of a business take.
  ///
  /// - Throws: ``NacreError``.
  public func approximateSize(ofBusiness business: String) async throws -> Int {
    try await Store.onThread { try self.approximateSize(ofBusiness: business) }
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
  public func removeItems(like pattern: String, business: String = "") async throws {
    try await Store.onThread { try self.removeItems(like: pattern, business: business) }
  }

  /// Removes the values of a business whose keys begin with a prefix, compared by Unicode scalars.
  ///
  /// - Throws: ``NacreError``.
  public func removeItems(prefix: String, business: String = "") async throws {
    try await Store.onThread { try self.removeItems(prefix: prefix, business: business) }
  }

  /// Removes all values that were set as purgeable, of all businesses.
  ///
  /// - Throws: ``NacreError``.
  public func removePurgeableItems() async throws {
    try await Store.onThread { try self.removePurgeableItems() }
  }

  /// Removes everything.
  ///
  /// - Throws: ``NacreError``.
  public func reset() async throws { try await Store.onThread { try self.reset() } }
}
