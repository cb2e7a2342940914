import NacreCrypto
import NacreSQLite

/// The report of a rewrap.
public struct RewrapReport: Sendable {
  /// The ids of the slots that were made anew for their secrets.
  public let kept: [Int64]
  /// The slots that were removed.
  public let dropped: [SlotDescription]
  /// The key ring's generation after it.
  public let generation: UInt64
  /// Whether the write-ahead log was emptied, in which the former slots can be read; a process that reads the store
  /// can be in the way, and then the next checkpoint overwrites it, at the latest when the last one closes the store.
  public let isLogEmptied: Bool
}

extension Store {
  /// Gives the store a new store key: no former slot and no former store key opens the ring any more, which finishes
  /// what ``removeSlot(_:)`` and ``changeSlot(_:to:)`` begin.
  ///
  /// Every data key is wrapped anew, and every slot whose secret is given is made anew under its id. No value is
  /// touched, and the data keys stay the same: whoever had the secret *and* a copy of the file has them from there, and
  /// is shut out of new values only by a rotation; of that copy, never. Other processes that have the store open
  /// follow by asking their own secret again; one whose secret was dropped fails with `wrongSecret` at its next write.
  /// This store goes on in any case. Keys that are pending are destroyed, and a rotation or conversion that was begun has
  /// to be finished first: the former store key knows the keys that they would seal with, and marks how far it is.
  ///
  /// - Parameters:
  ///   - secrets: those that go on unlocking the store; each must open a slot.
  ///   - dropsOthers: whether the slots of other secrets are removed; otherwise they are an error.
  /// - Returns: what was kept and what was dropped.
  /// - Throws: ``NacreError``, with nothing changed: `slotsWouldBeLost`; `wrongSecret` when one of the secrets opens no
  ///   slot; `lastSlot` when none is given; `rotationUnfinished`; `storeLocked` or `noKeyRing`; `transactionState` inside
  ///   `read` or `write`; `foreignSchema` and `ringTampered` where something else takes part in the store's own tables.
  @discardableResult
  public func rewrap(
    keeping secrets: [Unlock],
    dropsOthers: Bool = false
  ) throws -> RewrapReport {
    try checkRingCanChange()
    let secrets = try NacreError.wrapping {
      try secrets.map { (secret: try $0.secret(false), source: $0) }
    }
    let (kept, dropped, generation) = try changeRing { database, ring in
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
      // Not under the new key what nobody has written under the former one.
      try database.renewCatalogMark()
      let rewrapped = try ring.withoutPendingKeys().rewrapped()
      let slots = try kept.map { slot in
        RingTable.NewSlot(
          record: try rewrapped.makeSlot(id: slot.id, secret: slot.secret),
          secret: slot.secret
        )
      }
      try RingTable.changeSlots(
        removing: others.map(\.id),
        writing: slots,
        of: rewrapped,
        on: connection
      )
      database.noteSlots(slots, of: rewrapped)
      try AnchorTable.rewrap(from: ring, to: rewrapped, on: connection)
      try database.replaceRing(by: rewrapped)
      return (kept.map { Int64($0.id) }, others, rewrapped.changeNumber)
    }
    return RewrapReport(
      kept: kept,
      dropped: dropped,
      generation: generation,
      // The change is committed, even if something keeps the log from being emptied.
      isLogEmptied: (try? emptyLog()) ?? false
    )
  }

  /// A key that the former store key can open must not be what the next rotation seals with; and nobody could go on
  /// with a journal whose MAC is by the former store key.
  private static func refuseUnfinishedRotation(on database: Database) throws {
    guard let journal = try RotationJournal.believed(on: database) else { return }
    throw NacreError(
      .rotationUnfinished,
      detail: journal.isConversion
        ? "a conversion is going on under this store key; finish it or take it back, then rewrap"
        : "the former store key could still open the new key of an unfinished rotation; finish "
          + "it, rewrap, and rotate again"
    )
  }

  /// The slots that one of the secrets opens, by id, each with its secret.
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
        // A slot would be dropped for a slip of the pen in its passphrase.
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

extension KeyRing {
  /// The ring without keys that wait to seal: whoever has the former store key has them, too.
  fileprivate func withoutPendingKeys() throws(CryptoError) -> KeyRing {
    var ring = self
    for key in keys where key.state == .pending { ring = try ring.destroying(key.id) }
    return ring
  }
}

extension SlotDescription {
  /// The slot's number and kind; a kind that this version does not know is a text of whoever wrote the file.
  fileprivate var words: String {
    "slot \(id) (\(SlotRecord.Kind(rawValue: kind)?.rawValue ?? "of an unknown kind"))"
  }
}
