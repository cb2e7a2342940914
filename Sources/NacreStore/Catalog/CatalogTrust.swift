import NacreCrypto
import NacreEngine

/// How far the catalog can be trusted according to the key ring, in one state of the file.
package enum CatalogTrust {
  /// It never had a MAC and is accepted as it is.
  case unmarked
  /// It is as a holder of the store key wrote it.
  case authentic
  /// It was changed; the value is the catalog as it was written.
  case changed(CatalogRecord)
  /// It had a MAC, but no copy matches that any more; the value says why.
  case lost(String)
  /// The file's ring has another store key, so nobody can tell, and nothing is written.
  ///
  /// The state is from before a rewrap that this process has read since, or from after a rewrap
  /// that locked it out. A state that somebody restored is refused earlier (`followRing`).
  case former

  /// - Parameters:
  ///   - ring: The process's ring, or a later one that this transaction has written.
  ///   - connection: A connection in a transaction.
  /// - Throws: `ringTampered` for a ring in the file that is not of this store key.
  init(_ ring: KeyRing, on connection: any EngineConnection) throws {
    guard let record = try RingTable.read(ring.storeID, on: connection) else {
      throw NacreError(.ringTampered, detail: "the ring is gone")
    }
    guard try ring.hasMade(record) else {
      guard record.generation < ring.generation else {
        throw NacreError(
          .ringTampered,
          detail: "the ring in the file was not made with the store key"
        )
      }
      self = .former
      return
    }
    if RingRecord.catalogNumber(record.generation) == 0 {
      self = .unmarked
      return
    }
    guard let copy = try CatalogTable.copy(on: connection) else {
      self = .lost("its authenticated copy is missing")
      return
    }
    do {
      try ring.verify(catalog: copy.bytes, mac: copy.mac, with: record)
      let found = try CatalogTable.read(on: connection).bytes()
      if found == copy.bytes {
        self = .authentic
      } else {
        self = .changed(try CatalogTable.record(of: copy.bytes))
      }
    } catch let error as CryptoError where error.code == .catalogTampered {
      self = .lost("its authenticated copy belongs to another ring or was changed")
    }
  }
}
