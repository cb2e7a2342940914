public import NacreCrypto

// The async versions of the calls that change slots and keys. They run on a thread of their own,
// because a passphrase takes half a second, and a key service may take any time.

extension Store {
  /// Returns the slots, which show the kinds of secrets that unlock the store; no secret is needed.
  ///
  /// - Throws: ``NacreError``.
  public func slots() async throws -> [SlotDescription] {
    try await Self.onThread { try self.slots() }
  }

  /// Adds a secret that unlocks the store.
  ///
  /// - Returns: The new slot's id.
  /// - Throws: ``NacreError``.
  @discardableResult
  public func addSlot(_ secret: Unlock) async throws -> Int64 {
    try await Self.onThread { try self.addSlot(secret) }
  }

  /// Removes a slot; only a rewrap shuts out for good whoever had its secret.
  ///
  /// - Throws: ``NacreError``.
  public func removeSlot(_ id: Int64, keeping others: [Unlock] = []) async throws {
    try await Self.onThread { try self.removeSlot(id, keeping: others) }
  }

  /// Replaces the secret of a slot by another one.
  ///
  /// - Throws: ``NacreError``.
  public func changeSlot(_ id: Int64, to secret: Unlock) async throws {
    try await Self.onThread { try self.changeSlot(id, to: secret) }
  }

  /// Gives the store a new store key, which no former slot, secret or store key opens.
  ///
  /// - Parameters:
  ///   - secrets: The secrets that go on unlocking the store; each must open a slot.
  ///   - dropsOthers: Whether the slots of other secrets are removed; if false, such slots are an
  ///     error.
  /// - Returns: The slots that were kept and dropped.
  /// - Throws: ``NacreError``, with nothing changed.
  @discardableResult
  public func rewrap(
    keeping secrets: [Unlock],
    dropsOthers: Bool = false
  ) async throws -> RewrapReport {
    try await Self.onThread { try self.rewrap(keeping: secrets, dropsOthers: dropsOthers) }
  }

  /// Adds a fresh key, which is pending.
  ///
  /// - Returns: The key's id.
  /// - Throws: ``NacreError``.
  @discardableResult
  public func addKey(_ purpose: KeyPurpose, suite: Suite? = nil) async throws -> KeyID {
    try await Self.onThread { try self.addKey(purpose, suite: suite) }
  }

  /// Makes a pending or enabled key the one that seals from now on.
  ///
  /// - Throws: ``NacreError``.
  public func promoteKey(_ id: KeyID) async throws {
    try await Self.onThread { try self.promoteKey(id) }
  }

  /// Lets a disabled key open again.
  ///
  /// - Throws: ``NacreError``.
  public func enableKey(_ id: KeyID) async throws {
    try await Self.onThread { try self.enableKey(id) }
  }

  /// Keeps an enabled key from opening.
  ///
  /// - Throws: ``NacreError``.
  public func disableKey(_ id: KeyID) async throws {
    try await Self.onThread { try self.disableKey(id) }
  }

  /// Destroys a key that nothing needs any more.
  ///
  /// - Throws: ``NacreError``.
  public func destroyKey(_ id: KeyID) async throws {
    try await Self.onThread { try self.destroyKey(id) }
  }

  /// Takes an anchor, which tells this file from any older copy of it.
  ///
  /// - Parameter last: An anchor that you kept; the new one will be greater.
  /// - Returns: The anchor.
  /// - Throws: ``NacreError``.
  public func anchor(after last: Anchor? = nil) async throws -> Anchor {
    try await Self.onThread { try self.anchor(after: last) }
  }

  /// Keeps an enabled key from opening, whatever some columns hold.
  ///
  /// - Throws: ``NacreError``.
  public func disableKey(_ id: KeyID, ignoring columns: [StoredColumn]) async throws {
    try await Self.onThread { try self.disableKey(id, ignoring: columns) }
  }

  /// Destroys a key, whatever some columns hold.
  ///
  /// - Throws: ``NacreError``.
  public func destroyKey(_ id: KeyID, ignoring columns: [StoredColumn]) async throws {
    try await Self.onThread { try self.destroyKey(id, ignoring: columns) }
  }

  /// Returns the columns of all tables with cells that name a field key, whatever the catalog says.
  ///
  /// - Throws: ``NacreError``.
  public func keyUses(of id: KeyID) async throws -> [KeyUse] {
    try await Self.onThread { try self.keyUses(of: id) }
  }

  /// Returns how many values name which key, for each sealed property of the catalog that no hook
  /// seals.
  ///
  /// - Throws: ``NacreError``.
  public func sealedCounts() async throws -> [SealedCount] {
    try await Self.onThread { try self.sealedCounts() }
  }
}
