package import NacreCrypto
package import NacreEngine

// What the tables inside of a sealed file say otherwise than those of a plain one
// (Vectors/SEALED-FILE.md, Inside of the pages).

/// Changes a store's own tables from one format to the other, in the copy that becomes the store.
package enum FormatChange {
  /// Returns the slots of a plain store as a header holds them.
  ///
  /// - Throws: `ringTampered` for a row that no header can hold.
  package static func slots(on connection: any EngineConnection) throws -> [FileSlot] {
    try connection.keptSlots().map { slot in
      guard let made = FileSlot(slot) else {
        throw NacreError(
          .ringTampered,
          detail: "slot \(slot.id) is no slot",
          advice: "Remove it, and try again; nothing was changed."
        )
      }
      return made
    }
  }

  /// Makes the tables those of a sealed file, whose header has the slots.
  ///
  /// - Parameters:
  ///   - connection: A connection to the sealed file, in a transaction that writes.
  ///   - sealer: The keys of its header.
  /// - Throws: An `EngineError`.
  package static func seal(
    _ connection: any EngineConnection,
    by sealer: FileSealer
  ) throws {
    try connection.run(
      CatalogSQL.setValue(connection.dialect),
      ["format", .integer(StoreFoundation.sealedFormat)]
    )
    try sealer.noteSequence(on: connection)
    try connection.run(RingSQL.deleteSlots, [])
  }

  /// Makes the tables those of a plain file, which have the slots.
  ///
  /// - Parameters:
  ///   - connection: A connection to the plain file, in a transaction that writes.
  ///   - header: The header that the slots were in.
  /// - Throws: An `EngineError`.
  package static func unseal(
    _ connection: any EngineConnection,
    with header: FileHeader
  ) throws {
    try connection.run(
      CatalogSQL.setValue(connection.dialect),
      ["format", .integer(StoreFoundation.format)]
    )
    try FileSealer.removeSequence(on: connection)
    for slot in header.slots { try connection.put(KeptSlot(slot)) }
  }
}
