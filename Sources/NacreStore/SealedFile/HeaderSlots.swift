import NacreCrypto
package import NacreEngine
import Synchronization

/// Keeps the slots of a store in the header of its sealed file.
///
/// The header is no part of the connection's transaction: a change of it is there at once, and it is
/// a change of its own. Whoever calls holds the writer's lock, by that transaction.
package final class HeaderSlots: SlotKeeping {
  /// Seals the pages under the keys of the header, and follows it.
  package let sealer: FileSealer
  private let file: any HeaderFile
  private let changes = Mutex(0)

  // The header, with its first slot, is there before the first page.
  package let precedesRing = true

  /// Keeps slots in the header of a file.
  package init(_ sealer: FileSealer, in file: any HeaderFile) {
    self.sealer = sealer
    self.file = file
  }

  package func slots(on connection: any EngineConnection) throws -> [KeptSlot] {
    try sealer.follow(file.read(at:into:))
    return sealer.keys.header.slots.map(KeptSlot.init)
  }

  package func put(_ slot: KeptSlot, on connection: any EngineConnection) throws {
    guard let new = FileSlot(slot) else {
      throw NacreError(.ringTampered, detail: "slot \(slot.id) is no slot")
    }
    try change(on: connection) { slots in
      slots.removeAll { $0.id == new.id }
      slots.append(new)
      slots.sort { $0.id < $1.id }
    }
  }

  package func remove(_ id: Int64, on connection: any EngineConnection) throws {
    try change(on: connection) { slots in slots.removeAll { Int64($0.id) == id } }
  }

  private func change(
    on connection: any EngineConnection,
    _ body: (inout [FileSlot]) -> Void
  ) throws {
    try change(on: connection) { keys in
      var slots = keys.header.slots
      body(&slots)
      return try NacreError.wrapping { try keys.replacing(slots: slots) }
    }
  }

  /// Writes the header that a closure makes of the present one.
  ///
  /// - Parameters:
  ///   - connection: A connection in a transaction that writes.
  ///   - body: Returns keys that were made from those it is given, by one change.
  /// - Throws: The error of `body`; `headerChangeUnfinished`; `headerTampered`; an error of writing.
  package func change(
    on connection: any EngineConnection,
    _ body: (FileKeys) throws -> FileKeys
  ) throws {
    try sealer.follow(file.read(at:into:))
    try sealer.write(try body(sealer.keys), to: file)
    changes.withLock { $0 += 1 }
    try sealer.noteSequence(on: connection)
  }

  /// How often this process has changed the header.
  var changeCount: Int { changes.withLock { $0 } }

  /// Returns the keys of the header as it is now.
  ///
  /// - Throws: `headerTampered`, `storeRewrapped`, or an error of reading.
  package func keys() throws -> FileKeys {
    try sealer.follow(file.read(at:into:))
    return sealer.keys
  }

  /// Whether a crash or an error has left two copies of the header that differ, or pages that do not ask
  /// for this header yet.
  var isChangeUnfinished: Bool { sealer.isUnnoted || !FileSealer.hasEqualCopies(file) }

  /// Makes the two copies of the header alike again, and has the pages ask for it.
  ///
  /// - Parameter connection: A connection in a transaction that writes.
  /// - Throws: `headerTampered`; an error of writing.
  func finishChange(on connection: any EngineConnection) throws {
    try sealer.mendCopies(of: file)
    guard sealer.isUnnoted else { return }
    try sealer.noteSequence(on: connection)
  }
}

extension EngineHome {
  /// The header of the sealed file; nil if the database's pages are not sealed.
  package var fileHeader: HeaderSlots? { slotKeeper as? HeaderSlots }
}
