import NacreCrypto
import NacreEngine

/// The result of a rewrap.
public struct RewrapReport: Sendable {
  /// The ids of the slots that were made again for their secrets.
  public let kept: [Int64]
  /// The slots that were removed.
  public let dropped: [SlotDescription]
  /// How often the key ring was changed, this rewrap included: the change number, which is the lower
  /// half of the ring's generation in the file.
  public let generation: UInt64
  /// Whether the write-ahead log was emptied, in which the former slots can be read.
  ///
  /// A process that reads the store can prevent that. Then the next checkpoint overwrites the log,
  /// at the latest when the last process closes the store.
  public let isLogEmptied: Bool
}

extension Store {
  /// Gives the store a new store key, so that no former slot and no former store key opens the ring
  /// any more.
  ///
  /// This completes what ``removeSlot(_:)`` and ``changeSlot(_:to:)`` begin. Every data key is
  /// wrapped again, and every slot whose secret is given is made again under its id.
  ///
  /// No value is touched, and the data keys stay the same. Whoever had the secret *and* a copy of
  /// the file has the data keys from there: only a rotation shuts them out of new values, and
  /// nothing shuts them out of that copy.
  ///
  /// Other processes that have the store open ask for their own secret again; a process whose
  /// secret was dropped fails with `wrongSecret` at its next write. This store goes on in any case.
  /// In a sealed file the header gets the new store key first, beside which it keeps the former one
  /// until the tables have followed. A rewrap that is interrupted in between is finished by the next
  /// opening; the kept secrets open the store all the time.
  ///
  /// Pending keys are destroyed, because the former store key can open them. A rotation or
  /// conversion that was begun has to be finished first: the former store key knows the keys with
  /// which it would seal, and its progress is marked under that store key.
  ///
  /// - Parameters:
  ///   - secrets: The secrets that go on unlocking the store; each must open a slot.
  ///   - dropsOthers: Whether the slots of other secrets are removed; if false, such slots are an
  ///     error.
  /// - Returns: The slots that were kept and dropped.
  /// - Throws: ``NacreError``, with nothing changed: `slotsWouldBeLost`; `wrongSecret` if one of
  ///   the secrets opens no slot; `lastSlot` if no secret is given; `rotationUnfinished`;
  ///   `storeLocked` or `noKeyRing`; `transactionState` inside `read` or `write`; `foreignSchema`
  ///   and `ringTampered` if something else interferes with the store's own tables.
  @discardableResult
  public func rewrap(
    keeping secrets: [Unlock],
    dropsOthers: Bool = false
  ) throws -> RewrapReport {
    try checkRingCanChange()
    let secrets = try NacreError.wrapping {
      try secrets.map { (secret: try $0.secret(false), source: $0) }
    }
    try NacreError.wrapping { try finishRewrap() }
    let (kept, dropped, generation) = try writeSynced { database in
      let ring = try wholeRing(database)
      let connection = database.connection
      let kept = try Store.slots(RingTable.slots(on: connection), of: ring, openedBy: secrets)
      let all = try SlotDescription.all(on: connection)
      let others = all.filter { slot in !kept.contains { Int64($0.id) == slot.id } }
      if !dropsOthers, !others.isEmpty {
        throw NacreError(.slotsWouldBeLost, detail: others.map(\.words).joined(separator: ", "))
      }
      guard !kept.isEmpty else {
        throw NacreError(.lastSlot, detail: "no secret to keep was given")
      }
      try Store.refuseUnfinishedRotation(on: database)
      let number: UInt64
      if let header = engine.fileHeader {
        number = try rewrap(ring, header, keeping: kept, on: database)
      } else {
        let rewrapped = try ring.withoutPendingKeys().rewrapped()
        let slots = try kept.map { try rewrapped.newSlot(id: $0.id, secret: $0.secret) }
        try database.changeSlots(removing: others.map(\.id), writing: slots, of: rewrapped)
        number = try database.replaceRing(ring, byRewrapped: rewrapped)
      }
      return (kept.map { Int64($0.id) }, others, number)
    }
    // The rewrap is committed; what is left here is left for the next opening.
    try? finishRewrap()
    return RewrapReport(
      kept: kept,
      dropped: dropped,
      generation: generation,
      // The change is committed, even if something keeps the log from being emptied.
      isLogEmptied: (try? emptyLog()) ?? false
    )
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

  /// Throws if a rotation or conversion is unfinished.
  ///
  /// The next rotation must not seal with a key that the former store key can open. And nobody
  /// could continue with a journal whose MAC is by the former store key.
  static func refuseUnfinishedRotation(on database: Database) throws {
    guard let journal = try RotationJournal.believed(on: database) else { return }
    throw NacreError(
      .rotationUnfinished,
      detail: journal.place != nil
        ? "a conversion is going on under this store key; finish it or take it back, then rewrap"
        : "the former store key could still open the new key of an unfinished rotation; finish "
          + "it, rewrap, and rotate again"
    )
  }

  /// Returns the slots that one of the secrets opens, by id, each with its secret.
  private static func slots(
    _ slots: [SlotRecord],
    of ring: KeyRing,
    openedBy secrets: [(secret: SlotSecret, source: Unlock)]
  ) throws -> [(id: UInt32, secret: SlotSecret)] {
    var opened: [UInt32: SlotSecret] = [:]
    for (index, (secret, source)) in secrets.enumerated() {
      let ids: Set<UInt32>
      do throws(CryptoError) {
        ids = try ring.slots(source.slots(among: slots), openedBy: secret)
      } catch {
        guard error.code == .wrongSecret else { throw error }
        // Otherwise a mistyped passphrase would drop its slot.
        throw NacreError(
          .wrongSecret,
          detail: "secret \(index + 1) of the \(secrets.count) to keep opens no slot",
          cause: error
        )
      }
      for id in ids { opened[id] = secret }
    }
    return opened.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension Database {
  /// Writes a ring that is under a new store key over the one in the file, with the marks that are
  /// under the store key as well.
  ///
  /// - Returns: How often the ring was changed.
  func replaceRing(_ ring: KeyRing, byRewrapped rewrapped: KeyRing) throws -> UInt64 {
    // This verifies the catalog first: the new key must not mark a catalog that nobody wrote under
    // the former one.
    try renewCatalogMark()
    try AnchorTable.rewrap(from: ring, to: rewrapped, on: connection)
    try replaceRing(by: rewrapped)
    return rewrapped.changeNumber
  }
}

extension KeyRing {
  /// Returns the ring without its pending keys, which whoever has the former store key has, too.
  func withoutPendingKeys() throws(CryptoError) -> KeyRing {
    var ring = self
    for key in keys where key.state == .pending { ring = try ring.destroying(key.id) }
    return ring
  }
}

extension SlotDescription {
  /// The slot's number and kind; an unknown kind is not shown, because whoever wrote the file chose
  /// its text.
  fileprivate var words: String {
    "slot \(id) (\(SlotRecord.Kind(rawValue: kind)?.rawValue ?? "of an unknown kind"))"
  }
}
