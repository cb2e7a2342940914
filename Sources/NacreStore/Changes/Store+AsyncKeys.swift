public import NacreCrypto

// The async twins of what changes slots and keys: they run on a thread of their own, for a passphrase takes half a
// second, and a key service as long as it likes.

extension Store {
  /// The slots: which kinds of secrets unlock the store, for which no secret is needed.
  ///
  /// - Throws: ``NacreError``.
  public func slots() async throws -> [SlotDescription] {
    try await Self.onThread { try self.slots() }
  }

  /// Lets one more secret unlock the store.
  ///
  /// - Returns: the new slot's id.
  /// - Throws: ``NacreError``.
  @discardableResult
  public func addSlot(_ secret: Unlock) async throws -> Int64 {
    try await Self.onThread { try self.addSlot(secret) }
  }

  /// Takes a slot away; who had its secret is shut out for good only after a rewrap.
  ///
  /// - Throws: ``NacreError``.
  public func removeSlot(_ id: Int64, keeping others: [Unlock] = []) async throws {
    try await Self.onThread { try self.removeSlot(id, keeping: others) }
  }

  /// Gives a slot another secret in place of the one that it has.
  ///
  /// - Throws: ``NacreError``.
  public func changeSlot(_ id: Int64, to secret: Unlock) async throws {
    try await Self.onThread { try self.changeSlot(id, to: secret) }
  }

  /// Gives the store a new store key, which no former slot, secret or store key opens.
  ///
  /// - Parameters:
  ///   - secrets: those that go on unlocking the store; each must open a slot.
  ///   - dropsOthers: whether the slots of other secrets are removed; otherwise they are an error.
  /// - Returns: what was kept and what was dropped.
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
  /// - Returns: the key's id.
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

  /// Takes an anchor, by which an older copy of the file is told from this one.
  ///
  /// - Parameter last: an anchor that was kept, which the new one shall be greater than.
  /// - Returns: the anchor.
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

  /// Which columns hold cells that name a field key, of every table and whatever the catalog says.
  ///
  /// - Throws: ``NacreError``.
  public func keyUses(of id: KeyID) async throws -> [KeyUse] {
    try await Self.onThread { try self.keyUses(of: id) }
  }

  /// How many values stand under which key, for each sealed property of the catalog that no hook seals.
  ///
  /// - Throws: ``NacreError``.
  public func sealedCounts() async throws -> [SealedCount] {
    try await Self.onThread { try self.sealedCounts() }
  }
}
