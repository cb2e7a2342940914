import Foundation
public import NacreCore

/// Values by their keys, grouped by the business that they belong to, and sealed in the file.
///
/// Numbers, flags, texts, bytes, dates and the rest of `StorableValue` are stored as they are, other Codable values as
/// JSON. A value that was set as one type can be read as another only if that has the same stored form.
public final class KeyValues: Sendable {
  let source: StoreSource
  /// The default methods that seal before the store does and open after it, for calls that name none of their own.
  private let sealing: DAOSealing

  init(_ sealing: DAOSealing, _ source: StoreSource) {
    self.sealing = sealing
    self.source = source
  }

  /// Makes a key-value store inside of a store.
  ///
  /// - Parameter store: where the values are kept; it needs a key ring.
  public convenience init(_ store: Store) { self.init(DAOSealing(), .fixed(store)) }

  private func find(_ key: String, _ business: String) throws -> StoredItem? {
    try StoredItem.fetchOne(where: "business = ? AND name = ?", business, key)
  }

  private func read<T>(_ body: () throws -> T) throws -> T {
    try source.withStore { store in try store.read { _ in try body() } }
  }

  // MARK: - Values

  /// Stores a value, in place of any former one; nil removes it.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - key: its key.
  ///   - business: the group in which the key is looked up.
  ///   - isPurgeable: whether ``removePurgeableItems()`` may remove it.
  ///   - encrypt: seals the value before the store does; it receives business and key.
  /// - Throws: ``NacreError``.
  public func set<V: Encodable>(
    _ value: V?,
    forKey key: String,
    business: String = "",
    isPurgeable: Bool = false,
    encrypt: CryptMethod? = nil
  ) throws {
    guard let value else { return try remove(key, business: business) }
    let encrypt = encrypt ?? sealing.encrypt
    try source.withStore { store in
      let plain = try JSONOptions.using(store) { try stored(value, key) }
      // The caller's own method may take long, and must not hold the writer meanwhile.
      let sealed = try NacreError.wrapping { try encrypt?(plain, business, key) ?? plain }
      try store.write { _ in
        let item = try find(key, business) ?? StoredItem.create()
        (item.business, item.name, item.value) = (business, key, sealed)
        (item.isCustom, item.isPurgeable) = (encrypt != nil, isPurgeable)
        item.size = Self.size(of: sealed)
        try item.save()
      }
    }
  }

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

  private func stored(_ value: some Encodable, _ key: String) throws -> Value {
    do { return try ArgumentBinding.stored(value, nil) } catch {
      throw NacreError.dao(.valueMismatch, "the value for “\(key)” can't be stored")
    }
  }

  private static func size(of value: Value) -> Int {
    switch value {
    case .null: 0
    case .integer, .real: 8
    case .text(let text): text.utf8.count
    case .blob(let data): data.count
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
  public func get<V: Decodable>(
    _ key: String,
    business: String = "",
    as type: V.Type = V.self,
    decrypt: CryptMethod? = nil
  ) throws -> V? {
    let (store, found) = try source.withStore { store in
      (store, try store.read { _ in try find(key, business) })
    }
    guard let item = found else { return nil }
    var value = item.value
    if item.isCustom {
      guard let decrypt = decrypt ?? sealing.decrypt else {
        throw NacreError.dao(.valueMismatch, "the value for “\(key)” needs `decrypt`")
      }
      // After the read, because it may take long.
      value = try NacreError.wrapping { try decrypt(item.value, business, key) }
    }
    return try JSONOptions.using(store) {
      if let known = type as? any StorableValue.Type,
        let made = try? known.init(storedValue: value) as? V
      {
        return made
      }
      return try ColumnDecoder.decode(type, value) {
        .dao(.valueMismatch, "the value for “\(key)” is not of type \(type)")
      }
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
  public func get<V: Decodable>(
    _ key: String,
    business: String = "",
    default value: V
  ) throws -> V {
    try get(key, business: business, as: V.self) ?? value
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

  // MARK: - Keys

  /// Whether there is a value for a key.
  ///
  /// - Throws: ``NacreError``.
  public func contains(_ key: String, business: String = "") throws -> Bool {
    try read { try StoredItem.where("business = ? AND name = ?", business, key).exists() }
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
  public func keys(ofBusiness business: String? = nil) throws -> [String] {
    try read {
      let items = business.map { StoredItem.where("business = ?", $0) } ?? StoredItem.all
      return try items.ordered(by: "name").values(\.name)
    }
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
  public func approximateSize(ofBusiness business: String) throws -> Int {
    try read { try StoredItem.where("business = ?", business).sum(\.size) }
  }

  /// About how many bytes the values of a business take.
  ///
  /// - Throws: ``NacreError``.
  public func approximateSize(ofBusiness business: String) async throws -> Int {
    try await Store.onThread { try self.approximateSize(ofBusiness: business) }
  }
}

extension DataCenter {
  /// The values that all users share.
  public var commonValues: KeyValues { KeyValues(usedSealing(), .place(self, .common)) }

  /// The values of the user who is current at each call; without a user each call throws.
  public var userValues: KeyValues { KeyValues(usedSealing(), .user(self)) }
}
